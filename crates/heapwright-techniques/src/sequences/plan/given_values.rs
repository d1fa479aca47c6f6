//! Values that a user gives: for the makers of a class, for parameters and fields of a class by their
//! names, or for all of a name.
//!
//! **Invariant:** arguments range over other values, too, so that nothing is claimed of them.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::property_of;

use super::SearchPlan;
use crate::Error;
use crate::adjust::{Adjustment, Setting, SettingValue, slots};
use crate::sequences::callables::jdk_values::Makers;
use crate::statements::{CallKind, Invokable, MethodCall, StatementKind};
use crate::symbolic::{Contents, InputValue, RunInput};
use crate::target::find_class;

/// First words of the names of static methods that make an object of what they take.
const FACTORIES: [&str; 5] = ["of", "value", "parse", "from", "create"];

/// A value that a user gives to an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GivenValue {
    /// The characters of a string.
    Text(Vec<u16>),
    /// The slot of a primitive, of one in a box, too.
    Slot(u64),
}

impl GivenValue {
    /// Returns a value of an input in the form of a user's; `None` for those that no user gives.
    #[must_use]
    pub fn of(value: &InputValue, input: &RunInput) -> Option<GivenValue> {
        match value {
            InputValue::Primitive(_, slot) => Some(GivenValue::Slot(*slot)),
            InputValue::Object(object) => match &input.objects[*object].contents {
                Contents::Text(units) => Some(GivenValue::Text(units.clone())),
                Contents::Fields(fields) => match fields[..] {
                    [(.., InputValue::Primitive(_, slot))] => Some(GivenValue::Slot(slot)),
                    _ => None,
                },
                Contents::Elements(_) => None,
            },
            _ => None,
        }
    }

    /// Whether a value of an input is one of those that a user gives.
    #[must_use]
    pub fn is_among(given: &[GivenValue], value: &InputValue, input: &RunInput) -> bool {
        !given.is_empty()
            && GivenValue::of(value, input).is_some_and(|value| given.contains(&value))
    }
}

/// What a list of values is for.
enum Recipient {
    /// Arguments of a type, or of what makes objects of it.
    Class(ClassId),
    /// Parameters and fields of a class with this name.
    Member(ClassId, String),
    /// All parameters and fields with this name.
    Name(String),
}

/// The values that a user gives.
#[derive(Default)]
pub(super) struct GivenValues<'r>(Vec<(Recipient, &'r [SettingValue])>);

