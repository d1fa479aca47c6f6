//! Translation of options to a request.

use anyhow::{Context, bail, ensure};
use std::sync::Arc;

use heapwright_explore::symbolic::{self, Limits};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_techniques::makers::MakerIndex;
use heapwright_techniques::sequences::{SequenceBounds, SequencesRequest, ValuesByType};
use heapwright_techniques::statements::expression;

use super::args::{HeapName, SequencesArgs};
use crate::options::OperatorGroupName;
use crate::options::Strings;

/// Default work of the solver per query: about a fifth of a second.
const SOLVER_WORK: u64 = 80_000;
/// Work of the solver for one call on one component before other components get their turn: about a
/// fifth of a second.
const CALL_WORK: u64 = SOLVER_WORK;
/// Approximate work of the solver per millisecond.
const WORK_PER_MILLISECOND: u128 = 400;

/// Creates the request for a class.
///
/// # Errors
/// An option is wrong.
pub fn request(
    arguments: &SequencesArgs,
    class: &str,
    makers: &Arc<MakerIndex>,
) -> anyhow::Result<SequencesRequest> {
    let patterns = |texts: &[String], option: &str| {
        let texts = texts.iter();
        let expressions =
            texts.map(|text| expression(text).with_context(|| format!("{option} {text}")));
        expressions.collect::<anyhow::Result<Vec<_>>>()
    };
    Ok(SequencesRequest {
        further: arguments.further(),
        class: class.to_owned(),
        methods: arguments.methods.clone(),
        tests_members: arguments.members,
        system: arguments.system.clone(),
        access: arguments.access.into(),
        include: patterns(&arguments.include, "--include")?,
        exclude: patterns(&arguments.exclude, "--exclude")?,
        setup: arguments.setup.clone(),
        criterion: arguments.criterion.into(),
        bounds: SequenceBounds {
            length: arguments.max_length(),
            paths: arguments.paths_per_call(),
            nulls: !arguments.no_null,
            after_exceptions: arguments.after_exceptions,
            all_paths: arguments.max_paths,
            work: CALL_WORK,
            generation_length: arguments.generation_length(),
            random_length: arguments.random_length(),
            patience: arguments.patience(),
        },
        values: symbolic::InputBounds {
            length: arguments.max_elements(),
            room: arguments.max_array(),
            loops: arguments.loop_k(),
            utf16: arguments.strings == Strings::Utf16,
            fixes_indices: arguments.heap == HeapName::Simulate,
            ..symbolic::InputBounds::default()
        },
        pools: pools(&arguments.values)?,
        given: arguments.given.clone(),
        limits: Limits {
            work: match (arguments.solver_work, arguments.solver_timeout) {
                (Some(work), _) => work,
                (None, Some(time)) => (time.as_millis() * WORK_PER_MILLISECOND)
                    .try_into()
                    .unwrap_or(u64::MAX),
                (None, None) => SOLVER_WORK,
            },
        },
        step_limit: arguments.max_steps(),
        seed: arguments.seed,
        invariant: arguments.invariant.clone(),
        expected: arguments.oracles.expected.clone(),
        leaves_contracts: arguments.oracles.leaves_contracts(),
        asserts_fields: arguments.assert_fields,
        has_boilerplate: arguments.boilerplate,
        mutants: arguments.mutants.and_then(OperatorGroupName::group),
        existing: None,
        covers_lines: arguments.is_junit() || arguments.reports.report.is_some(),
        makers: Arc::clone(makers),
    })
}

/// Parses values for arguments, by the descriptor of their type.
fn pools(texts: &[String]) -> anyhow::Result<ValuesByType> {
    let mut pools = ValuesByType::new();
    for text in texts {
        let Some((name, values)) = text.split_once('=') else {
            bail!("--values {text}: a type, = and values are wanted, as int=0,1,-1");
        };
        let descriptor = match name.trim() {
            "boolean" => "Z",
            "byte" => "B",
            "char" => "C",
            "short" => "S",
            "int" => "I",
            "long" => "J",
            "float" => "F",
            "double" => "D",
            other => bail!("--values {text}: {other} is no primitive type"),
        };
        for value in values.split(',') {
            let slot = slot(Kind::of(descriptor), value.trim());
            let Some(slot) = slot else {
                let java = descriptor::to_java(descriptor);
                bail!("--values {text}: {value:?} is no {java}");
            };
            pools.entry(descriptor.to_owned()).or_default().push(slot);
        }
    }
    ensure!(
        pools.values().all(|values| !values.is_empty()),
        "--values: a type without values"
    );
    Ok(pools)
}

/// Slot of a value; none if the value is outside the type.
fn slot(kind: Kind, text: &str) -> Option<u64> {
    let int = |value: i64, low: i64, high: i64| {
        (low..=high)
            .contains(&value)
            .then_some(u64::from(value as i32 as u32))
    };
    Some(match kind {
        Kind::Boolean => u64::from(text.parse::<bool>().ok()?),
        Kind::Byte => int(text.parse().ok()?, -128, 127)?,
        Kind::Short => int(text.parse().ok()?, -32_768, 32_767)?,
        Kind::Int => int(text.parse().ok()?, i32::MIN.into(), i32::MAX.into())?,
        Kind::Char => {
            let letter = text
                .strip_prefix('\'')
                .and_then(|text| text.strip_suffix('\''));
            let mut letters = letter.unwrap_or(text).chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) if letter as u32 <= 0xFFFF => u64::from(letter as u32),
                _ => int(text.parse().ok()?, 0, 65_535)?,
            }
        }
        Kind::Long => text.trim_end_matches(['l', 'L']).parse::<i64>().ok()? as u64,
        Kind::Float => u64::from(
            text.trim_end_matches(['f', 'F'])
                .parse::<f32>()
                .ok()?
                .to_bits(),
        ),
        Kind::Double => text.parse::<f64>().ok()?.to_bits(),
        _ => return None,
    })
}
