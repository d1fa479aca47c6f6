//! `generate --mvc`: tests of Spring's controllers that make requests.

use std::path::{Path, PathBuf};
use std::process::Output;

use heapwright_testkit::fixtures::{compile, files};
use heapwright_testkit::jars::resolved_together;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use tempfile::TempDir;

use crate::common::{program, sources_of, text};

/// Libraries of the program, and of its tests.
const PROGRAM: [&str; 4] = [
    "org.springframework:spring-webmvc:6.1.18",
    "com.fasterxml.jackson.core:jackson-databind:2.17.3",
    "com.fasterxml.jackson.datatype:jackson-datatype-jsr310:2.17.3",
    "jakarta.servlet:jakarta.servlet-api:6.0.0",
];
const TESTS: [&str; 4] = [
    "org.springframework:spring-test:6.1.18",
    "com.jayway.jsonpath:json-path:2.9.0",
    "org.hamcrest:hamcrest:2.2",
    "org.mockito:mockito-core:5.11.0",
];

/// Generates tests of classes into a new folder, which has the classes `sources`, too.
fn generate(
    sources: &[PathBuf],
    libraries: &[PathBuf],
    arguments: &[&str],
) -> (TempDir, Output, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    let options = ["-g", "-parameters", "--release", "17"];
    compile(&compilers()[0], sources, libraries, &classes, &options);
    let class_path = [&[classes][..], libraries].concat();
    let output = program()
        .current_dir(folder.path())
        .args(["generate", "--no-config", "-o", "tests", "--mvc"])
        .args(["-j", "1", "--time-per-class", "120s", "-p"])
        .arg(std::env::join_paths(class_path).unwrap())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .args(arguments)
        .output()
        .unwrap();
    let tests = match folder.path().join("tests").is_dir() {
        true => files(&folder.path().join("tests"), "java"),
        false => Vec::new(),
    };
    let tests = tests.iter().map(std::fs::read_to_string);
    let tests = tests.map(Result::unwrap).collect();
    (folder, output, tests)
}

/// Number of tests in a folder that pass.
fn pass(folder: &Path, libraries: &[PathBuf]) -> usize {
    let built = folder.join("built");
    let further = [libraries, &[folder.join("classes")]].concat();
    let class_path = [&further[..], &[junit::jars().console]].concat();
    let tests = files(&folder.join("tests"), "java");
    let options = ["--release", "17"];
    compile(&compilers()[0], &tests, &class_path, &built, &options);
    let java = compilers()[0].home.join("bin/java");
    let report = junit::run_console_with(&java, &[built], &further);
    assert_eq!(report.failed, 0, "{}", report.output);
    report.succeeded
}

/// A path, a body and a status; what the collaborator is told is verified still.
const CREATED: &str = r#"
            mockMvc.perform(post("/pets")
                            .contentType(MediaType.APPLICATION_JSON)
                            .content("{\"name\":\"Bob\",\"species\":\"CAT\"}"))
                    .andExpect(status().isCreated())
                    .andExpect(header().string("Location", "/pets/4"))
                    .andExpect(jsonPath("$.id").value(4))
                    .andExpect(jsonPath("$.name").value("Bob"))
                    .andExpect(jsonPath("$.species").value("CAT"))
                    .andExpect(jsonPath("$.born.length()").value(3))
                    .andExpect(jsonPath("$.born[0]").value(2024))
                    .andExpect(jsonPath("$.born[1]").value(12))
                    .andExpect(jsonPath("$.born[2]").value(1));

            verify(pets).save(newPet);
"#;
/// An exception with a status of its own.
const MISSING: &str = r#"
        @DisplayName("get with 13 when findById is empty responds with 404")
        void get_whenFindByIdIsEmpty_with13_isNotFound() throws Exception {
            Optional<Pet> optional = Optional.empty();
            when(pets.findById(13L)).thenReturn(optional);
            MockMvc mockMvc = MockMvcBuilders.standaloneSetup(petController).build();

            mockMvc.perform(get("/pets/{id}", 13))
                    .andExpect(status().isNotFound());
        }
