//! Translation of options and files to a request.

use std::path::Path;
use std::str::FromStr;
use std::sync::LazyLock;

use anyhow::{Context, anyhow, bail, ensure};
use heapwright_techniques::api::{ApiRequest, ChecksRequest, InvariantCheck};
use heapwright_techniques::misuse::MisuseRule;
use regex::Regex;

use crate::options::{ApiArgs, MisuseArg};

/// Maximum number of values of a range.
const MOST_VALUES: i64 = 100_000;

/// Creates the request of the options for classes, up to a scope if one is given.
///
/// # Errors
/// A file cannot be read, or an option or file has an invalid value.
pub fn request(
    arguments: &ApiArgs,
    classes: &[String],
    scope: Option<u32>,
    max_steps: u64,
    invariant: Option<&str>,
) -> anyhow::Result<ApiRequest> {
    let mut arguments = arguments.clone();
    if let Some(path) = arguments.beapi_config.clone() {
        fill_from_properties(&mut arguments, &path)?;
    }
    let scope = scope.or(arguments.max_objects).context(
        "say how large: --scope N allows N objects a class and the integers 0 to N-1, \
         --max-objects or --beapi-config say it otherwise",
    )?;
    ensure!(scope > 0, "a scope of 0 has no structures");
    let class = classes.first().map_or("", String::as_str);
    let mut request = ApiRequest::up_to(class, scope);
    request.classes = classes.to_vec();
    request.step_limit = max_steps;
    request.methods = methods(&arguments)?;
    request.matching = !arguments.no_state_matching;
    request.max_length = arguments.max_length.or(request.max_length);
    request.checks = ChecksRequest {
        invariant: match arguments.check_invariant {
            true => InvariantCheck::Must(invariant.map(str::to_owned)),
            false => InvariantCheck::No,
        },
        contracts: arguments.check_contracts,
        properties: arguments.properties.clone(),
    };
    fill_limits(&mut request, &arguments)?;
    if let Some(path) = &arguments.literals_file {
        fill_from_literals(&mut request, path)?;
    }
    fill_values(&mut request, &arguments)?;
    if let Some(omitted) = &arguments.omit_fields {
        request.omitted_fields.clone_from(omitted);
    }
    request.misuse = match arguments.misuse {
        Some(MisuseArg::Paper) => MisuseRule::Paper,
        _ if !arguments.misuse_exceptions.is_empty() => {
            MisuseRule::These(arguments.misuse_exceptions.clone())
        }
        _ => MisuseRule::Usual,
    };
    Ok(request)
}

fn methods(arguments: &ApiArgs) -> anyhow::Result<Vec<String>> {
    let mut methods: Vec<String> = arguments
        .methods
        .iter()
        .map(|text| expression(text))
        .collect();
    if let Some(path) = &arguments.methods_file {
        let lines = read(path)?;
        let lines = lines.lines().map(str::trim);
        let before = methods.len();
        methods.extend(
            lines
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(expression),
        );
        ensure!(methods.len() > before, "{} names no method", path.display());
    }
    Ok(methods)
}

/// Regular expression of a method given by its name or signature, or as an expression.
fn expression(text: &str) -> String {
    static DESIGNATOR: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^[\w$.<>]+(\(([\w$.]+(\[\])*(, ?[\w$.]+(\[\])*)*)?\))?$").ok()
    });
    match &*DESIGNATOR {
        Some(designator) if designator.is_match(text) => regex::escape(text),
        _ => text.to_owned(),
    }
}

fn fill_limits(request: &mut ApiRequest, arguments: &ApiArgs) -> anyhow::Result<()> {
    if let Some(objects) = arguments.max_objects {
        request.limits.objects = objects;
    }
    for text in &arguments.max_objects_of {
        let (class, most) = text
            .rsplit_once('=')
            .and_then(|(class, most)| Some((class.to_owned(), most.parse().ok()?)))
            .with_context(|| format!("--max-objects-of {text}: it is CLASS=N"))?;
        request.limits.objects_of.insert(class, most);
    }
    if let Some(most) = arguments.max_array_objects {
        request.limits.array_length = most;
        request.limits.array_objects = most;
    }
    Ok(())
}

