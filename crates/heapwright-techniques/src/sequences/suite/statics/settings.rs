//! Settings of the virtual machine that a run leaves changed: the default time zone, system properties and
//! the like, which all code in a JVM shares as it shares static fields.
//!
//! Invariant: a setting counts as changed if code can tell it from what it was. What public methods cannot put
//! back has a reason instead.

use std::collections::BTreeMap;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::Setting;
use rustc_hash::FxHashSet;

use super::state::{is_fixed, spots};

/// Settings that are static fields of the JDK.
const FIELDS: [(Setting, &str, &str); 8] = [
    (Setting::Output, SYSTEM, "out"),
    (Setting::ErrorOutput, SYSTEM, "err"),
    (Setting::Input, SYSTEM, "in"),
    (
        Setting::ExceptionHandler,
        THREAD,
        "defaultUncaughtExceptionHandler",
    ),
    (
        Setting::Authenticator,
        "java/net/Authenticator",
        "theAuthenticator",
    ),
    (
        Setting::ProxySelector,
        "java/net/ProxySelector",
        "theProxySelector",
    ),
    (
        Setting::CookieHandler,
        "java/net/CookieHandler",
        "cookieHandler",
    ),
    (
        Setting::ResponseCache,
        "java/net/ResponseCache",
        "theResponseCache",
    ),
];

/// Settings that the JDK computes when they are first asked for, with their class and field, and the
/// category of the locale.
const DEFAULTS: [(Setting, &str, &str, Option<&str>); 4] = [
    (Setting::TimeZone, TIME_ZONE, "defaultTimeZone", None),
    (Setting::Locale, LOCALE, "defaultLocale", None),
    (
        Setting::DisplayLocale,
        LOCALE,
        "defaultDisplayLocale",
        Some("DISPLAY"),
    ),
    (
        Setting::FormatLocale,
        LOCALE,
        "defaultFormatLocale",
        Some("FORMAT"),
    ),
];

/// Static fields of the JDK that can be set once in a JVM, and the methods that do so.
const SET_ONCE: [(&str, &str, &str); 4] = [
    ("java/net/URL", "factory", "setURLStreamHandlerFactory"),
    (
        "java/net/URLConnection",
        "factory",
        "setContentHandlerFactory",
    ),
    ("java/net/Socket", "factory", "setSocketImplFactory"),
    ("java/net/ServerSocket", "factory", "setSocketFactory"),
];

const SYSTEM: &str = "java/lang/System";
const THREAD: &str = "java/lang/Thread";
const TIME_ZONE: &str = "java/util/TimeZone";
const LOCALE: &str = "java/util/Locale";
const PROPERTIES: &str = "java/util/Properties";

/// System property of the default time zone.
const ZONE: &str = "user.timezone";

/// Fields of a thread.
const LOADER: &str = "contextClassLoader";
const INTERRUPTED: &str = "interrupted";

/// Maximum number of system properties that are put back one by one.
const MAX_PROPERTIES: usize = 16;
/// Maximum number of places examined in the system properties.
const MAX_PLACES: usize = 100_000;

/// Settings as they are before tests.
#[derive(Debug, Default)]
pub(in crate::sequences::suite) struct SettingsBefore {
    /// Values of [`FIELDS`]; `None` if the class was not initialised.
    fields: Vec<Option<u64>>,
    /// Values of [`DEFAULTS`]; 0 for those that were not computed.
    defaults: Vec<u64>,
    properties: u64,
    /// Values of all places that are reachable from the system properties.
    places: Vec<u64>,
    /// The system properties; `None` if they cannot be read.
    texts: Option<BTreeMap<String, String>>,
    /// Context class loader of the thread.
    loader: Option<u64>,
}

