//! Frame at one point of the code: the types of local variables and of the operand stack.
//!
//! Invariant: the second word of a long or double directly follows its first, in the locals and
//! on the stack, and never occurs alone.

use super::types::VerificationType;

/// Types of the local variables and of the operand stack.
#[derive(Default)]
pub(super) struct TypeFrame {
    pub(super) locals: Vec<VerificationType>,
    pub(super) stack: Vec<VerificationType>,
    pub(super) max_stack: usize,
    /// Whether `this` is initialised; false only at the start of constructors.
    pub(super) constructed: bool,
    /// Whether locals have changed since the handlers were updated.
    pub(super) locals_changed: bool,
}

impl TypeFrame {
    /// Pushes a value, both words of a long or double.
    pub(super) fn push(&mut self, value: VerificationType) -> Result<(), String> {
        self.stack.push(value);
        self.stack.extend(value.high());
        self.check_depth()
    }

    fn check_depth(&self) -> Result<(), String> {
        if self.stack.len() > self.max_stack {
            return Err(format!("stack deeper than {} words", self.max_stack));
        }
        Ok(())
    }

    /// Pops the topmost word.
    pub(super) fn pop(&mut self) -> Result<VerificationType, String> {
        self.stack
            .pop()
            .ok_or_else(|| "stack of too few words".to_owned())
    }

    /// Checks that the topmost `words` words are whole values.
    pub(super) fn check_split(&self, words: usize) -> Result<(), String> {
        let first = self
            .stack
            .len()
            .checked_sub(words)
            .ok_or("stack of too few words")?;
        match self.stack.get(first) {
            Some(VerificationType::LongHigh) => Err("a long is split".to_owned()),
            Some(VerificationType::DoubleHigh) => Err("a double is split".to_owned()),
            _ => Ok(()),
        }
    }

    /// Removes the topmost `words` words.
    pub(super) fn drop_words(&mut self, words: usize) -> Result<(), String> {
        self.check_split(words)?;
        self.stack.truncate(self.stack.len() - words);
        Ok(())
    }

    /// Inserts a copy of the topmost `words` words below the next `under` words: the `dup`
    /// family.
    pub(super) fn duplicate(&mut self, words: usize, under: usize) -> Result<(), String> {
        self.check_split(words)?;
        self.check_split(words + under)?;
        let from = self.stack.len() - words;
        let copies: Vec<VerificationType> = self.stack[from..].to_vec();
        let at = from - under;
        self.stack.splice(at..at, copies);
        self.check_depth()
    }

    /// Type of a local variable, with a check of the second word of a long or double.
    pub(super) fn local(&self, index: i32, words: usize) -> Result<VerificationType, String> {
        let at = self.local_place(index, words)?;
        let value = self.locals[at];
        Ok(match value.high() {
            Some(high) if words == 2 && self.locals[at + 1] != high => VerificationType::Top,
            _ => value,
        })
    }

    fn local_place(&self, index: i32, words: usize) -> Result<usize, String> {
        let at = usize::try_from(index).map_err(|_| "a local variable below 0")?;
        if at + words > self.locals.len() {
            return Err(format!("local variable {index} of {}", self.locals.len()));
        }
        Ok(at)
    }

    /// Sets a local variable; an overlapping long or double becomes unusable.
    pub(super) fn set_local(&mut self, index: i32, value: VerificationType) -> Result<(), String> {
        let high = value.high();
        let words = 1 + usize::from(high.is_some());
        let at = self.local_place(index, words)?;
        if self.locals[at].is_high() && at > 0 {
            self.locals[at - 1] = VerificationType::Top;
        }
        if self.locals[at + words - 1].high().is_some()
            && let Some(next) = self.locals.get_mut(at + words)
        {
            *next = VerificationType::Top;
        }
        self.locals[at] = value;
        if let Some(high) = high {
            self.locals[at + 1] = high;
        }
        self.locals_changed = true;
        Ok(())
    }

    /// Replaces every occurrence of `old` by `new`.
    pub(super) fn replace(&mut self, old: VerificationType, new: VerificationType) {
        for word in self
            .locals
            .iter_mut()
            .chain(&mut self.stack)
            .filter(|word| **word == old)
        {
            *word = new;
        }
        self.locals_changed = true;
    }
}
