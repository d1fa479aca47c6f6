//! Control flow, and exceptions that instructions throw by themselves.

use heapwright_code::{ControlFlow, operands, thrown};
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_testkit::jdk::all_jdks;
use ristretto_jimage::Image;

use crate::{listing, sample};

/// Computes the stack depth at each instruction; the error names an instruction that is
/// unreachable or has two depths.
fn depths(listing: &Listing, flow: &ControlFlow) -> Result<Vec<i32>, String> {
    let mut depths = vec![None; flow.count()];
    let mut open = vec![(0, 0)];
    while let Some((number, depth)) = open.pop() {
        match depths[number] {
            Some(known) if known == depth => continue,
            Some(known) => return Err(format!("{}: {known} and {depth}", flow.at(number))),
            None => depths[number] = Some(depth),
        }
        let (pop, push) = listing.instructions[number].effect;
        let after = depth - i32::from(pop) + i32::from(push);
        open.extend(flow.next(number).iter().map(|&next| (next, after)));
        open.extend(flow.handlers(number).map(|handler| (handler, 1)));
    }
    let all = depths.iter().enumerate();
    let all = all.map(|(number, depth)| depth.ok_or(format!("{} is not reached", flow.at(number))));
    all.collect()
}

/// Every instruction has one stack depth (JVMS §4.10), and `javac` writes no unreachable code
/// (JLS §14.22). A missing or wrong edge therefore fails the test.
#[test]
fn every_instruction_is_reached_at_one_depth() {
    let jdk = Jdk::find(Some(&all_jdks()[0].home)).unwrap();
    let image = Image::from_file(&jdk.home.join("lib/modules")).unwrap();
    let resources = image.iter().map(Result::unwrap);
    let packages = ["java/util", "java/text", "java/math", "java/util/stream"];
    let names = resources
        .filter(|resource| packages.contains(&resource.parent()) && resource.extension() == "class")
        .map(|resource| format!("{}/{}", resource.parent(), resource.base()));
    let names: Vec<String> = names.collect();
    let mut vm = Vm::new(Config::new(jdk, Vec::new())).unwrap();
    let (mut methods, mut instructions, mut wrong) = (0, 0, Vec::new());
    for name in names {
        let Ok(class) = vm.load_class(&name) else {
            continue;
        };
        for method in vm.class(class).methods.clone() {
            let Ok(listing) = vm.listing(method) else {
                continue;
            };
            let flow = ControlFlow::new(&listing);
            methods += 1;
            instructions += flow.count();
            if let Err(reason) = depths(&listing, &flow) {
                wrong.push(format!("{}: {reason}", vm.method_text(method)));
            }
            for number in 0..flow.count() {
                assert_eq!(flow.place(flow.at(number)), Some(number));
                assert_eq!(flow.is_fork(number), flow.next(number).len() > 1);
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(
        methods > 5_000 && instructions > 100_000,
        "{methods}, {instructions}"
    );
}

#[test]
fn distances_are_those_to_the_nearest_end() {
    let mut vm = sample();
    let listing = listing(&mut vm, "tested");
    let flow = ControlFlow::new(&listing);
    let distances = flow.distances(|_| 1, |number| flow.is_return(number));
    let forks: Vec<usize> = (0..flow.count()).filter(|&at| flow.is_fork(at)).collect();
    assert_eq!(forks, [1]);
    // aload, ifnonnull, iconst, ireturn.
    assert_eq!(distances[..4], [4, 3, 2, 1]);
    // The other successor calls a method.
    assert_eq!(distances[flow.next(1)[1]], 6);
}

/// Returns the exceptions that a method's instructions throw by themselves: line and class
/// without package.
fn thrown_by(vm: &mut Vm, name: &str) -> Vec<String> {
    let listing = listing(vm, name);
    let known = operands(&listing, &ControlFlow::new(&listing), true);
    let first = listing.instructions[0].line.unwrap();
    let mut all = Vec::new();
    for (listed, known) in listing.instructions.iter().zip(known) {
        let thrown = thrown(&listed.step, known.unwrap());
        let line = listed.line.unwrap() - first;
        let names = thrown.into_iter().map(|one| one.class());
        all.extend(names.map(|name| format!("+{line} {}", name.trim_start_matches("java/lang/"))));
    }
    all
}

#[test]
fn what_is_known_not_to_throw_is_left_out() {
    let mut vm = sample();
    // A receiver, a new object, constant divisors and lengths, through variables.
    assert_eq!(thrown_by(&mut vm, "certain"), Vec::<String>::new());
    assert_eq!(
        thrown_by(&mut vm, "possible"),
        [
            "+0 ArithmeticException",
            "+0 NullPointerException",
            "+1 NegativeArraySizeException",
            "+2 NullPointerException",
            "+2 ArrayIndexOutOfBoundsException",
            "+3 ClassCastException",
            "+3 NullPointerException",
        ]
    );
    // Behind a null test, and behind a dereference that would have thrown before.
    assert_eq!(thrown_by(&mut vm, "tested"), Vec::<String>::new());
    // One of two constants other than 0, until a loop decrements it.
    assert_eq!(
        thrown_by(&mut vm, "looped"),
        ["+3 NullPointerException", "+3 ArithmeticException"]
    );
}

#[test]
fn subroutines_are_not_followed() {
    let mut vm = sample();
    let mut listing = listing(&mut vm, "certain");
    listing.instructions[0].step = ListedOperation::Subroutine;
    let known = operands(&listing, &ControlFlow::new(&listing), true);
    let may_be_null = known.iter().all(|known| known.unwrap().may_be_null);
    assert!(may_be_null && known.len() == listing.instructions.len());
}