impl SettingsBefore {
    /// Reads the settings of a machine that runs nothing.
    pub(in crate::sequences::suite) fn read(vm: &mut Vm) -> SettingsBefore {
        let initialized = vm.initialized_classes();
        let fields = FIELDS.iter().map(|&(_, class, field)| {
            let class = vm.loaded_class(class)?;
            initialized
                .contains(&class)
                .then(|| static_slot(vm, class, field))?
        });
        let fields = fields.collect();
        let defaults = DEFAULTS.iter().map(|&(_, class, field, _)| {
            let class = vm.loaded_class(class);
            let slot = class.and_then(|class| static_slot(vm, class, field));
            slot.unwrap_or_default()
        });
        let defaults = defaults.collect();
        let properties = properties(vm).slot();
        SettingsBefore {
            fields,
            defaults,
            properties,
            places: places(vm, Ref::from_slot(properties)),
            texts: texts(vm, Ref::from_slot(properties)),
            loader: thread_field(vm, LOADER).map(|(thread, word)| vm.heap.field(thread, word)),
        }
    }

    /// Returns the settings that differ at the end of a run.
    ///
    /// # Errors
    /// The reason why one cannot be put back.
    pub(in crate::sequences::suite) fn changed(&self, vm: &mut Vm) -> Result<Vec<Setting>, String> {
        for (class, field, method) in SET_ONCE {
            let class_id = vm.loaded_class(class);
            let slot = class_id.and_then(|class| static_slot(vm, class, field));
            if slot.is_some_and(|slot| slot != 0) {
                let class = class.replace('/', ".");
                return Err(format!(
                    "it calls {class}.{method}, which can be called once in a JVM"
                ));
            }
        }
        let mut changed = Vec::new();
        for (row, &before) in DEFAULTS.iter().zip(&self.defaults) {
            let (setting, class, field, category) = row;
            let Some(class) = vm.loaded_class(class) else {
                continue;
            };
            let slot = static_slot(vm, class, field).unwrap_or_default();
            if slot == before || slot == 0 {
                continue;
            }
            let initial = match before {
                0 => vm.with_mark(|vm| {
                    self.put_back(vm);
                    default_text(vm, class, *category)
                }),
                before => text_of(vm, Ref::from_slot(before)),
            };
            if text_of(vm, Ref::from_slot(slot)) != initial {
                changed.push(setting.clone());
            }
        }
        // To put it back sets the locales of all categories.
        if changed.contains(&Setting::Locale) {
            changed.extend([Setting::DisplayLocale, Setting::FormatLocale]);
        }
        for ((setting, class, field), before) in FIELDS.iter().zip(&self.fields) {
            let class = vm.loaded_class(class);
            let Some(slot) = class.and_then(|class| static_slot(vm, class, field)) else {
                continue;
            };
            let is_changed = match before {
                Some(before) => slot != *before,
                None => slot != 0 && !is_internal(vm, Ref::from_slot(slot)),
            };
            if is_changed {
                changed.push(setting.clone());
            }
        }
        let now = properties(vm).slot();
        if now != self.properties {
            changed.push(Setting::Properties);
        }
        changed.extend(
            self.changed_properties(vm)?
                .into_iter()
                .map(Setting::Property),
        );
        let is_other = |field, before| {
            let place = thread_field(vm, field);
            place.is_some_and(|(thread, word)| vm.heap.field(thread, word) != before)
        };
        if self.loader.is_some_and(|before| is_other(LOADER, before)) {
            changed.push(Setting::ContextLoader);
        }
        if is_other(INTERRUPTED, 0) {
            changed.push(Setting::Interrupt);
        }
        changed.sort();
        changed.dedup();
        Ok(changed)
    }