"#;
/// A header and parameters.
const PARTS: [&str; 2] = [
    r#"mockMvc.perform(delete("/pets/{id}", 3).header("X-Reason", "some text"))"#,
    r#"mockMvc.perform(get("/pets").param("owner", "Carol").param("upper", "true"))"#,
];
/// An exception that no status stands for stays a call.
const CALLS: [&str; 1] = ["() -> petController.delete(3L, \"\"));"];
/// The model, of which the call needs a mock, and a redirection.
const PAGES: [&str; 2] = [
    r#"
        MockMvc mockMvc = MockMvcBuilders.standaloneSetup(petPages).build();

        mockMvc.perform(get("/pages/pets/{id}", 23))
                .andExpect(status().isOk())
                .andExpect(view().name("pets/show"))
                .andExpect(model().attribute("pet", pet))
                .andExpect(model().attribute("title", "Pet Ann"));
    }
"#,
    r#"
        mockMvc.perform(post("/pages/pets/{id}/remove", 30).param("back", "A1"))
                .andExpect(status().isFound())
                .andExpect(redirectedUrl("/A1"));

        verify(pets).delete(30L);
"#,
];

#[test]
#[ignore = "servers: downloads Spring"]
fn tests_of_controllers_make_requests() {
    let (program, tests) = (resolved_together(&PROGRAM), resolved_together(&TESTS));
    let libraries = [&program[..], &tests].concat();
    let of_tests = std::env::join_paths(&tests).unwrap();
    let of_tests = of_tests.to_str().unwrap();
    let sources = files(&sources_of("services/vet"), "java");
    let classes = ["-c", "vet.PetController", "-c", "vet.PetPages"];
    let arguments = [&classes[..], &["--test-classpath", of_tests]].concat();
    let (folder, output, written) = generate(&sources, &program, &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [controller, pages] = &written[..] else {
        panic!("{written:?}");
    };
    for part in [CREATED, MISSING].iter().chain(&PARTS).chain(&CALLS) {
        assert!(controller.contains(part), "{part}: {controller}");
    }
    for part in PAGES {
        assert!(pages.contains(part), "{part}: {pages}");
    }
    assert!(!pages.contains("mock(Model.class)"), "{pages}");
    assert_eq!(pass(folder.path(), &libraries), 15);
}

/// A controller by an annotation, where no library for requests is there.
const HELLO: [(&str, &str); 2] = [
    (
        "org/springframework/stereotype/Controller.java",
        "package org.springframework.stereotype;\n\
         import java.lang.annotation.Retention;\n\
         import java.lang.annotation.RetentionPolicy;\n\
         @Retention(RetentionPolicy.RUNTIME)\n\
         public @interface Controller {}\n",
    ),
    (
        "web/Hello.java",
        "package web;\n\
         @org.springframework.stereotype.Controller\n\
         public class Hello {\n    \
             public String greet(boolean isLate) {\n        \
                 return isLate ? \"evening\" : \"day\";\n    }\n}\n",
    ),
];

/// Generates tests of that controller.
fn generate_hello(arguments: &[&str]) -> (Output, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let sources = HELLO.map(|(name, source)| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, source).unwrap();
        path
    });
    let arguments = [&["-c", "web.Hello"], arguments].concat();
    let (_folder, output, written) = generate(&sources, &[], &arguments);
    (output, written)
}

#[test]
#[ignore = "long"]
fn without_its_libraries_handlers_are_called() {
    let (output, written) = generate_hello(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let notice = "heapwright: web.Hello: --mvc: spring-test, spring-webmvc, jakarta.servlet-api, hamcrest not on the \
                  class path of tests: handlers are called without requests\n";
    assert!(text(&output.stderr).contains(notice), "{output:?}");
    assert!(
        written[0].contains("assertEquals(\"day\", hello.greet(false));"),
        "{written:?}"
    );
}

#[test]
fn requests_need_a_jvm() {
    let (output, written) = generate_hello(&["--junit-check", "none"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message =
        "heapwright: --mvc: a JVM has to make the requests: leave out --junit-check none\n";
    assert!(text(&output.stderr).ends_with(message), "{output:?}");
    assert_eq!(written, [] as [String; 0]);
}