fn fill_values(request: &mut ApiRequest, arguments: &ApiArgs) -> anyhow::Result<()> {
    let values = &mut request.values;
    if let Some(text) = &arguments.int_range {
        let longs = integers("--int-range", text)?;
        values.ints = longs
            .into_iter()
            .map(|long| i32::try_from(long).map_err(|_| anyhow!("--int-range: {long} is no int")))
            .collect::<Result<_, _>>()?;
        if arguments.long_range.is_none() {
            values.longs = values.ints.iter().copied().map(i64::from).collect();
        }
    }
    if let Some(text) = &arguments.long_range {
        values.longs = integers("--long-range", text)?;
    }
    if let Some(strings) = &arguments.strings {
        values.strings.clone_from(strings);
    }
    if let Some(text) = &arguments.chars {
        values.chars = characters(text)?;
    }
    if let Some(text) = &arguments.booleans {
        values.booleans = list("--booleans", text, "boolean")?;
    }
    if let Some(text) = &arguments.floats {
        values.floats = list("--floats", text, "float")?;
    }
    if let Some(text) = &arguments.doubles {
        values.doubles = list("--doubles", text, "double")?;
    }
    if let Some(null) = arguments.null {
        values.null = null;
    }
    for text in &arguments.values_of {
        let (name, fields) = text.split_once('=').with_context(|| {
            format!("--values-of {text}: it is TYPE=FIELD, as java.util.Comparator=a.B.BY_NAME")
        })?;
        let fields = fields.split(',').map(|field| field.trim().to_owned());
        let pair = (name.trim().to_owned(), fields.collect());
        values.constants.push(pair);
    }
    for text in &arguments.type_args {
        let (variable, chosen) = text
            .split_once('=')
            .with_context(|| format!("--type-arg {text}: it is VARIABLE=TYPE, as E=String"))?;
        let pair = (variable.trim().to_owned(), chosen.trim().to_owned());
        values.type_arguments.push(pair);
    }
    Ok(())
}

/// Parses integers, as `0:5`, `0..5` (both ends included) or `1,3,8`.
fn integers(option: &str, text: &str) -> anyhow::Result<Vec<i64>> {
    let wrong = || format!("{option} {text}: it is FIRST:LAST or a list, as 0:5 or 1,3,8");
    let ends = text.split_once(':').or_else(|| text.split_once(".."));
    let Some((first, last)) = ends else {
        return text
            .split(',')
            .map(|item| item.trim().parse().with_context(wrong))
            .collect();
    };
    let first: i64 = first.trim().parse().with_context(wrong)?;
    let last: i64 = last.trim().parse().with_context(wrong)?;
    ensure!(
        first <= last,
        "{option} {text}: nothing is from {first} to {last}"
    );
    ensure!(
        last.checked_sub(first)
            .is_some_and(|span| span < MOST_VALUES),
        "{option} {text}: at most {MOST_VALUES} values"
    );
    Ok((first..=last).collect())
}

/// Parses characters, as `a:f` or `a,b`.
fn characters(text: &str) -> anyhow::Result<Vec<u16>> {
    let unit = |item: &str| {
        let mut units = item.encode_utf16();
        match (units.next(), units.next()) {
            (Some(unit), None) => Ok(unit),
            _ => Err(anyhow!("--chars {text}: it is a:f or a list, as a,b")),
        }
    };
    match text.split_once(':').filter(|(first, _)| !first.is_empty()) {
        Some((first, last)) => Ok((unit(first)?..=unit(last)?).collect()),
        None => text.split(',').map(unit).collect(),
    }
}

fn list<T: FromStr>(option: &str, text: &str, kind: &str) -> anyhow::Result<Vec<T>> {
    let items = text.split(',').map(str::trim);
    items
        .map(|item| {
            item.parse()
                .map_err(|_| anyhow!("{option} {text}: {item:?} is no {kind}"))
        })
        .collect()
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))
}