    /// Returns the names of the system properties that differ at the end of a run.
    fn changed_properties(&self, vm: &mut Vm) -> Result<Vec<String>, String> {
        let object = Ref::from_slot(self.properties);
        if places(vm, object) == self.places {
            return Ok(Vec::new());
        }
        let (Some(before), Some(now)) = (&self.texts, texts(vm, object)) else {
            return Err("it changes system properties that cannot be read".to_owned());
        };
        let names = before.keys().chain(now.keys());
        let is_other = |name: &String| before.get(name) != now.get(name);
        // The first question for the default time zone sets its property.
        let zones = vm.loaded_class(TIME_ZONE);
        let zone = zones.and_then(|zones| static_slot(vm, zones, "defaultTimeZone"));
        let has_zone = zone.is_some_and(|zone| zone != 0);
        let is_computed = |name: &String| {
            has_zone && name == ZONE && before.get(name).is_none_or(String::is_empty)
        };
        let mut names: Vec<String> = names
            .filter(|name| is_other(name) && !is_computed(name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        match names.len() {
            0..=MAX_PROPERTIES => Ok(names),
            many => Err(format!("it changes {many} system properties")),
        }
    }

    /// Sets the settings as they were.
    pub(in crate::sequences::suite) fn put_back(&self, vm: &mut Vm) {
        let properties = Ref::from_slot(self.properties);
        let zone = ZONE.to_owned();
        let changed = self.changed_properties(vm).unwrap_or_default();
        for name in changed.iter().chain([&zone]) {
            let before = self.texts.as_ref().and_then(|texts| texts.get(name));
            set_property(vm, properties, name, before.map(String::as_str));
        }
        let fields = FIELDS.iter().zip(&self.fields);
        let fields =
            fields.filter_map(|((_, class, field), before)| Some((*class, *field, (*before)?)));
        let defaults = DEFAULTS.iter().zip(&self.defaults);
        let defaults = defaults.map(|((_, class, field, _), before)| (*class, *field, *before));
        let properties = [(SYSTEM, "props", self.properties)];
        for (class, field, before) in fields.chain(defaults).chain(properties) {
            let class = vm.loaded_class(class);
            let field = class.and_then(|class| vm.find_field(class, field));
            if let Some(word) = field.map(|field| field.word) {
                vm.heap.store(word, before);
            }
        }
        for (field, before) in [(LOADER, self.loader), (INTERRUPTED, Some(0))] {
            if let (Some((thread, word)), Some(before)) = (thread_field(vm, field), before) {
                vm.heap.set_field(thread, word, before);
            }
        }
    }
}

/// Value of a static field.
fn static_slot(vm: &Vm, class: ClassId, field: &str) -> Option<u64> {
    let field = vm.find_field(class, field);
    let field = field.filter(|field| field.is_static())?;
    Some(vm.heap.load(field.word))
}

/// The object with the system properties; null if there is none.
fn properties(vm: &Vm) -> Ref {
    let system = vm.loaded_class(SYSTEM);
    let slot = system.and_then(|system| static_slot(vm, system, "props"));
    Ref::from_slot(slot.unwrap_or_default())
}

/// The thread that runs, and the word of one of its fields.
fn thread_field(vm: &Vm, field: &str) -> Option<(Ref, u32)> {
    let thread = vm.current_thread();
    let field = vm.find_field(vm.heap.class_of(thread), field);
    let field = field.filter(|field| !field.is_static())?;
    Some((thread, field.word))
}

/// Whether an object is of a class that only the JDK itself makes.
fn is_internal(vm: &Vm, object: Ref) -> bool {
    let class = vm.class_name(vm.heap.class_of(object));
    class.starts_with("sun/") || class.starts_with("jdk/internal/")
}

/// Values of all places that are reachable from an object.
fn places(vm: &Vm, object: Ref) -> Vec<u64> {
    let mut seen = FxHashSet::default();
    let (mut open, mut found) = (vec![object], Vec::new());
    while let Some(object) = open.pop()
        && found.len() < MAX_PLACES
    {
        if is_fixed(vm, object) || !seen.insert(object) {
            continue;
        }
        for (spot, kind) in spots(vm, object, |_| true) {
            let slot = spot.slot(vm);
            found.push(slot);
            if kind == Kind::Reference {
                open.push(Ref::from_slot(slot));
            }
        }
    }
    found
}

/// Calls a method, looks at its result, and undoes the call; `None` if it does not return.
fn called<T>(
    vm: &mut Vm,
    method: Option<MethodId>,
    arguments: &[u64],
    look: impl FnOnce(&mut Vm, u64) -> Option<T>,
) -> Option<T> {
    let method = method?;
    vm.with_mark(|vm| {
        vm.initialize_now(vm.method(method).class).ok()?;
        match vm.call_fully(method, arguments) {
            Ok(slot) => look(vm, slot),
            Err(_) => {
                vm.abandon();
                None
            }
        }
    })
}

/// What code can tell of a default, which is computed if it was not.
fn default_text(vm: &mut Vm, class: ClassId, category: Option<&str>) -> Option<String> {
    let of_class = descriptor::of_class(vm.class_name(class));
    let Some(category) = category else {
        let asks = vm.declared_method(class, "getDefault", &format!("(){of_class}"));
        return called(vm, asks, &[], |vm, slot| text_of(vm, Ref::from_slot(slot)));
    };
    let categories = vm.load_class("java/util/Locale$Category").ok()?;
    let taken = descriptor::of_class(vm.class_name(categories));
    let asks = vm.declared_method(class, "getDefault", &format!("({taken}){of_class}"));
    vm.with_mark(|vm| {
        vm.initialize_now(categories).ok()?;
        let category = static_slot(vm, categories, category)?;
        called(vm, asks, &[category], |vm, slot| {
            text_of(vm, Ref::from_slot(slot))
        })
    })
}

/// What code can tell of a time zone or a locale.
fn text_of(vm: &mut Vm, object: Ref) -> Option<String> {
    let class = vm.heap.class_of(object);
    let zones = vm.loaded_class(TIME_ZONE);
    if let Some(zones) = zones.filter(|zones| vm.is_subclass(class, *zones)) {
        let word = vm.find_field(zones, "ID")?.word;
        let id = Ref::from_slot(vm.heap.field(object, word));
        let id = (!id.is_null()).then(|| vm.string_text(id));
        return Some(format!("{} {id:?}", vm.class_name(class)));
    }
    let shown = vm.declared_method(class, "toLanguageTag", "()Ljava/lang/String;");
    called(vm, shown, &[object.slot()], |vm, slot| {
        Some(vm.string_text(Ref::from_slot(slot)))
    })
}

/// Names and values of properties that are texts.
fn texts(vm: &mut Vm, properties: Ref) -> Option<BTreeMap<String, String>> {
    if properties.is_null() {
        return None;
    }
    let class = vm.load_class(PROPERTIES).ok()?;
    let names = vm.declared_method(class, "stringPropertyNames", "()Ljava/util/Set;");
    let value = "(Ljava/lang/String;)Ljava/lang/String;";
    let value = vm.declared_method(class, "getProperty", value);
    let collection = vm.load_class("java/util/Collection").ok()?;
    let to_array = vm.declared_method(collection, "toArray", "()[Ljava/lang/Object;")?;
    called(vm, names, &[properties.slot()], |vm, names| {
        let class = vm.heap.class_of(Ref::from_slot(names));
        let to_array = vm.select(class, to_array);
        called(vm, to_array, &[names], |vm, array| {
            let array = Ref::from_slot(array);
            let mut texts = BTreeMap::new();
            for (spot, _) in spots(vm, array, |_| true) {
                let name = spot.slot(vm);
                let text = called(vm, value, &[properties.slot(), name], |vm, text| {
                    Some(vm.string_text(Ref::from_slot(text)))
                });
                texts.insert(vm.string_text(Ref::from_slot(name)), text?);
            }
            Some(texts)
        })
    })
}

/// Sets a property, or removes it.
fn set_property(vm: &mut Vm, properties: Ref, name: &str, value: Option<&str>) {
    let Ok(class) = vm.load_class(PROPERTIES) else {
        return;
    };
    let (method, descriptor) = match value {
        Some(_) => (
            "put",
            "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        ),
        None => ("remove", "(Ljava/lang/Object;)Ljava/lang/Object;"),
    };
    let method = vm.declared_method(class, method, descriptor);
    let mut arguments = vec![properties.slot()];
    for text in [Some(name), value].into_iter().flatten() {
        let Ok(text) = vm.new_string(text) else {
            return;
        };
        arguments.push(text.slot());
    }
    // A property that cannot be set makes tests behind it count as disturbed.
    if let Some(method) = method
        && vm.call_fully(method, &arguments).is_err()
    {
        vm.abandon();
    }
}
