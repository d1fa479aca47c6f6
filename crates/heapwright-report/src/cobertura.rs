//! Coverage in the format of Cobertura's XML reports, by its `coverage-04.dtd`.
//!
//! The hits of a line are the tests that come to it; at least one where it is covered.

use std::collections::BTreeMap;
use std::io;

use crate::model::{Class, Line, Method, Run, Share, merged};
use crate::xml::{self, Elements};

const DOCTYPE: &str = "coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"";

/// Coverage of an element.
#[derive(Clone, Copy, Default)]
struct Rates {
    lines: Share,
    branches: Share,
    /// Total complexity, and the number of methods.
    complexity: (u64, u64),
}

/// Coverage of a run.
#[must_use]
pub fn cobertura(run: &Run) -> String {
    let mut packages: BTreeMap<&str, Vec<&Class>> = BTreeMap::new();
    for class in run.classes.iter().filter(|class| !class.methods.is_empty()) {
        packages.entry(class.package()).or_default().push(class);
    }
    let total = Rates::of(packages.values().flatten().copied());
    let numbers = [
        ("lines-covered", total.lines.covered),
        ("lines-valid", total.lines.total),
        ("branches-covered", total.branches.covered),
        ("branches-valid", total.branches.total),
        ("timestamp", run.started * 1_000),
    ];
    let mut attributes = total.attributes();
    attributes.extend(numbers.map(|(name, number)| (name, number.to_string())));
    attributes.push(("version", run.version.clone()));
    let none = ".".to_owned();
    let sources = match run.source_folders.is_empty() {
        true => std::slice::from_ref(&none),
        false => &run.source_folders[..],
    };
    xml::document(Some(DOCTYPE), |writer| {
        xml::element(writer, "coverage", &borrowed(&attributes), |writer| {
            xml::element(writer, "sources", &[], |writer| {
                for source in sources {
                    xml::text(writer, "source", &[], source)?;
                }
                Ok(())
            })?;
            xml::element(writer, "packages", &[], |writer| {
                for (package, classes) in &packages {
                    write_package(writer, run, package, classes)?;
                }
                Ok(())
            })
        })
    })
}

fn write_package(
    writer: &mut Elements,
    run: &Run,
    package: &str,
    classes: &[&Class],
) -> io::Result<()> {
    let mut attributes = vec![("name", package.to_owned())];
    attributes.extend(Rates::of(classes.iter().copied()).attributes());
    xml::element(writer, "package", &borrowed(&attributes), |writer| {
        xml::element(writer, "classes", &[], |writer| {
            for class in classes {
                write_class(writer, run, class)?;
            }
            Ok(())
        })
    })
}

fn write_class(writer: &mut Elements, run: &Run, class: &Class) -> io::Result<()> {
    let file = run.files.get(class.file).map_or("", |file| &file.path);
    let mut attributes = vec![("name", class.name.clone()), ("filename", file.to_owned())];
    attributes.extend(Rates::of([class]).attributes());
    xml::element(writer, "class", &borrowed(&attributes), |writer| {
        xml::element(writer, "methods", &[], |writer| {
            for method in &class.methods {
                write_method(writer, method)?;
            }
            Ok(())
        })?;
        write_lines(writer, &class.lines())
    })
}

fn write_method(writer: &mut Elements, method: &Method) -> io::Result<()> {
    let mut attributes = vec![
        ("name", method.name.clone()),
        ("signature", method.descriptor.clone()),
    ];
    attributes.extend(Rates::of_method(method).attributes());
    xml::element(writer, "method", &borrowed(&attributes), |writer| {
        write_lines(writer, &method.lines)
    })
}

fn write_lines(writer: &mut Elements, lines: &[Line]) -> io::Result<()> {
    xml::element(writer, "lines", &[], |writer| {
        for line in lines {
            let hits = match line.is_covered() {
                true => line.tests.len().max(1),
                false => 0,
            };
            let has_branches = line.branches.total > 0;
            let mut attributes = vec![
                ("number", line.number.to_string()),
                ("hits", hits.to_string()),
                ("branch", has_branches.to_string()),
            ];
            if let Some(percent) = line.branches.percent() {
                let Share { covered, total } = line.branches;
                attributes.push((
                    "condition-coverage",
                    format!("{percent}% ({covered}/{total})"),
                ));
            }
            xml::empty(writer, "line", &borrowed(&attributes))?;
        }
        Ok(())
    })
}

impl Rates {
    fn of_method(method: &Method) -> Rates {
        Rates {
            lines: Share {
                covered: method.lines.iter().filter(|line| line.is_covered()).count() as u64,
                total: method.lines.len() as u64,
            },
            branches: method.branches,
            complexity: (method.complexity.total, 1),
        }
    }

    fn of<'a>(classes: impl IntoIterator<Item = &'a Class>) -> Rates {
        let mut total = Rates::default();
        for class in classes {
            for method in &class.methods {
                total.branches += method.branches;
                total.complexity.0 += method.complexity.total;
                total.complexity.1 += 1;
            }
            let lines = merged(class.methods.iter().flat_map(|method| &method.lines));
            total.lines += Share {
                covered: lines.iter().filter(|line| line.is_covered()).count() as u64,
                total: lines.len() as u64,
            };
        }
        total
    }

    /// Rates, which are 1 where there is nothing to cover, and the mean complexity of a method.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        let rate = |share: Share| format!("{:.4}", share.rate().unwrap_or(1.0));
        let (complexity, methods) = self.complexity;
        let mean = complexity as f64 / methods.max(1) as f64;
        vec![
            ("line-rate", rate(self.lines)),
            ("branch-rate", rate(self.branches)),
            ("complexity", format!("{mean:.2}")),
        ]
    }
}

fn borrowed<'a>(attributes: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    let attributes = attributes.iter();
    attributes
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}
