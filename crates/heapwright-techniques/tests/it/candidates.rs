//! Static analysis of call sequences, by the code of the classes in `fixtures/src/sequences`.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::sequences::{
    Analysis, Candidates, FlowAnalysis, MemberAccess, MemberScope, ParameterSpec, system, tree_text,
};
use heapwright_techniques::statements::expression;
use heapwright_techniques::target::find_class;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

fn machine() -> Vm {
    let fixture = Fixture::new(&["-g", "-nowarn"]).package("sequences");
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    Vm::new(Config::new(jdk, vec![fixture.classes()])).unwrap()
}

fn scope(vm: &mut Vm, class: &str, access: MemberAccess) -> MemberScope {
    let class = find_class(vm, class).unwrap();
    MemberScope {
        factories: Vec::new(),
        constants: Vec::new(),
        classes: system(vm, class, &[], &|| false).classes,
        access,
        include: Vec::new(),
        exclude: Vec::new(),
        supports: Vec::new(),
        tested: Vec::new(),
    }
}

fn analysed(vm: &mut Vm, class: &str, access: MemberAccess) -> Analysis {
    let scope = scope(vm, class, access);
    Analysis::new(vm, &scope, &mut FlowAnalysis::default(), &|| false).unwrap()
}

/// Analyses a class on a machine of its own and runs a test on the result.
fn with(class: &str, access: MemberAccess, act: impl FnOnce(&mut Vm, &Analysis)) {
    let mut vm = machine();
    let analysis = analysed(&mut vm, class, access);
    act(&mut vm, &analysis);
}

/// Returns the number of the invokable with a name.
fn number(vm: &Vm, analysis: &Analysis, name: &str) -> usize {
    let mut numbers = 0..analysis.invokables.len();
    let found = numbers.find(|&number| analysis.name(vm, number) == name);
    found.unwrap_or_else(|| panic!("no {name} in\n{}", analysis.text(vm)))
}

fn numbers<const N: usize>(vm: &Vm, analysis: &Analysis, names: [&str; N]) -> [usize; N] {
    names.map(|name| number(vm, analysis, name))
}

fn check_table(class: &str, expected: Expect) {
    with(class, MemberAccess::Package, |vm, analysis| {
        expected.assert_eq(&analysis.text(vm));
    });
}

/// Returns all candidates up to a length.
fn all(analysis: &Analysis, method: usize, max_length: usize) -> Vec<Vec<usize>> {
    let mut candidates = Candidates::new(&analysis.criteria, method, max_length);
    let mut found = Vec::new();
    while let Some(sequence) = candidates.advance() {
        found.push(sequence.to_vec());
    }
    found
}

/// Returns the candidates that are worth running.
fn explorable(analysis: &Analysis, method: usize, max_length: usize) -> Vec<Vec<usize>> {
    let mut candidates = Candidates::new(&analysis.criteria, method, max_length);
    let mut found = Vec::new();
    while let Some(sequence) = candidates.next_linked() {
        found.push(sequence.to_vec());
    }
    found
}

#[test]
fn what_stops_the_analysis_is_told() {
    let mut vm = machine();
    let scope = scope(&mut vm, "sequences.Canvas", MemberAccess::Public);
    let stopped = Analysis::new(&mut vm, &scope, &mut FlowAnalysis::default(), &|| true);
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert!(Analysis::new(&mut vm, &scope, &mut FlowAnalysis::default(), &|| false).is_ok());
}

#[test]
fn an_analysis_that_grows_finds_the_same() {
    for class in ["sequences.Canvas", "sequences.CoinBox"] {
        let mut vm = machine();
        let whole = scope(&mut vm, class, MemberAccess::Private);
        let mut part = whole.clone();
        part.classes.truncate(1);
        part.access = MemberAccess::Public;
        let mut data_flow = FlowAnalysis::default();
        let first = Analysis::new(&mut vm, &part, &mut data_flow, &|| false).unwrap();
        let grown = Analysis::new(&mut vm, &whole, &mut data_flow, &|| false).unwrap();
        let fresh =
            FlowAnalysis::default().flows(&mut vm, &grown.invokables, &whole.classes, &|| false);
        assert!(first.invokables.len() < grown.invokables.len());
        for number in 0..grown.invokables.len() {
            assert_eq!(grown.flows.effects(number), fresh.effects(number));
        }
    }
}

