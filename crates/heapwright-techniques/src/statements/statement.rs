//! Statements of a sequence: an invokable with its arguments.

/// A statement of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The invokable's number.
    pub invokable: usize,
    /// The arguments, one per parameter.
    pub arguments: Vec<StatementArgument>,
}

/// Argument of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementArgument {
    /// Any value.
    Open,
    /// The same value as the open one with this number, counted over the whole sequence.
    Repeated(usize),
    /// The result of the statement with this number.
    Result(usize),
    /// The result of any one of these statements.
    OneOf(StatementSet),
    /// The value in a slot of the engine.
    Value(u64),
    /// Null.
    Null,
    /// The index at which an element is stored; it follows the array and the element.
    Index(u32),
}

/// A set of statements, one of which created an object; only the first 64 can be members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementSet(u64);

impl StatementSet {
    /// Returns the set of these statements; `None` if a number exceeds 63.
    #[must_use]
    pub fn of(statements: &[usize]) -> Option<StatementSet> {
        let mut makers = 0;
        for &statement in statements {
            makers |= 1_u64.checked_shl(u32::try_from(statement).ok()?)?;
        }
        Some(StatementSet(makers))
    }

    /// Enumerates the statements in ascending order.
    pub fn statements(self) -> impl Iterator<Item = usize> {
        (0..u64::BITS as usize).filter(move |&statement| self.0 >> statement & 1 == 1)
    }
}

impl StatementArgument {
    /// Whether the argument is, or may be, the result of a statement.
    #[must_use]
    pub fn can_be(&self, statement: usize) -> bool {
        match self {
            StatementArgument::Result(made) => *made == statement,
            StatementArgument::OneOf(makers) => makers.statements().any(|maker| maker == statement),
            _ => false,
        }
    }
}

/// Returns the invokables and places of the open arguments of statements, in the order of the values.
pub fn open_places(statements: &[Statement]) -> impl Iterator<Item = (usize, usize)> {
    statements.iter().flat_map(|statement| {
        let places = statement.open_places();
        places.map(|place| (statement.invokable, place))
    })
}

impl Statement {
    /// Returns the statement renumbered to follow this many further statements and open values.
    #[must_use]
    pub fn shifted(&self, statements: usize, values: usize) -> Statement {
        let mut shifted = self.clone();
        for argument in &mut shifted.arguments {
            match argument {
                StatementArgument::Result(place) => *place += statements,
                StatementArgument::OneOf(makers) => makers.0 <<= statements,
                StatementArgument::Repeated(value) => *value += values,
                StatementArgument::Open
                | StatementArgument::Value(_)
                | StatementArgument::Null
                | StatementArgument::Index(_) => {}
            }
        }
        shifted
    }

    /// Returns the places of the open arguments.
    pub fn open_places(&self) -> impl Iterator<Item = usize> {
        let arguments = self.arguments.iter().enumerate();
        let open = arguments.filter(|(_, argument)| **argument == StatementArgument::Open);
        open.map(|(place, _)| place)
    }

    /// Returns the number of open arguments.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open_places().count()
    }

    /// Whether an argument is, or may be, the result of a statement.
    #[must_use]
    pub fn takes(&self, statement: usize) -> bool {
        let mut arguments = self.arguments.iter();
        arguments.any(|argument| argument.can_be(statement))
    }
}
