//! Tests of Spring's controllers through `MockMvc`: which classes are controllers, and what such tests need.

use std::path::PathBuf;
use std::sync::Once;

use heapwright_jvm::Config;
use heapwright_jvm::classpath::ClassPath;
use heapwright_suite::exchange::JsonLibraries;
use heapwright_suite::junit::JunitOptions;
use heapwright_suite::{ModelError, Suite};
use heapwright_trial::{FilteredSuite, Purpose, TimePressure, Trial, find_exchanges, sift};

/// Libraries of tests, and the controllers that they are for.
pub struct MvcTests {
    class_path: ClassPath,
    /// Jars that are needed and are not there.
    missing: Vec<&'static str>,
    json: JsonLibraries,
    /// Notice of missing jars.
    notice: Once,
}

/// Jars that tests need, with classes of which each has one.
const NEEDED: [(&str, &[&str]); 4] = [
    (
        "spring-test",
        &["org/springframework/test/web/servlet/MockMvc"],
    ),
    (
        "spring-webmvc",
        &["org/springframework/web/servlet/DispatcherServlet"],
    ),
    (
        "jakarta.servlet-api",
        &["jakarta/servlet/Servlet", "javax/servlet/Servlet"],
    ),
    ("hamcrest", &["org/hamcrest/Matcher"]),
];

/// Parts of the constants of a controller's class file: annotations of the class or of its handlers.
const ANNOTATIONS: [&str; 2] = [
    "Lorg/springframework/web/bind/annotation/",
    "Lorg/springframework/stereotype/Controller;",
];

impl MvcTests {
    /// Looks for the libraries among those of the program and of its tests.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn new(libraries: &[PathBuf], config: &Config) -> anyhow::Result<MvcTests> {
        let entries = [&config.class_path[..], libraries].concat();
        let class_path = ClassPath::open(&entries, &[], config.jdk.feature)?;
        let has = |class: &str| class_path.find(class).is_ok_and(|found| found.is_some());
        let needed = NEEDED.iter();
        let missing = needed.filter(|(_, classes)| !classes.iter().any(|class| has(class)));
        Ok(MvcTests {
            missing: missing.map(|(jar, _)| *jar).collect(),
            json: JsonLibraries {
                has_json_path: has("com/jayway/jsonpath/JsonPath"),
                has_json_assert: has("org/skyscreamer/jsonassert/JSONAssert"),
            },
            class_path,
            notice: Once::new(),
        })
    }

    /// Tries a suite with requests in the place of calls. `None` if no request stands for a call, or if the
    /// time ends first, which a notice says.
    ///
    /// # Errors
    /// The suite violates its own invariant.
    pub fn sifted(
        &self,
        mut suite: Suite,
        options: &JunitOptions,
        trial: &mut Trial,
        haste: &TimePressure<'_>,
    ) -> Result<Option<FilteredSuite>, ModelError> {
        let class = suite.class_under_test.name.clone();
        let Some(libraries) = self.libraries_for(&class) else {
            return Ok(None);
        };
        if find_exchanges(&mut suite, options, libraries, trial, haste.gives_up)? {
            let sifted = sift(suite, Purpose::Regression, options, trial, haste)?;
            if sifted.is_whole() {
                return Ok(Some(sifted));
            }
        }
        if (haste.gives_up)() {
            notice!("{class}: --mvc: handlers are called without requests: the time was over");
        }
        Ok(None)
    }

    /// Libraries for the tests of a class, by its binary name, if it is a controller; a notice names what
    /// they lack.
    fn libraries_for(&self, class: &str) -> Option<JsonLibraries> {
        if !self.is_controller(class) {
            return None;
        }
        if !self.missing.is_empty() {
            self.notice.call_once(|| {
                notice!(
                    "{class}: --mvc: {} not on the class path of tests: handlers are called without requests",
                    self.missing.join(", ")
                );
            });
            return None;
        }
        Some(self.json)
    }

    fn is_controller(&self, class: &str) -> bool {
        let file = self.class_path.find(&class.replace('.', "/"));
        let Some((bytes, _)) = file.ok().flatten() else {
            return false;
        };
        let mut names = ANNOTATIONS.iter();
        names.any(|name| {
            bytes
                .windows(name.len())
                .any(|part| part == name.as_bytes())
        })
    }
}
