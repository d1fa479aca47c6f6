//! Agent of a virtual machine for tests: a jar, and the files of classes under test.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::CLASSES;

/// Classes of the agent. They are those of the virtual machine itself, so that code of all class
/// loaders reaches them.
const OWN: &str = "heapwright/agent/";

/// Class under test for a virtual machine with an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentClass<'a> {
    /// Internal name.
    pub name: &'a str,
    /// Its file.
    pub original: &'a [u8],
    /// File that is loaded in its place, if any is.
    pub probed: Option<&'a [u8]>,
}

/// Agent that is ready for virtual machines.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Option of the virtual machine.
    pub(super) option: String,
}

impl Agent {
    /// Writes an agent into a folder of its own. `slots` is the number of slots that probes set, `tables`
    /// has for each switch its keys in ascending order and their targets.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new(
        folder: &Path,
        classes: &[AgentClass<'_>],
        slots: u32,
        tables: &[Vec<(i32, u32)>],
    ) -> io::Result<Agent> {
        fs::create_dir_all(folder)?;
        let mut plan = format!("slots\t{slots}\n");
        for (number, class) in classes.iter().enumerate() {
            let file = |kind: &str, bytes: Option<&[u8]>| -> io::Result<PathBuf> {
                let Some(bytes) = bytes else {
                    return Ok(PathBuf::new());
                };
                let path = folder.join(format!("{number}-{kind}"));
                fs::write(&path, bytes)?;
                Ok(path)
            };
            let original = file("original", Some(class.original))?;
            let probed = file("probed", class.probed)?;
            let _ = writeln!(
                plan,
                "class\t{}\t{}\t{}",
                class.name,
                original.display(),
                probed.display()
            );
        }
        for table in tables {
            plan.push_str("table");
            for (key, target) in table {
                let _ = write!(plan, "\t{key}={target}");
            }
            plan.push('\n');
        }
        let (plan_file, jar) = (folder.join("plan"), folder.join("agent.jar"));
        fs::write(&plan_file, plan)?;
        fs::write(&jar, jar_of("agent.jar")?)?;
        Ok(Agent {
            option: format!("-javaagent:{}={}", jar.display(), plan_file.display()),
        })
    }
}

/// Jar with the agent, which has this name.
fn jar_of(name: &str) -> io::Result<Vec<u8>> {
    let mut jar = ZipWriter::new(Cursor::new(Vec::new()));
    let manifest = format!(
        "Manifest-Version: 1.0\r\nPremain-Class: heapwright.agent.Agent\r\nBoot-Class-Path: {name}\r\n\
         Can-Redefine-Classes: true\r\n\r\n"
    );
    let own = CLASSES.iter().filter(|(name, _)| name.starts_with(OWN));
    let classes = own.map(|(name, bytes)| (format!("{name}.class"), *bytes));
    let manifest = ("META-INF/MANIFEST.MF".to_owned(), manifest.as_bytes());
    for (name, bytes) in std::iter::once(manifest).chain(classes) {
        jar.start_file(name, SimpleFileOptions::default())
            .map_err(io::Error::other)?;
        jar.write_all(bytes)?;
    }
    let whole = jar.finish().map_err(io::Error::other)?;
    Ok(whole.into_inner())
}

/// Whether a class of the trial is one of the agent.
pub(super) fn is_own(name: &str) -> bool {
    name.starts_with(OWN)
}
