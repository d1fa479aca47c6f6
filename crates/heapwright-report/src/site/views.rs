//! What pages show, as texts.

use super::highlight::highlighted;
use super::{class_path, drawing_path};
use crate::model::{Behaviour, Code, Run, Share};
use crate::totals::ClassTotals;

/// Head of a page.
pub struct Page<'r> {
    pub version: &'r str,
    pub started: String,
    pub title: String,
    /// Path from the page to the folder of the site.
    pub root: &'static str,
    pub links: Vec<Link>,
}

/// Link to a page.
pub struct Link {
    pub href: &'static str,
    pub text: &'static str,
    pub is_current: bool,
}

/// Number with its name.
pub struct Tile {
    pub name: &'static str,
    pub value: String,
    pub detail: String,
    pub percent: Option<u64>,
    /// Class of its style: `good`, `bad` or none.
    pub mood: &'static str,
}

impl Tile {
    /// Tile of a share in a run.
    pub fn share(run: &Run, name: &'static str, share: Share) -> Option<Tile> {
        let percent = share.percent()?;
        Some(Tile {
            name,
            value: run.percent(share)?,
            detail: format!("{} of {}", grouped(share.covered), grouped(share.total)),
            percent: Some(percent),
            mood: "",
        })
    }

    /// Tile of a number.
    pub fn number(name: &'static str, number: u64, detail: String, mood: &'static str) -> Tile {
        Tile {
            name,
            value: grouped(number),
            detail,
            percent: None,
            mood,
        }
    }
}

/// Tiles of the shares of code in a run.
pub fn tiles(run: &Run, totals: &ClassTotals) -> Vec<Tile> {
    let shares = [
        ("Lines", totals.lines),
        ("Branches", totals.branches),
        ("Goals of tests", totals.goals),
        ("Mutants noticed", totals.mutants),
    ];
    let mut tiles: Vec<Tile> = shares
        .into_iter()
        .filter_map(|(name, share)| Tile::share(run, name, share))
        .collect();
    if totals.infeasible > 0 {
        let detail = "no test can reach them".to_owned();
        tiles.push(Tile::number(
            "Infeasible goals",
            totals.infeasible,
            detail,
            "",
        ));
    }
    tiles
}

/// Source text with its place.
pub struct CodeView {
    pub place: String,
    pub html: String,
}

impl CodeView {
    /// View of source text.
    pub fn of(code: &Code) -> CodeView {
        CodeView {
            place: match &code.file {
                Some(file) => format!("{file}:{}", code.line),
                None => String::new(),
            },
            html: highlighted(code.text.trim_end_matches('\n')).join("\n"),
        }
    }
}

/// Failing behaviour.
pub struct BehaviourView<'r> {
    pub number: usize,
    pub calls: &'r str,
    pub reason: &'r str,
    pub kind: &'r str,
    /// Whether it is sure to be a fault of the code.
    pub is_sure: bool,
    /// Class and method.
    pub element: String,
    /// Path of the method's line in the site.
    pub href: Option<String>,
    pub drawings: Vec<DrawingView<'r>>,
    pub code: Option<CodeView>,
}

/// Drawing.
pub struct DrawingView<'r> {
    pub href: String,
    pub text: String,
    pub caption: &'r str,
    pub extent: Extent<'r>,
}

/// Width and height of a drawing in pixels, so that pages keep room for it before it is loaded.
pub struct Extent<'s> {
    pub width: &'s str,
    pub height: &'s str,
}

impl Extent<'_> {
    /// Reads the extent of an SVG document.
    pub fn of(svg: &str) -> Extent<'_> {
        let attribute = |name: &str| {
            let rest = svg.split_once(name).map_or("", |(_, rest)| rest);
            rest.split('"').next().unwrap_or_default()
        };
        Extent {
            width: attribute(" width=\""),
            height: attribute(" height=\""),
        }
    }
}

/// Views of the failing behaviours that are meant.
pub fn behaviours(run: &Run, is_meant: impl Fn(&Behaviour) -> bool) -> Vec<BehaviourView<'_>> {
    let numbered = run.behaviours.iter().enumerate();
    let meant = numbered.filter(|(_, behaviour)| is_meant(behaviour));
    meant
        .map(|(number, it)| behaviour(run, number, it))
        .collect()
}

fn behaviour<'r>(run: &Run, number: usize, behaviour: &'r Behaviour) -> BehaviourView<'r> {
    let class = run
        .classes
        .iter()
        .find(|class| class.name == behaviour.class);
    let href = class.map(|class| {
        let page = class_path(run, class.file);
        behaviour
            .line
            .map_or_else(|| page.clone(), |line| format!("{page}#L{line}"))
    });
    let simple = behaviour.class.rsplit('.').next().unwrap_or_default();
    let drawings = behaviour.drawings.iter().enumerate();
    BehaviourView {
        number: number + 1,
        calls: &behaviour.calls,
        reason: &behaviour.reason,
        kind: &behaviour.kind,
        is_sure: behaviour.is_sure,
        element: format!("{simple}.{}", behaviour.method),
        href,
        drawings: drawings
            .map(|(place, drawing)| DrawingView {
                href: drawing_path(number, place),
                text: format!("{}: {}", drawing.caption, drawing.text),
                caption: &drawing.caption,
                extent: Extent::of(&drawing.svg),
            })
            .collect(),
        code: behaviour.reproducer.as_ref().map(CodeView::of),
    }
}

/// Number with separators of thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