/// Fills options that the command line leaves open from a BEAPI properties file.
fn fill_from_properties(arguments: &mut ApiArgs, path: &Path) -> anyhow::Result<()> {
    let text = read(path)?;
    let properties = java_properties::read(text.as_bytes())
        .with_context(|| format!("failed to read {}", path.display()))?;
    let mut keys: Vec<(String, String)> = properties.into_iter().collect();
    keys.sort();
    for (key, value) in keys {
        let number = || -> anyhow::Result<u32> {
            let parsed = value.trim().parse();
            parsed.map_err(|_| anyhow!("{}: {key}: {value:?} is no number", path.display()))
        };
        let fill = |into: &mut Option<String>| {
            into.get_or_insert_with(|| value.clone());
        };
        match key.replace('.', "_").as_str() {
            "max_objects" => {
                let number = number()?;
                arguments.max_objects.get_or_insert(number);
            }
            "max_array_objects" => {
                let number = number()?;
                arguments.max_array_objects.get_or_insert(number);
            }
            "max_length" => {
                let number = number()?;
                arguments.max_length.get_or_insert(number);
            }
            "int_range" => fill(&mut arguments.int_range),
            "long_range" => fill(&mut arguments.long_range),
            "strings" => {
                let strings = value.split(',').map(str::to_owned).collect();
                arguments.strings.get_or_insert(strings);
            }
            "chars" => fill(&mut arguments.chars),
            "booleans" => fill(&mut arguments.booleans),
            "floats" => fill(&mut arguments.floats),
            "doubles" => fill(&mut arguments.doubles),
            "omit_fields" => fill(&mut arguments.omit_fields),
            "null" => {
                let parsed = value.trim().parse();
                let null = parsed
                    .map_err(|_| anyhow!("{}: {key}: {value:?} is no boolean", path.display()))?;
                arguments.null.get_or_insert(null);
            }
            // Null elements always distinguish arrays here.
            "save_array_null" => {}
            _ => bail!("{}: unknown key {key}", path.display()),
        }
    }
    Ok(())
}

/// Replaces the values of each kind by those of a file of literals.
fn fill_from_literals(request: &mut ApiRequest, path: &Path) -> anyhow::Result<()> {
    const WORDS: [&str; 4] = [
        "START CLASSLITERALS",
        "END CLASSLITERALS",
        "CLASSNAME",
        "LITERALS",
    ];
    let text = read(path)?;
    let values = &mut request.values;
    let mut seen: Vec<&str> = Vec::new();
    let mut is_class_name = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let place = || format!("{}:{number}", path.display());
        if line.is_empty() || line.starts_with('#') || WORDS.contains(&line) {
            is_class_name = line == "CLASSNAME";
            continue;
        }
        if std::mem::take(&mut is_class_name) {
            continue;
        }
        let (kind, value) = line
            .split_once(':')
            .with_context(|| format!("{}: {line:?} is no KIND:VALUE, as int:3", place()))?;
        let wrong = || format!("{}: {value:?} is no {kind}", place());
        let is_first = !seen.contains(&kind);
        seen.push(kind);
        macro_rules! add {
            ($list:expr, $value:expr) => {{
                if is_first {
                    $list.clear();
                }
                $list.push($value);
            }};
        }
        match kind {
            "byte" | "short" | "int" => {
                if is_first && !seen[..seen.len() - 1].iter().any(|&kind| is_int(kind)) {
                    values.ints.clear();
                }
                let int = value.parse().with_context(wrong)?;
                if !values.ints.contains(&int) {
                    values.ints.push(int);
                }
            }
            "long" => add!(values.longs, value.parse().with_context(wrong)?),
            "boolean" => add!(values.booleans, value.parse().with_context(wrong)?),
            "float" => add!(values.floats, value.parse().with_context(wrong)?),
            "double" => add!(values.doubles, value.parse().with_context(wrong)?),
            "char" => {
                let unit = characters(value.trim_matches('\''))?;
                add!(values.chars, *unit.first().with_context(wrong)?);
            }
            "String" | "java.lang.String" => {
                let text = value.trim();
                let quoted = text
                    .strip_prefix('"')
                    .and_then(|text| text.strip_suffix('"'));
                add!(values.strings, quoted.unwrap_or(text).to_owned());
            }
            _ => bail!("{}: unknown kind {kind}", place()),
        }
    }
    Ok(())
}

fn is_int(kind: &str) -> bool {
    matches!(kind, "byte" | "short" | "int")
}
