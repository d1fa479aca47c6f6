//! XML 1.0 in UTF-8, with two spaces an indentation.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// Writer of elements.
pub(crate) type Elements = Writer<Vec<u8>>;

/// Attributes of an element, in order.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// Text of a document with one root; `doctype` is the part behind `<!DOCTYPE `.
pub(crate) fn document(
    doctype: Option<&str>,
    root: impl FnOnce(&mut Elements) -> io::Result<()>,
) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let write = || {
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        if let Some(doctype) = doctype {
            writer.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
        }
        root(&mut writer)
    };
    // Memory accepts all that is written.
    let written = write();
    debug_assert!(written.is_ok(), "{written:?}");
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

/// Writes an element with elements in it.
pub(crate) fn element(
    writer: &mut Elements,
    name: &str,
    attributes: Attributes<'_>,
    inner: impl FnOnce(&mut Elements) -> io::Result<()>,
) -> io::Result<()> {
    let cleaned: Vec<(&str, String)> = cleaned(attributes);
    let attributes = cleaned.iter().map(|(name, value)| (*name, value.as_str()));
    let element = writer.create_element(name).with_attributes(attributes);
    element.write_inner_content(inner)?;
    Ok(())
}

/// Writes an element without contents.
pub(crate) fn empty(
    writer: &mut Elements,
    name: &str,
    attributes: Attributes<'_>,
) -> io::Result<()> {
    let cleaned = cleaned(attributes);
    let attributes = cleaned.iter().map(|(name, value)| (*name, value.as_str()));
    writer
        .create_element(name)
        .with_attributes(attributes)
        .write_empty()?;
    Ok(())
}

/// Writes an element that holds text.
pub(crate) fn text(
    writer: &mut Elements,
    name: &str,
    attributes: Attributes<'_>,
    text: &str,
) -> io::Result<()> {
    let cleaned = cleaned(attributes);
    let attributes = cleaned.iter().map(|(name, value)| (*name, value.as_str()));
    let element = writer.create_element(name).with_attributes(attributes);
    element.write_text_content(BytesText::new(&clean(text)))?;
    Ok(())
}

fn cleaned<'a>(attributes: Attributes<'a>) -> Vec<(&'a str, String)> {
    let attributes = attributes.iter();
    attributes
        .map(|(name, value)| (*name, clean(value)))
        .collect()
}

/// Text with a replacement character for each character that XML 1.0 does not have.
fn clean(text: &str) -> String {
    let is_legal = |letter: char| {
        matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
            && letter != '\u{FFFE}'
    };
    text.replace(|letter| !is_legal(letter), "\u{FFFD}")
}