/// Checks that the values which a user gives fit what they are for. Classes that are not there are passed
/// over if the values are for several class paths.
///
/// # Errors
/// A class, parameter or field is not there, or a value does not fit it.
pub fn check_given(vm: &mut Vm, given: &[Adjustment], is_of_many: bool) -> Result<(), Error> {
    for one in given {
        match recipient(vm, one) {
            Ok(recipient) => check(vm, &recipient, one)?,
            Err(Error::Setting { candidates, .. }) if is_of_many && !candidates.is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl<'r> GivenValues<'r> {
    /// Finds what values are for. Those for classes that are not there are left out.
    pub fn of(vm: &mut Vm, given: &'r [Adjustment]) -> GivenValues<'r> {
        let found = given.iter().filter_map(|one| {
            let recipient = recipient(vm, one).ok()?;
            Some((recipient, values(one)))
        });
        GivenValues(found.collect())
    }

    /// Returns the values for a parameter of an invokable. Those for a class and a name come before those
    /// for a class, and these before those for a name alone.
    pub fn of_parameter(&self, vm: &Vm, invokable: &Invokable, place: usize) -> Vec<GivenValue> {
        let taken = &invokable.parameters[place];
        if taken.is_receiver || self.0.is_empty() {
            return Vec::new();
        }
        let owners = owners(vm, invokable, place);
        let names = [Some(taken.name.clone()), property(vm, invokable)];
        let has_name = |name: &String| names.iter().flatten().any(|own| own == name);
        let made = made_of_one(vm, invokable);
        let rank = |recipient: &Recipient| match recipient {
            Recipient::Member(class, name) => {
                (owners.contains(class) && has_name(name)).then_some(0)
            }
            Recipient::Class(class) => {
                let is_type = is_value_class(vm.class_name(*class))
                    && leaf(&taken.descriptor) == descriptor::of_class(vm.class_name(*class));
                (is_type || made == Some(*class)).then_some(1)
            }
            Recipient::Name(name) => has_name(name).then_some(2),
        };
        let fitting = self.0.iter().filter_map(|(recipient, values)| {
            let rank = rank(recipient)?;
            let values = values.iter();
            let values = values.filter_map(|value| converted(&taken.descriptor, value));
            let values: Vec<GivenValue> = values.flatten().collect();
            (!values.is_empty()).then_some((rank, values))
        });
        let best = fitting.min_by_key(|(rank, _)| *rank);
        best.map_or_else(Vec::new, |(_, values)| values)
    }

    /// Returns what makes objects of the classes that have values, where invokables take such and the
    /// classes are none of the system.
    pub fn makers(&self, vm: &Vm, plan: &SearchPlan, system: &[ClassId]) -> Makers {
        let mut makers = Makers::default();
        for (recipient, values) in &self.0 {
            if let Recipient::Class(class) = *recipient
                && !system.contains(&class)
                && plan.is_taken(vm, class)
                && let Some(maker) = maker_of(vm, class, values)
            {
                makers.methods.push((class, maker));
            }
        }
        makers
    }
}

fn values(given: &Adjustment) -> &[SettingValue] {
    match &given.setting {
        Setting::Items(values) => values,
        Setting::Array { .. } => &[],
    }
}

/// Finds what a list of values is for.
fn recipient(vm: &mut Vm, given: &Adjustment) -> Result<Recipient, Error> {
    let key = &given.key[..];
    let is_name = |text: &str| {
        let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        !text.starts_with(|letter: char| letter.is_ascii_digit())
            && !text.is_empty()
            && text.chars().all(is_inside)
    };
    if !key.split('.').all(is_name) {
        let reason = "values are for a class, a parameter or field of a class, or a name, as pkg.Iban, \
                      pkg.User.email or email";
        return Err(given.located_error(reason.to_owned()));
    }
    if Kind::NEWARRAY.iter().any(|kind| kind.keyword() == key) {
        let reason = format!(
            "values of a primitive type are for parameters by their names; `values = [\"{key}=…\"]` of a verb \
             restricts the type"
        );
        return Err(given.located_error(reason));
    }
    let is_upper = |text: &str| text.starts_with(char::is_uppercase);
    let Some((class, name)) = key.rsplit_once('.') else {
        return match is_upper(key) {
            true => Ok(Recipient::Class(given.class(vm, key)?)),
            false => Ok(Recipient::Name(key.to_owned())),
        };
    };
    match find_class(vm, key) {
        Ok(class) => Ok(Recipient::Class(class)),
        Err(_) if is_upper(name) => Ok(Recipient::Class(given.class(vm, key)?)),
        Err(_) => Ok(Recipient::Member(given.class(vm, class)?, name.to_owned())),
    }
}

/// Checks that each value fits what it is for.
fn check(vm: &mut Vm, recipient: &Recipient, given: &Adjustment) -> Result<(), Error> {
    let values = values(given);
    match recipient {
        Recipient::Name(_) => Ok(()),
        Recipient::Member(class, name) => {
            let all = members(vm, *class);
            let own = all.iter().filter(|(known, _)| known == name);
            let own: Vec<&str> = own.map(|(_, of)| &of[..]).collect();
            if own.is_empty() {
                let class = vm.binary_name(*class);
                let reason = format!("class {class} has no parameter or field {name}");
                let names = all.into_iter().map(|(name, _)| name).collect();
                return Err(given.not_found(reason, name, names));
            }
            let fits = |value: &&SettingValue| own.iter().any(|of| converted(of, value).is_some());
            all_fit(given, values, fits, &descriptor::to_java(own[0]))
        }
        Recipient::Class(class) if is_value_class(vm.class_name(*class)) => {
            let own = descriptor::of_class(vm.class_name(*class));
            let fits = |value: &&SettingValue| converted(&own, value).is_some();
            all_fit(given, values, fits, &descriptor::to_java(&own))
        }
        Recipient::Class(class) if vm.class(*class).flags & flags::ENUM != 0 => {
            let reason = "it is an enum, of which all constants are tried";
            Err(given.located_error(reason.to_owned()))
        }
        Recipient::Class(class) => {
            let lacks = "no constructor and no static method of, valueOf, parse, from… or create makes one of \
                         each of these values alone";
            match maker_of(vm, *class, values) {
                Some(_) => Ok(()),
                None => Err(given.located_error(lacks.to_owned())),
            }
        }
    }
}

/// Checks that all values fit a type.
fn all_fit(
    given: &Adjustment,
    values: &[SettingValue],
    fits: impl Fn(&&SettingValue) -> bool,
    java: &str,
) -> Result<(), Error> {
    match values.iter().find(|value| !fits(value)) {
        Some(value) => Err(given.located_error(format!("{} is no {java}", value.text()))),
        None => Ok(()),
    }
}

/// Returns the names of the parameters and fields of a class, with their types.
fn members(vm: &Vm, class: ClassId) -> Vec<(String, String)> {
    let mut members = Vec::new();
    for field in &vm.class(class).fields {
        members.push((
            vm.text(field.name).to_owned(),
            vm.text(field.descriptor).to_owned(),
        ));
    }
    for &method in &vm.class(class).methods {
        let call = MethodCall::of(vm, class, method);
        let invokable = Invokable::of_call(vm, call);
        let property = property(vm, &invokable);
        for taken in invokable.parameters.iter().filter(|one| !one.is_receiver) {
            let names = [Some(taken.name.clone()), property.clone()];
            let names = names.into_iter().flatten();
            members.extend(names.map(|name| (name, taken.descriptor.clone())));
        }
    }
    members.sort();
    members.dedup();
    members
}

/// Returns the classes through whose members an invokable takes a parameter.
fn owners(vm: &Vm, invokable: &Invokable, place: usize) -> Vec<ClassId> {
    if let Some(field) = &invokable.parameters[place].injects {
        return vec![field.class];
    }
    match &invokable.kind {
        StatementKind::Call(call) => vec![call.class, vm.method(call.method).class],
        StatementKind::StoreField(field) => vec![field.class],
        _ => Vec::new(),
    }
}

/// Returns the property that a call sets: `email` of `setEmail`.
fn property(vm: &Vm, invokable: &Invokable) -> Option<String> {
    let StatementKind::Call(call) = invokable.kind else {
        return None;
    };
    let is_setter = invokable.parameters.len() == 2 && call.has_receiver();
    property_of(vm.text(vm.method(call.method).name), "set").filter(|_| is_setter)
}

/// Returns the class of which an invokable makes an object, if it takes one value for that.
fn made_of_one(vm: &Vm, invokable: &Invokable) -> Option<ClassId> {
    let StatementKind::Call(call) = invokable.kind else {
        return None;
    };
    let is_one = invokable.parameters.len() == 1 && is_maker(vm, call.class, call.method);
    is_one.then_some(call.class)
}

/// Whether a method is a constructor, or a static method whose name and result say that it makes objects
/// of its class.
fn is_maker(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let call = MethodCall::of(vm, class, method);
    let this = vm.method(method);
    let (name, own) = (vm.text(this.name), vm.class_name(class));
    let result = descriptor::split_method(vm.text(this.descriptor)).map(|(_, result)| result);
    match call.kind {
        CallKind::Constructor => true,
        CallKind::Static => {
            let first = name.split(char::is_uppercase).next();
            first.is_some_and(|first| FACTORIES.contains(&first))
                && result == Some(&descriptor::of_class(own))
        }
        CallKind::Instance => false,
    }
}

/// Returns what makes an object of a class of each of some values, a static method rather than a
/// constructor, and none that is private.
fn maker_of(vm: &Vm, class: ClassId, values: &[SettingValue]) -> Option<MethodId> {
    let is_abstract = vm.class(class).is_abstract();
    let own = vm.class(class).methods.iter().copied();
    let fitting = own.filter(|&method| {
        let this = vm.method(method);
        let is_made = this.flags & (flags::PRIVATE | flags::SYNTHETIC) == 0
            && is_maker(vm, class, method)
            && (this.is_static() || !is_abstract);
        let parameters = descriptor::split_method(vm.text(this.descriptor));
        let parameters = parameters.map(|(parameters, _)| parameters);
        match parameters.as_deref() {
            Some([taken]) => {
                let fits = |value: &SettingValue| converted(taken, value).is_some();
                is_made && !taken.starts_with('[') && values.iter().all(fits)
            }
            _ => false,
        }
    });
    fitting.min_by_key(|&method| !vm.method(method).is_static())
}

/// Returns the type of the values in an argument: of an array those of its elements.
fn leaf(descriptor: &str) -> &str {
    descriptor.trim_start_matches('[')
}

/// Returns what a user's value is as an argument of a type, or as an element or the content of one; `None`
/// if it is none. A range is several.
fn converted(descriptor: &str, value: &SettingValue) -> Option<Vec<GivenValue>> {
    let leaf = leaf(descriptor);
    let name = descriptor::class_name(leaf);
    let kind = match Kind::of(leaf) {
        Kind::Reference => Kind::of_box(name),
        kind => Some(kind),
    };
    match (kind, value) {
        (Some(kind), _) => {
            let slots = slots(kind, &Setting::Items(vec![value.clone()])).ok()?;
            Some(slots.into_iter().map(GivenValue::Slot).collect())
        }
        (None, SettingValue::Text(text)) => {
            let is_text = matches!(name, "java/lang/String" | "java/lang/CharSequence");
            is_text.then(|| vec![GivenValue::Text(text.encode_utf16().collect())])
        }
        _ => None,
    }
}
