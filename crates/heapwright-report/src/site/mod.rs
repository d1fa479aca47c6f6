//! A site for people: pages with a style sheet and a script of their own, which need nothing else.
//!
//! The first page has what fails, the totals with their trend, and the classes as a table. Each
//! source file has a page with its lines, and the tests have one. Pages follow the viewer's light
//! or dark setting and can be printed.

mod class_page;
mod drawings;
mod first_page;
mod highlight;
mod tests_page;
mod trend;
mod views;

use crate::history::HistoryEntry;
use crate::model::Run;
use views::Page;

/// Text that all pages contain, and no others.
pub const MARK: &str = "<meta name=\"generator\" content=\"Heapwright";
/// First page of a site.
pub const INDEX: &str = "index.html";
/// Folders whose files belong to the site alone.
pub const FOLDERS: [&str; 2] = [CLASSES, DRAWINGS];

const CLASSES: &str = "classes";
const DRAWINGS: &str = "drawings";

/// File of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Path in the folder of the site, with slashes.
    pub path: String,
    /// Contents in UTF-8.
    pub contents: String,
}

/// Site of a run. `history` has this run and those before, the oldest first.
#[must_use]
pub fn site(run: &Run, history: &[HistoryEntry]) -> Vec<SiteFile> {
    let file = |path: String, contents: String| SiteFile { path, contents };
    let mut files = vec![
        file(
            "style.css".to_owned(),
            include_str!("../../templates/style.css").to_owned(),
        ),
        file(
            "site.js".to_owned(),
            include_str!("../../templates/site.js").to_owned(),
        ),
    ];
    for (number, behaviour) in run.behaviours.iter().enumerate() {
        for (place, drawing) in behaviour.drawings.iter().enumerate() {
            files.push(file(drawing_path(number, place), drawing.svg.clone()));
        }
    }
    if !run.structures.is_empty() {
        files.push(file(drawings::DATA.to_owned(), drawings::data(run)));
        files.push(file(
            drawings::STRUCTURES.to_owned(),
            drawings::structures(run),
        ));
    }
    if !run.graphs.is_empty() {
        for (number, graph) in (1..).zip(&run.graphs) {
            files.push(file(drawings::graph_path(number), graph.svg.clone()));
        }
        files.push(file(drawings::FLOW.to_owned(), drawings::flow(run)));
    }
    if !run.tests.is_empty() {
        for (number, test) in run.tests.iter().enumerate() {
            for (place, state) in test.states.iter().enumerate() {
                files.push(file(
                    tests_page::state_path(number, place),
                    state.svg.clone(),
                ));
            }
        }
        files.push(file(tests_page::PATH.to_owned(), tests_page::page(run)));
    }
    for number in 0..run.files.len() {
        files.push(file(class_path(run, number), class_page::page(run, number)));
    }
    // The first page comes last, so that its links lead somewhere.
    files.push(file(INDEX.to_owned(), first_page::page(run, history)));
    files
}

/// Path of the page of a source file.
fn class_path(run: &Run, file: usize) -> String {
    let path = run.files.get(file).map_or("", |file| &file.path);
    let name = path.strip_suffix(".java").unwrap_or(path).replace('/', ".");
    let safe = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' | '$' => letter,
        letter if letter.is_alphanumeric() => letter,
        _ => '_',
    };
    format!(
        "{CLASSES}/{}.html",
        name.chars().map(safe).collect::<String>()
    )
}

/// Path of a drawing of a failing behaviour.
fn drawing_path(behaviour: usize, drawing: usize) -> String {
    format!("{DRAWINGS}/{}-{}.svg", behaviour + 1, drawing + 1)
}

/// Head of a page at a path.
fn head<'r>(run: &'r Run, path: &str, title: &str) -> Page<'r> {
    let mut links = vec![(INDEX, "Summary")];
    if !run.structures.is_empty() {
        links.push((drawings::STRUCTURES, "Structures"));
    }
    if !run.graphs.is_empty() {
        links.push((drawings::FLOW, "Control flow"));
    }
    if !run.tests.is_empty() {
        links.push((tests_page::PATH, "Tests"));
    }
    let links = links.into_iter().map(|(href, text)| views::Link {
        href,
        text,
        is_current: href == path,
    });
    Page {
        version: &run.version,
        started: started(run.started),
        title: format!("{title} – Heapwright {}", run.verb),
        root: if path.contains('/') { "../" } else { "" },
        links: links.collect(),
    }
}

/// Time for people: `2023-11-14 22:13 UTC`.
fn started(since: u64) -> String {
    let text = crate::model::time_text(since);
    let minutes = text.get(..16).unwrap_or(&text);
    format!("{} UTC", minutes.replace('T', " "))
}

/// Text of a template, all of whose values can be shown.
fn rendered(template: &impl askama::Template) -> String {
    let text = template.render();
    debug_assert!(text.is_ok(), "{text:?}");
    text.unwrap_or_default()
}
