//! Names of inputs as a program would write them. Most inputs are never shown, so a name is
//! assembled only on display.

use std::fmt;
use std::rc::Rc;

/// Access path such as `this.root.left`, `a[2]` or `s.length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Rc<NamePart>);

#[derive(Debug, PartialEq, Eq)]
enum NamePart {
    Own(String),
    Field(Name, Rc<str>),
    Element(Name, u32),
    Choice(Name),
}

impl Name {
    /// Name of a field of this object.
    pub(super) fn field(&self, name: &Rc<str>) -> Name {
        Name(Rc::new(NamePart::Field(self.clone(), name.clone())))
    }

    /// Name of an element of this array.
    pub(super) fn element(&self, index: u32) -> Name {
        Name(Rc::new(NamePart::Element(self.clone(), index)))
    }

    /// Name of the variable that selects one of several objects.
    pub(super) fn choice(&self) -> Name {
        Name(Rc::new(NamePart::Choice(self.clone())))
    }
}

impl From<String> for Name {
    fn from(name: String) -> Name {
        Name(Rc::new(NamePart::Own(name)))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            NamePart::Own(name) => f.write_str(name),
            NamePart::Field(of, name) => write!(f, "{of}.{name}"),
            NamePart::Element(of, index) => write!(f, "{of}[{index}]"),
            NamePart::Choice(of) => write!(f, "(which object {of} is)"),
        }
    }
}
