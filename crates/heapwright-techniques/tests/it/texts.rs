//! Strings of any length as terms: facts about them admit what Java answers.
//!
//! Invariant of the tests: an answer that the engine computes of known strings is one that open
//! strings may give. If a fact excluded it, the program would be called `true`.
//!
//! Set `HEAPWRIGHT_RANDOM` to the number of pairs of strings.

use std::time::Duration;

use heapwright_explore::symbolic::Limits;
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::symbolic::Crew;
use heapwright_techniques::verify::{
    self, CLASSES, Program, Property, Verdict, VerifyReport, VerifyRequest, Widening,
};
use heapwright_testkit::fixtures::{Fixture, verifiers};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;

/// Characters that operations treat unlike others, some of them only in UTF-16.
const UNITS: [u16; 22] = [
    0x00, 0x09, 0x1C, 0x20, 0x31, 0x41, 0x49, 0x61, 0x69, 0x73, 0xA0, 0xDF, 0x130, 0x131, 0x17F,
    0x180E, 0x2003, 0x2007, 0x212A, 0xD83D, 0xDE00, 0xFFFF,
];
/// Groups of questions in the fixture.
const GROUPS: u32 = 16;
/// Most questions of a group, and how many of them are asked at once.
const QUESTIONS: u64 = 18;
const ASKED: u32 = 4;
/// Pairs of strings.
const PAIRS: u64 = 2;
/// Time limit of a search, which decides nothing then.
const TIME: Duration = Duration::from_secs(3);

fn text(random: &mut Random) -> Vec<u16> {
    let length = random.below(4);
    let unit = |_| match random.below(3) {
        0 => 0x61,
        _ => UNITS[random.below(UNITS.len() as u64) as usize],
    };
    (0..length).map(unit).collect()
}

/// Questions, as binary digits: all of them of strings that are known, of which each is soon answered.
fn asked(random: &mut Random, are_known: bool) -> String {
    let mut asked = match are_known {
        true => (1 << QUESTIONS) - 1,
        false => 0_u64,
    };
    while asked.count_ones() < ASKED {
        asked |= 1 << random.below(QUESTIONS);
    }
    format!("{asked:b}")
}

fn numbers(text: &[u16]) -> String {
    let units: Vec<String> = text.iter().map(u16::to_string).collect();
    units.join(",")
}

#[test]
#[ignore = "long"]
fn open_strings_may_give_the_answers_of_all_known_ones() {
    let classes = Fixture::new(&["--release", "17", "-g", "-nowarn"])
        .against(&verifiers())
        .package("verify")
        .classes();
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let mut config = Config::new(jdk, vec![classes]);
    config.embedded = CLASSES;
    config.assertions = true;
    config.discards_output = true;
    let mut vm = Vm::new(config.clone()).unwrap();
    let wanted = std::env::var("HEAPWRIGHT_RANDOM").ok();
    let pairs = wanted.and_then(|wanted| wanted.parse().ok());
    let mut random = Random::new(1);
    let mut decided = 0;
    let mut all = 0;
    for _ in 0..pairs.unwrap_or(PAIRS) {
        let first = text(&mut random);
        let second = match random.below(3) {
            0 => first.clone(),
            _ => text(&mut random),
        };
        for group in 0..GROUPS {
            for before in [true, false] {
                let words = [
                    numbers(&first),
                    numbers(&second),
                    group.to_string(),
                    before.to_string(),
                    asked(&mut random, before),
                ];
                let report = report(&mut vm, &config, &words);
                // What the bounds have cut is no part of the answer.
                assert_ne!(
                    report.verdict,
                    Verdict::True,
                    "{words:?}: {:?}",
                    report.cut()
                );
                all += 1;
                let is_false = matches!(report.verdict, Verdict::False(_));
                decided += u32::from(is_false && report.rounds.len() == 1);
            }
        }
    }
    // A search that decides nothing would prove nothing.
    assert!(decided * 5 >= all * 4, "{decided} of {all}");
}

/// Report on a search over strings of any length.
fn report(vm: &mut Vm, config: &Config, words: &[String]) -> VerifyReport {
    let mut first = verify::initial();
    first.bounds.opaque_texts = true;
    let request = VerifyRequest {
        class: "verify.SameAnswers".to_owned(),
        program: Program::Main(words.to_vec()),
        opened: Vec::new(),
        property: Property::Assertions,
        first,
        merges: Some(false),
        is_bounded: false,
        widening: Widening {
            scope: false,
            loops: false,
            steps: false,
            room: false,
            values: false,
        },
        limits: Limits::default(),
        time: Some(TIME),
    };
    let mut crew = Crew {
        jobs: 1,
        more: &|| Vm::new(config.clone()).ok(),
        stops: &|| false,
        watch: &mut |_| {},
    };
    verify::verify(vm, &request, &mut crew, &mut |_| {}).unwrap()
}
