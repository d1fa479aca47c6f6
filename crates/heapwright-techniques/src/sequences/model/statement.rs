//! Statements of a sequence: an invokable with its arguments.

/// A statement of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The invokable's number.
    pub invokable: usize,
    /// What it takes.
    pub arguments: Vec<Argument>,
}

/// What a statement takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value, whichever.
    Open,
    /// The same value as the open one with this number, counted through the sequence.
    Again(usize),
    /// What the statement with this number gave.
    Made(usize),
    /// What one of these statements gave, whichever.
    OneOf(Makers),
    /// Null.
    Null,
    /// The place in the array in which an element is stored: behind the array and the element.
    Index(u32),
}

/// The statements of a sequence one of which gave an object: any of the first 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Makers(u64);

impl Makers {
    /// These statements; `None` if one is too far behind.
    #[must_use]
    pub fn of(statements: &[usize]) -> Option<Makers> {
        let mut makers = 0;
        for &statement in statements {
            makers |= 1_u64.checked_shl(u32::try_from(statement).ok()?)?;
        }
        Some(Makers(makers))
    }

    /// The statements, in order.
    pub fn statements(self) -> impl Iterator<Item = usize> {
        (0..u64::BITS as usize).filter(move |&statement| self.0 >> statement & 1 == 1)
    }
}

impl Argument {
    /// Whether it is, or can be, what a statement gave.
    #[must_use]
    pub fn can_be(&self, statement: usize) -> bool {
        match self {
            Argument::Made(made) => *made == statement,
            Argument::OneOf(makers) => makers.statements().any(|maker| maker == statement),
            _ => false,
        }
    }
}

impl Statement {
    /// The same behind so many further statements with so many open values.
    #[must_use]
    pub fn shifted(&self, statements: usize, values: usize) -> Statement {
        let mut shifted = self.clone();
        for argument in &mut shifted.arguments {
            match argument {
                Argument::Made(place) => *place += statements,
                Argument::OneOf(makers) => makers.0 <<= statements,
                Argument::Again(value) => *value += values,
                Argument::Open | Argument::Null | Argument::Index(_) => {}
            }
        }
        shifted
    }

    /// How many open values it takes.
    #[must_use]
    pub fn open(&self) -> usize {
        let arguments = self.arguments.iter();
        arguments
            .filter(|argument| **argument == Argument::Open)
            .count()
    }

    /// Whether it takes, or can take, what a statement gave.
    #[must_use]
    pub fn takes(&self, statement: usize) -> bool {
        let mut arguments = self.arguments.iter();
        arguments.any(|argument| argument.can_be(statement))
    }
}
