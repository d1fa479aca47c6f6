//! Coverage in the format of JaCoCo's XML reports, by its `report.dtd` 1.1.

use std::collections::BTreeMap;
use std::io;

use crate::model::{Class, Line, Method, Run, Share, merged};
use crate::xml::{self, Elements};

const DOCTYPE: &str = "report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\"";

/// Counters of an element, in the order of JaCoCo's reports.
#[derive(Clone, Copy, Default)]
struct Counters {
    instructions: Share,
    branches: Share,
    lines: Share,
    complexity: Share,
    methods: Share,
    classes: Share,
}

/// Coverage of a run.
#[must_use]
pub fn jacoco(run: &Run) -> String {
    let mut packages: BTreeMap<String, Vec<&Class>> = BTreeMap::new();
    for class in run.classes.iter().filter(|class| !class.methods.is_empty()) {
        let package = class.package().replace('.', "/");
        packages.entry(package).or_default().push(class);
    }
    let name = format!("heapwright {}", run.verb);
    xml::document(Some(DOCTYPE), |writer| {
        xml::element(writer, "report", &[("name", &name)], |writer| {
            let mut total = Counters::default();
            for (package, classes) in &packages {
                total += write_package(writer, run, package, classes)?;
            }
            total.write(writer)
        })
    })
}

/// File name of a source file.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn write_package(
    writer: &mut Elements,
    run: &Run,
    package: &str,
    classes: &[&Class],
) -> io::Result<Counters> {
    let mut total = Counters::default();
    let mut files: BTreeMap<&str, Vec<&Class>> = BTreeMap::new();
    xml::element(writer, "package", &[("name", package)], |writer| {
        for class in classes {
            let name = class.name.replace('.', "/");
            let file = run
                .files
                .get(class.file)
                .map_or("", |file| file_name(&file.path));
            files.entry(file).or_default().push(class);
            let attributes = [("name", name.as_str()), ("sourcefilename", file)];
            xml::element(writer, "class", &attributes, |writer| {
                for method in &class.methods {
                    write_method(writer, method)?;
                }
                Counters::of_classes(&[class]).write(writer)
            })?;
        }
        for (file, classes) in &files {
            xml::element(writer, "sourcefile", &[("name", file)], |writer| {
                for line in lines_of(classes) {
                    write_line(writer, &line)?;
                }
                Counters::of_classes(classes).write(writer)
            })?;
            total += Counters::of_classes(classes);
        }
        total.write(writer)
    })?;
    Ok(total)
}

fn lines_of(classes: &[&Class]) -> Vec<Line> {
    let methods = classes.iter().flat_map(|class| &class.methods);
    merged(methods.flat_map(|method| &method.lines))
}

fn write_method(writer: &mut Elements, method: &Method) -> io::Result<()> {
    let line = method.lines.first().map(|line| line.number.to_string());
    let mut attributes = vec![
        ("name", method.name.as_str()),
        ("desc", method.descriptor.as_str()),
    ];
    attributes.extend(line.as_deref().map(|line| ("line", line)));
    xml::element(writer, "method", &attributes, |writer| {
        Counters::of_method(method).write(writer)
    })
}

fn write_line(writer: &mut Elements, line: &Line) -> io::Result<()> {
    let numbers = [
        ("nr", u64::from(line.number)),
        ("mi", line.instructions.missed()),
        ("ci", line.instructions.covered),
        ("mb", line.branches.missed()),
        ("cb", line.branches.covered),
    ];
    let texts = numbers.map(|(name, number)| (name, number.to_string()));
    let attributes = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
    xml::empty(writer, "line", &attributes)
}

impl Counters {
    fn of_method(method: &Method) -> Counters {
        Counters {
            instructions: method.instructions,
            branches: method.branches,
            lines: covered_lines(&method.lines),
            complexity: method.complexity,
            methods: one(method.instructions),
            classes: Share::default(),
        }
    }

    /// Counters of classes of one source file.
    fn of_classes(classes: &[&Class]) -> Counters {
        let mut total = Counters::default();
        for class in classes {
            let mut own = Counters::default();
            for method in &class.methods {
                own += Counters::of_method(method);
            }
            own.classes = one(own.instructions);
            total += own;
        }
        total.lines = covered_lines(&lines_of(classes));
        total
    }

    fn write(&self, writer: &mut Elements) -> io::Result<()> {
        let counters = [
            ("INSTRUCTION", self.instructions),
            ("BRANCH", self.branches),
            ("LINE", self.lines),
            ("COMPLEXITY", self.complexity),
            ("METHOD", self.methods),
            ("CLASS", self.classes),
        ];
        for (name, share) in counters.into_iter().filter(|(_, share)| share.total > 0) {
            let (missed, covered) = (share.missed().to_string(), share.covered.to_string());
            let attributes = [("type", name), ("missed", &missed), ("covered", &covered)];
            xml::empty(writer, "counter", &attributes)?;
        }
        Ok(())
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
        self.complexity += other.complexity;
        self.methods += other.methods;
        self.classes += other.classes;
    }
}

/// Share of one element with these instructions.
fn one(instructions: Share) -> Share {
    Share {
        covered: u64::from(instructions.covered > 0),
        total: 1,
    }
}

fn covered_lines(lines: &[Line]) -> Share {
    Share {
        covered: lines.iter().filter(|line| line.is_covered()).count() as u64,
        total: lines.len() as u64,
    }
}
