//! Names of inputs as a program would write them. Most inputs are never shown, so a name is
//! assembled only on display.

use std::fmt;
use std::rc::Rc;

/// Access path such as `this.root.left`, `a[2]` or `s.length`.
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
    /// Name of a field of this object.
    pub(super) fn field(&self, name: &Rc<str>) -> Name {
        Name(Rc::new(Part::Field(self.clone(), name.clone())))
    }

    /// Name of an element of this array.
    pub(super) fn element(&self, index: u32) -> Name {
        Name(Rc::new(Part::Element(self.clone(), index)))
    }

    /// Name of the variable that selects one of several objects.
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