#[test]
fn the_table_of_the_monitor() {
    check_table(
        "sequences.TemperatureMonitor",
        expect![[r#"
        Invokable               Defines               Uses         Arguments           Returns
        TemperatureMonitor()    enabled, temperature  -            -                   TemperatureMonitor
        setEnabled(boolean)     enabled               -            TemperatureMonitor  -
        updateTemperature(int)  temperature           enabled      TemperatureMonitor  -
        getTemperature()        -                     temperature  TemperatureMonitor  -
        warning()               -                     temperature  TemperatureMonitor  -
    "#]],
    );
}

#[test]
fn the_tree_of_the_monitor() {
    with(
        "sequences.TemperatureMonitor",
        MemberAccess::Package,
        |vm, analysis| {
            let warning = number(vm, analysis, "warning()");
            expect![[r#"
                warning()
                  TemperatureMonitor() *
                    TemperatureMonitor() (*)
                  updateTemperature(int)
                    TemperatureMonitor() *
                    setEnabled(boolean)
                    updateTemperature(int)
            "#]]
            .assert_eq(&tree_text(vm, analysis, warning, 3));
            let wanted = numbers(
                vm,
                analysis,
                [
                    "TemperatureMonitor()",
                    "setEnabled(boolean)",
                    "updateTemperature(int)",
                    "warning()",
                ],
            );
            let found = explorable(analysis, warning, 4);
            assert!(found.iter().any(|sequence| *sequence == wanted));
            // From the setter of the field that the update reads, the warning is two steps away.
            let distance = |name| {
                analysis
                    .criteria
                    .distance(number(vm, analysis, name), warning)
            };
            assert_eq!(distance("warning()"), Some(0));
            assert_eq!(distance("updateTemperature(int)"), Some(1));
            assert_eq!(distance("setEnabled(boolean)"), Some(2));
            assert_eq!(distance("getTemperature()"), None);
        },
    );
}

#[test]
fn one_order_of_three_setters() {
    with(
        "sequences.Calculation",
        MemberAccess::Package,
        |vm, analysis| {
            let [new, a, b, c, calculate] = numbers(
                vm,
                analysis,
                [
                    "Calculation()",
                    "setA(boolean)",
                    "setB(boolean)",
                    "setC(boolean)",
                    "calculate()",
                ],
            );
            let setters = BTreeSet::from([a, b, c]);
            let mut orders = all(analysis, calculate, 5);
            orders.retain(|sequence| {
                sequence.len() == 5
                    && sequence[0] == new
                    && sequence[1..4].iter().copied().collect::<BTreeSet<_>>() == setters
            });
            assert_eq!(orders, [[new, a, b, c, calculate]]);
        },
    );
}

#[test]
fn a_second_object_that_nothing_takes_is_not_linked() {
    with("java.lang.Integer", MemberAccess::Public, |vm, analysis| {
        let [new, hash, compare] = numbers(
            vm,
            analysis,
            ["Integer(int)", "hashCode()", "compareTo(Integer)"],
        );
        let two = vec![new, new, hash];
        assert!(all(analysis, hash, 3).contains(&two));
        assert!(analysis.criteria.is_executable(&two));
        assert!(!analysis.criteria.is_linked(&two));
        assert!(!explorable(analysis, hash, 3).contains(&two));
        assert!(analysis.criteria.is_linked(&[new, new, compare]));
        assert!(!analysis.criteria.is_linked(&[new, new, new, compare]));
    });
}

#[test]
fn static_state_links() {
    check_table(
        "sequences.Registry",
        expect![[r#"
        Invokable   Defines     Uses        Arguments  Returns
        Registry()  -           -           -          Registry
        register()  registered  registered  -          -
        isFull()    -           registered  -          -
    "#]],
    );
    with(
        "sequences.Registry",
        MemberAccess::Public,
        |vm, analysis| {
            let [new, register, full] =
                numbers(vm, analysis, ["Registry()", "register()", "isFull()"]);
            assert!(
                explorable(analysis, full, 4).contains(&vec![register, register, register, full])
            );
            // An object without fields is independent of it.
            assert!(!analysis.criteria.is_linked(&[new, full]));
            assert_eq!(analysis.criteria.distance(new, full), None);
        },
    );
}

#[test]
fn arrays_are_filled_from_the_inside() {
    check_table(
        "sequences.Grid",
        expect![[r#"
        Invokable         Defines     Uses                                 Arguments         Returns
        Grid(Cell[][])    cells       -                                    Cell[][]          Grid
        isAlive(int,int)  -           Cell.alive, cells, Cell[], Cell[][]  Grid              -
        Cell()            Cell.alive  -                                    -                 Cell
        Cell.alive = x    Cell.alive  -                                    Cell              -
        new Cell[]        Cell[]      -                                    Cell              Cell[]
        Cell[i] = x       Cell[]      -                                    Cell[], Cell      -
        new Cell[][]      Cell[][]    -                                    Cell[]            Cell[][]
        Cell[i][] = x     Cell[][]    -                                    Cell[][], Cell[]  -
    "#]],
    );
    with("sequences.Grid", MemberAccess::Public, |vm, analysis| {
        let wanted = numbers(
            vm,
            analysis,
            [
                "Cell()",
                "Cell.alive = x",
                "new Cell[]",
                "new Cell[][]",
                "Grid(Cell[][])",
                "isAlive(int,int)",
            ],
        );
        let found = explorable(analysis, wanted[5], 6);
        assert!(found.iter().any(|sequence| *sequence == wanted));
        let [store, alive] = numbers(vm, analysis, ["Cell[i] = x", "isAlive(int,int)"]);
        assert!(analysis.criteria.influences(store, alive));
    });
}

#[test]
fn any_object_is_one_of_those_asked_for() {
    with("sequences.Wide", MemberAccess::Public, |vm, analysis| {
        let tried = |name: &str, at: usize| {
            let takes: &ParameterSpec =
                &analysis.invokables[number(vm, analysis, name)].parameters[at];
            let classes = takes.classes.as_ref().unwrap();
            let names = classes.iter().map(|&class| vm.binary_name(class));
            names.collect::<Vec<_>>()
        };
        assert_eq!(
            tried("equals(Object)", 1),
            [
                "sequences.Wide",
                "sequences.Wide$Narrow",
                "java.lang.Integer"
            ]
        );
        assert_eq!(tried("see(Object)", 1), ["java.lang.Integer"]);
        // The list's own fields show that one call influences the other.
        let [see, count] = numbers(vm, analysis, ["see(Object)", "count()"]);
        assert!(analysis.criteria.influences(see, count));
        assert!(!analysis.criteria.influences(count, see));
    });
}

#[test]
fn arrays_and_lambdas_lead_to_state() {
    check_table(
        "sequences.Tally",
        expect![[r#"
        Invokable       Defines                                         Uses                             Arguments  Returns
        Tally()         counts, factor, marks, scale, boolean[], int[]  factor                           -          Tally
        reset()         int[]                                           counts, int[]                    Tally      -
        copy()          counts, int[]                                   counts, int[]                    Tally      -
        mark(int)       boolean[]                                       marks                            Tally      -
        setFactor(int)  factor                                          -                                Tally      -
        scaled(int)     -                                               factor, marks, scale, boolean[]  Tally      -
        count(int)      -                                               counts, int[]                    Tally      -
    "#]],
    );
}

#[test]
fn classes_of_every_form() {
    check_table(
        "sequences.Canvas",
        expect![[r#"
        Invokable              Defines          Uses                                   Arguments             Returns
        Canvas()               last, seen       -                                      -                     Canvas
        add(Shape,Color)       last, seen       Color.RED, seen                        Canvas, Shape, Color  -
        addAll(Shape[])        last, seen       Color.GREEN, Color.RED, seen, Shape[]  Canvas, Shape[]       -
        area()                 -                Circle.radius, Square.side, last       Canvas                -
        forget(Cursor)         Cursor.at, last  -                                      Canvas, Cursor        -
        Shape.area()           -                Circle.radius, Square.side             Shape                 -
        Color.RED              -                -                                      -                     Color
        Color.GREEN            -                -                                      -                     Color
        Cursor()               Cursor.at        seen                                   Canvas                Cursor
        Cursor.at = x          Cursor.at        -                                      Cursor                -
        Circle.of(double)      Circle.radius    -                                      -                     Circle
        Circle.grow()          Circle.radius    Circle.radius                          Circle                -
        Square(double)         Square.side      -                                      -                     Square
        Square.toString()      -                Square.side                            Square                -
        Square.hashCode()      -                Square.side                            Square                -
        Square.equals(Object)  -                Square.side                            Square, Object        -
        Square.side()          -                Square.side                            Square                -
        new Shape[]            Shape[]          -                                      Shape                 Shape[]
        Shape[i] = x           Shape[]          -                                      Shape[], Shape        -
    "#]],
    );
    with("sequences.Canvas", MemberAccess::Package, |vm, analysis| {
        let [of, grow, add, area] = numbers(
            vm,
            analysis,
            [
                "Circle.of(double)",
                "Circle.grow()",
                "add(Shape,Color)",
                "area()",
            ],
        );
        let [new, red, cursor, forget] = numbers(
            vm,
            analysis,
            ["Canvas()", "Color.RED", "Cursor()", "forget(Cursor)"],
        );
        // An object that grows before it is added can as well grow afterwards.
        let found = explorable(analysis, area, 6);
        assert!(found.contains(&vec![new, red, of, add, grow, area]));
        assert!(!found.contains(&vec![new, red, of, grow, add, area]));
        // An inner object cannot be created before its enclosing object.
        assert!(analysis.criteria.is_executable(&[new, cursor, forget]));
        assert!(!analysis.criteria.is_executable(&[cursor, new, forget]));
    });
}

#[test]
fn objects_lead_to_a_method_in_steps() {
    with("sequences.Canvas", MemberAccess::Package, |vm, analysis| {
        let names = [
            "area()",
            "Canvas()",
            "add(Shape,Color)",
            "Circle.of(double)",
            "Circle.grow()",
            "Color.RED",
        ];
        let [area, rest @ ..] = numbers(vm, analysis, names);
        let distances = analysis.criteria.object_distances(&[area]);
        assert_eq!(distances[area], Some(0));
        // A canvas, or a call on one; then what is added to one.
        assert_eq!(
            rest.map(|number| distances[number]),
            [Some(1), Some(1), Some(2), Some(2), Some(2)]
        );
    });
}

#[test]
fn what_is_included_and_what_not() {
    let mut vm = machine();
    let mut scope = scope(&mut vm, "sequences.CoinBox", MemberAccess::Package);
    let mut names = |scope: &MemberScope| {
        let analysis = Analysis::new(&mut vm, scope, &mut FlowAnalysis::default(), &|| false)
            .map_err(|error| error.to_string())?;
        let numbers = 0..analysis.invokables.len();
        Ok::<_, String>(numbers.map(|at| analysis.name(&vm, at)).collect::<Vec<_>>())
    };
    scope.include = vec![
        expression("<init>").unwrap(),
        expression(r"vend\(\)").unwrap(),
    ];
    assert_eq!(names(&scope).unwrap(), ["CoinBox()", "vend()"]);
    scope.include = Vec::new();
    scope.exclude = vec![expression(r"sequences\.CoinBox\.(add|return).*").unwrap()];
    assert_eq!(names(&scope).unwrap(), ["CoinBox()", "vend()"]);
    scope.access = MemberAccess::Private;
    assert_eq!(
        names(&scope).unwrap()[2..],
        ["total = x", "current = x", "allowVend = x"]
    );
    scope.access = MemberAccess::Public;
    assert!(names(&scope).unwrap().is_empty());
    scope.include = vec![expression("sell").unwrap()];
    let message = names(&scope).unwrap_err();
    assert!(message.ends_with("that fits sell"), "{message}");
}

/// Definitions applied directly to one pair or sequence at a time.
struct Definitions<'a> {
    vm: &'a mut Vm,
    analysis: &'a Analysis,
}

impl Definitions<'_> {
    /// Whether one gives an object that another can take at a place.
    fn gives(&mut self, first: usize, takes: &ParameterSpec) -> bool {
        let Some(given) = self.analysis.invokables[first].result.clone() else {
            return false;
        };
        let boxes = "Boolean Byte Character Short Integer Long Float Double String";
        let is_value = |descriptor: &str| {
            let mut names = boxes.split(' ');
            descriptor.len() == 1 || names.any(|name| descriptor == format!("Ljava/lang/{name};"))
        };
        if is_value(&given) || is_value(&takes.descriptor) {
            return false;
        }
        let load = |vm: &mut Vm, text: &str| {
            let name = text
                .strip_prefix('L')
                .and_then(|text| text.strip_suffix(';'));
            vm.load_class(name.unwrap_or(text)).unwrap()
        };
        let from = load(self.vm, &given);
        let to = load(self.vm, &takes.descriptor);
        let vm = &self.vm;
        vm.is_subclass(from, to)
            && match &takes.classes {
                None => true,
                Some(classes) => classes.iter().any(|&class| {
                    let name = heapwright_jvm::descriptor::of_class(vm.class_name(class));
                    !is_value(&name) && (vm.is_subclass(from, class) || vm.is_subclass(class, from))
                }),
            }
    }

    fn shares_static(&self, first: usize, second: usize) -> bool {
        let [first, second] = [first, second].map(|one| self.analysis.flows.effects(one));
        first
            .static_defines
            .intersection(&second.static_uses)
            .next()
            .is_some()
    }

    fn influences(&mut self, first: usize, second: usize) -> bool {
        let takes = &self.analysis.invokables[second].parameters;
        if takes.iter().any(|takes| self.gives(first, takes)) || self.shares_static(first, second) {
            return true;
        }
        let [first, second] = [first, second].map(|one| self.analysis.flows.effects(one));
        let vm = &self.vm;
        first
            .defines
            .iter()
            .any(|field| second.uses.contains(field))
            || first.stores.iter().any(|&stored| {
                let mut loads = second.loads.iter();
                loads
                    .any(|&loaded| vm.is_subclass(stored, loaded) || vm.is_subclass(loaded, stored))
            })
    }

    fn is_candidate(&mut self, sequence: &[usize]) -> bool {
        (0..sequence.len() - 1).all(|at| {
            let (first, rest) = (sequence[at], &sequence[at + 1..]);
            rest.iter().any(|&later| self.influences(first, later))
                && (first <= rest[0] || self.influences(first, rest[0]))
        })
    }

    fn is_executable(&mut self, sequence: &[usize]) -> bool {
        let analysis = self.analysis;
        (0..sequence.len()).all(|at| {
            let takes = &analysis.invokables[sequence[at]].parameters;
            takes
                .iter()
                .filter(|takes| takes.is_receiver)
                .all(|takes| sequence[..at].iter().any(|&giver| self.gives(giver, takes)))
        })
    }

    /// Whether some choice of an earlier object for each argument leaves one connected component.
    fn is_linked(&mut self, sequence: &[usize]) -> bool {
        let mut choices: Vec<Vec<(usize, usize)>> = Vec::new();
        for at in 0..sequence.len() {
            for earlier in 0..at {
                if self.shares_static(sequence[earlier], sequence[at]) {
                    choices.push(vec![(earlier, at)]);
                }
            }
            for takes in &self.analysis.invokables[sequence[at]].parameters {
                let givers = (0..at).filter(|&earlier| self.gives(sequence[earlier], takes));
                let choice: Vec<_> = givers.map(|earlier| (earlier, at)).collect();
                if !choice.is_empty() {
                    choices.push(choice);
                }
            }
        }
        let total: usize = choices.iter().map(Vec::len).product();
        (0..total).any(|mut number| {
            let mut pieces: Vec<usize> = (0..sequence.len()).collect();
            for choice in &choices {
                let (one, other) = choice[number % choice.len()];
                number /= choice.len();
                let (old, new) = (pieces[one], pieces[other]);
                for piece in pieces.iter_mut().filter(|piece| **piece == old) {
                    *piece = new;
                }
            }
            pieces.iter().all(|&piece| piece == pieces[0])
        })
    }
}

/// Returns all sequences of a length that end with a number, in the order of their numbers from the
/// end.
fn sequences(count: usize, method: usize, length: usize) -> Vec<Vec<usize>> {
    let mut found = vec![vec![method]];
    for _ in 1..length {
        let longer = found
            .iter()
            .flat_map(|rest| (0..count).map(move |first| [&[first], &rest[..]].concat()));
        found = longer.collect();
    }
    found
}

/// Classes of the fixtures.
const CLASSES: [&str; 8] = [
    "sequences.TemperatureMonitor",
    "sequences.Calculation",
    "sequences.CoinBox",
    "sequences.Wide",
    "sequences.Grid",
    "sequences.Registry",
    "sequences.Canvas",
    "sequences.Tally",
];

#[test]
fn an_analysis_does_not_depend_on_what_was_loaded_before() {
    let texts = |vm: &mut Vm, classes: &mut dyn Iterator<Item = &str>| {
        let texts = classes.map(|class| analysed(vm, class, MemberAccess::Package).text(vm));
        texts.collect::<Vec<_>>()
    };
    let all = || CLASSES.into_iter().chain(["java.util.TreeMap"]);
    let forwards = texts(&mut machine(), &mut all());
    let mut backwards = texts(&mut machine(), &mut all().rev());
    backwards.reverse();
    for (one, other) in forwards.iter().zip(&backwards) {
        assert_eq!(one, other);
    }
}

#[test]
fn candidates_are_what_the_definitions_let_through() {
    let mut vm = machine();
    let mut unlinked = 0;
    for class in CLASSES {
        let analysis = &analysed(&mut vm, class, MemberAccess::Package);
        let count = analysis.invokables.len();
        for method in 0..count {
            let generated = all(analysis, method, 4);
            let explored = explorable(analysis, method, 4);
            let mut definitions = Definitions {
                vm: &mut vm,
                analysis,
            };
            let lengths = 1..=4;
            let mut wanted: Vec<Vec<usize>> = lengths
                .flat_map(|length| sequences(count, method, length))
                .collect();
            wanted.retain(|sequence| definitions.is_candidate(sequence));
            assert_eq!(generated, wanted, "{class} {method}");
            wanted.retain(|sequence| definitions.is_executable(sequence));
            let executable = wanted.len();
            wanted.retain(|sequence| definitions.is_linked(sequence));
            unlinked += executable - wanted.len();
            assert_eq!(explored, wanted, "{class} {method}");
            let mut candidates = Candidates::new(&analysis.criteria, method, 4);
            while candidates.advance().is_some() {}
            let counts = candidates.counts();
            let counts = [counts.generated, counts.executable, counts.linked];
            let lengths = [generated.len(), executable, wanted.len()];
            assert_eq!(counts.map(|count| count as usize), lengths);
        }
    }
    assert!(unlinked > 20, "{unlinked}");
}

#[test]
fn a_class_of_the_library_is_analysed() {
    with("java.util.TreeMap", MemberAccess::Public, |vm, analysis| {
        let [new, put, get, first] = numbers(
            vm,
            analysis,
            [
                "TreeMap()",
                "put(Object,Object)",
                "get(Object)",
                "firstKey()",
            ],
        );
        let criteria = &analysis.criteria;
        assert!(criteria.influences(put, get) && criteria.influences(put, first));
        assert!(!criteria.influences(get, first));
        assert!(explorable(analysis, first, 3).contains(&vec![new, put, first]));
    });
}
