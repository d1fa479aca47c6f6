//! Option group: generation of JUnit tests.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::class_path::split;

/// Options of JUnit tests.
#[derive(Args, Clone, Debug, Default)]
pub struct JunitArgs {
    /// Version of JUnit that tests are written for, or TestNG [default: what --test-classpath has,
    /// else 5]
    #[arg(long, value_enum, value_name = "4|5|testng")]
    pub junit: Option<FrameworkName>,
    /// Library of the assertions in tests [default: assertj if --test-classpath has it, else junit]
    #[arg(long, value_enum, value_name = "LIBRARY")]
    pub assertions: Option<AssertionsName>,
    /// Check of tests before they are written
    #[arg(
        long,
        value_enum,
        value_name = "CHECK",
        default_value_t,
        hide_default_value = true
    )]
    pub junit_check: JunitCheck,
    /// Form of objects that tests make of interfaces and abstract classes which nothing implements
    /// [default: mockito if --test-classpath has it, else plain]
    #[arg(long, value_enum, value_name = "FORM")]
    pub stubs: Option<StubForm>,
    /// Where tests that fail are written [default: apart; with check: failing]
    #[arg(long, value_enum, value_name = "PLACE")]
    pub failures: Option<FailurePlace>,
    /// Folders and jars that only tests need, as those of Mockito (repeatable)
    #[arg(long = "test-classpath", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub test_class_path: Vec<String>,
}

impl JunitArgs {
    /// Class path of what only tests need.
    pub fn libraries(&self) -> Vec<PathBuf> {
        let entries = self.test_class_path.iter();
        entries.flat_map(|entries| split(entries)).collect()
    }
}

/// Test framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FrameworkName {
    /// JUnit 4
    #[value(name = "4")]
    Junit4,
    /// JUnit 5
    #[value(name = "5")]
    Junit5,
    /// TestNG
    #[value(name = "testng")]
    TestNg,
}

/// Library of assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AssertionsName {
    /// Those of the test framework
    Junit,
    /// AssertJ
    Assertj,
}

/// Form of stubs in tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StubForm {
    /// Lambdas and anonymous classes
    Plain,
    /// Mocks of Mockito where they can be
    Mockito,
}

/// Place and form of tests that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailurePlace {
    /// target/heapwright/failures of the build, or a folder beside that of -o
    Apart,
    /// Beside the tests, disabled with the reason
    Tests,
    /// Beside the tests, failing
    Failing,
}

/// Check of tests before they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum JunitCheck {
    /// Compile and run tests with the JDK, and leave out those that do not hold there [default]
    #[default]
    Run,
    /// No check
    None,
}
