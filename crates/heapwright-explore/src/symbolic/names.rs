//! What a program would call an input. Most inputs are never shown, so names are put together only
//! where they are.

use std::fmt;
use std::rc::Rc;

/// As in `this.root.left`, `a[2]`, `s.length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Rc<Part>);

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Own(String),
    Field(Name, Rc<str>),
    Element(Name, u32),
    Choice(Name),
}

impl Name {
    /// A field of what is called so.
    pub(super) fn field(&self, name: &Rc<str>) -> Name {
        Name(Rc::new(Part::Field(self.clone(), name.clone())))
    }

    /// An element of the array that is called so.
    pub(super) fn element(&self, index: u32) -> Name {
        Name(Rc::new(Part::Element(self.clone(), index)))
    }

    /// Which of several objects is called so.
    pub(super) fn choice(&self) -> Name {
        Name(Rc::new(Part::Choice(self.clone())))
    }
}

impl From<String> for Name {
    fn from(name: String) -> Name {
        Name(Rc::new(Part::Own(name)))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Part::Own(name) => f.write_str(name),
            Part::Field(of, name) => write!(f, "{of}.{name}"),
            Part::Element(of, index) => write!(f, "{of}[{index}]"),
            Part::Choice(of) => write!(f, "(which object {of} is)"),
        }
    }
}
