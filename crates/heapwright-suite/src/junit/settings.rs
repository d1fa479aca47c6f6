//! Members of a test class that put back the settings of the virtual machine which its tests change: a field
//! for the value before the test, and statements behind it.

use std::collections::BTreeSet;

use super::scope::Scope;
use crate::{Script, Setting, literal};

/// Release from which on code can ask for the authenticator.
const ASKS_FOR_AUTHENTICATOR: u32 = 9;

/// Members of the JDK that read and write a setting.
struct Accessors {
    /// Name of the setting in that of its field.
    name: &'static str,
    /// Class of its value.
    value: &'static str,
    /// Class with the members.
    owner: &'static str,
    /// Member that reads it; `OWNER` stands for that class here and below.
    reads: &'static str,
    /// Call that writes it, up to the value.
    writes: &'static str,
}

/// Fields with the values of settings before the test, and the statements that put them back.
pub(super) fn kept(scope: &mut Scope, scripts: &[&Script]) -> (String, String) {
    let settings: BTreeSet<&Setting> = scripts.iter().flat_map(|script| &script.settings).collect();
    let (mut fields, mut body) = (String::new(), String::new());
    let mut properties = 0;
    for setting in settings {
        match setting {
            Setting::Property(name) => {
                properties += 1;
                let field = match properties {
                    1 => "initialProperty".to_owned(),
                    number => format!("initialProperty{number}"),
                };
                let (text, system) = (scope.lang("String"), scope.lang("System"));
                let name = literal::string(name);
                fields +=
                    &format!("    private final {text} {field} = {system}.getProperty({name});\n");
                body += &format!(
                    "        if ({field} == null) {{\n            {system}.clearProperty({name});\n        }} \
                     else {{\n            {system}.setProperty({name}, {field});\n        }}\n"
                );
            }
            Setting::Interrupt => {
                body += &format!("        {}.interrupted();\n", scope.lang("Thread"));
            }
            Setting::Authenticator if scope.release < ASKS_FOR_AUTHENTICATOR => {}
            setting => {
                let Some(accessors) = accessors(setting) else {
                    continue;
                };
                let value = class_name(scope, accessors.value);
                let owner = class_name(scope, accessors.owner);
                let field = format!("initial{}", accessors.name);
                let reads = accessors.reads.replace("OWNER", &owner);
                let writes = accessors.writes.replace("OWNER", &owner);
                fields += &format!("    private final {value} {field} = {owner}.{reads};\n");
                body += &format!("        {owner}.{writes}{field});\n");
            }
        }
    }
    (fields, body)
}

/// Members that read and write a setting, if it is a value that code can ask for.
fn accessors(setting: &Setting) -> Option<Accessors> {
    let of = |name, value, owner, reads, writes| {
        Some(Accessors {
            name,
            value,
            owner,
            reads,
            writes,
        })
    };
    let of_default = |name, class| of(name, class, class, "getDefault()", "setDefault(");
    let of_locale = |name, reads, writes| of(name, LOCALE, LOCALE, reads, writes);
    let of_system = |name, value, reads, writes| of(name, value, "java.lang.System", reads, writes);
    let of_thread = |name, value, reads, writes| of(name, value, "java.lang.Thread", reads, writes);
    match setting {
        Setting::Property(_) | Setting::Interrupt => None,
        Setting::TimeZone => of_default("TimeZone", "java.util.TimeZone"),
        Setting::Locale => of_default("Locale", LOCALE),
        Setting::DisplayLocale => of_locale(
            "DisplayLocale",
            "getDefault(OWNER.Category.DISPLAY)",
            "setDefault(OWNER.Category.DISPLAY, ",
        ),
        Setting::FormatLocale => of_locale(
            "FormatLocale",
            "getDefault(OWNER.Category.FORMAT)",
            "setDefault(OWNER.Category.FORMAT, ",
        ),
        Setting::Properties => of_system(
            "Properties",
            "java.util.Properties",
            "getProperties()",
            "setProperties(",
        ),
        Setting::Output => of_system("Out", PRINT_STREAM, "out", "setOut("),
        Setting::ErrorOutput => of_system("Err", PRINT_STREAM, "err", "setErr("),
        Setting::Input => of_system("In", "java.io.InputStream", "in", "setIn("),
        Setting::ExceptionHandler => of_thread(
            "ExceptionHandler",
            "java.lang.Thread.UncaughtExceptionHandler",
            "getDefaultUncaughtExceptionHandler()",
            "setDefaultUncaughtExceptionHandler(",
        ),
        Setting::Authenticator => of_default("Authenticator", "java.net.Authenticator"),
        Setting::ProxySelector => of_default("ProxySelector", "java.net.ProxySelector"),
        Setting::CookieHandler => of_default("CookieHandler", "java.net.CookieHandler"),
        Setting::ResponseCache => of_default("ResponseCache", "java.net.ResponseCache"),
        Setting::ContextLoader => of_thread(
            "ContextLoader",
            "java.lang.ClassLoader",
            "currentThread().getContextClassLoader()",
            "currentThread().setContextClassLoader(",
        ),
    }
}

const LOCALE: &str = "java.util.Locale";
const PRINT_STREAM: &str = "java.io.PrintStream";

/// Name of a class of the JDK in the file, which imports it.
fn class_name(scope: &mut Scope, class: &str) -> String {
    let Some(name) = class.strip_prefix("java.lang.") else {
        return scope.import(class);
    };
    match name.split_once('.') {
        Some((outer, member)) => format!("{}.{member}", scope.lang(outer)),
        None => scope.lang(name),
    }
}
