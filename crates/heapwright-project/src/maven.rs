//! Modules of a build of Maven, as an extension in Maven's own process tells them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::report::Report;
use crate::{BuildRequest, BuildRoot, Module, Project, ProjectError, tool};

include!(concat!(env!("OUT_DIR"), "/extension.rs"));

/// Description of the extension for Maven's container.
const COMPONENTS: &str = "\
<component-set>
  <components>
    <component>
      <role>org.apache.maven.AbstractMavenLifecycleParticipant</role>
      <role-hint>heapwright</role-hint>
      <implementation>heapwright.project.ProjectReporter</implementation>
      <requirements>
        <requirement>
          <role>org.apache.maven.project.ProjectDependenciesResolver</role>
          <field-name>resolver</field-name>
        </requirement>
        <requirement>
          <role>org.eclipse.aether.RepositorySystem</role>
          <field-name>repositories</field-name>
        </requirement>
        <requirement>
          <role>org.apache.maven.toolchain.ToolchainManager</role>
          <field-name>toolchains</field-name>
        </requirement>
      </requirements>
    </component>
  </components>
</component-set>
";

/// Asks Maven for the modules of a build. Nothing is compiled, and no plugin runs.
///
/// # Errors
/// Maven is missing, fails or takes too long.
pub(crate) fn ask(root: &BuildRoot, request: &BuildRequest) -> Result<Report, ProjectError> {
    let io = |what, path: &Path| {
        let path = path.to_owned();
        move |source| ProjectError::Io { what, path, source }
    };
    let folder = tempfile::tempdir().map_err(io("create a folder in", &std::env::temp_dir()))?;
    let (jar, lines) = (
        folder.path().join("extension.jar"),
        folder.path().join("lines"),
    );
    write_extension(&jar).map_err(io("write", &jar))?;
    let arguments = [
        "-q".to_owned(),
        "-B".to_owned(),
        format!("-Dmaven.ext.class.path={}", jar.display()),
        format!("-Dheapwright.project={}", lines.display()),
        "validate".to_owned(),
    ];
    tool::run(root, request, &arguments)?;
    Report::read(root, &lines)
}

/// Writes the jar of the extension.
fn write_extension(jar: &Path) -> std::io::Result<()> {
    let mut writer = ZipWriter::new(File::create(jar)?);
    let options = SimpleFileOptions::default();
    for (name, class) in CLASSES {
        writer.start_file(format!("{name}.class"), options)?;
        writer.write_all(class)?;
    }
    writer.start_file("META-INF/plexus/components.xml", options)?;
    writer.write_all(COMPONENTS.as_bytes())?;
    writer.finish()?;
    Ok(())
}

/// Arguments that compile a module, its tests and the modules that it needs.
pub(crate) fn compile_arguments(project: &Project, module: &Module) -> Vec<String> {
    let mut arguments = vec!["-q".to_owned(), "-B".to_owned(), "test-compile".to_owned()];
    if project.modules.len() > 1 {
        arguments.extend(["-pl".to_owned(), module.name.clone(), "-am".to_owned()]);
    }
    arguments
}

/// Folder of the outermost project above a folder whose modules lead down to it.
pub(crate) fn root_of(folder: &Path) -> &Path {
    let mut root = folder;
    for above in folder.ancestors().skip(1) {
        if modules_of(above).contains(root) {
            root = above;
        }
    }
    root
}

/// Folders of the modules that the project in a folder names, in any of its profiles. A file that
/// cannot be read names none: Maven says what is wrong with it.
fn modules_of(folder: &Path) -> BTreeSet<PathBuf> {
    let text = fs::read_to_string(folder.join("pom.xml")).unwrap_or_default();
    let Ok(document) = roxmltree::Document::parse(&text) else {
        return BTreeSet::new();
    };
    let elements = document.descendants();
    // Maven 4 has another name for modules.
    let names = ["module", "subproject"];
    let named = elements.filter(|element| {
        let mut names = names.iter();
        names.any(|name| element.has_tag_name_anywhere(name))
    });
    let named = named.filter_map(|element| element.text());
    let folders = named.filter_map(|name| {
        let path = folder.join(name.trim()).canonicalize().ok()?;
        match path.extension() == Some(OsStr::new("xml")) && path.is_file() {
            true => path.parent().map(Path::to_owned),
            false => Some(path),
        }
    });
    folders.collect()
}

/// Names of elements, whatever their name space.
trait TagName {
    fn has_tag_name_anywhere(&self, name: &str) -> bool;
}

impl TagName for roxmltree::Node<'_, '_> {
    fn has_tag_name_anywhere(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}
