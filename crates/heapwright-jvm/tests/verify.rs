//! The verifier refuses hostile code, by name and reason, and accepts what is unusual but legal.
//!
//! A case is a block of `verify/refused.txt` or `verify/accepted.txt`: a method in assembler, put
//! into a class `t/Case` that extends `t/A`. Beside it stand `t/B`, which extends `t/A`, `t/C`,
//! which does not, and the interfaces `t/I` and `t/J`. To add a case, add a block.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::HashMap;
use std::path::Path;

use heapwright_jvm::{Config, Exit, Jdk, Vm};

/// The mnemonics of opcodes 0 to 201.
const MNEMONICS: &str = "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0
    lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload
    aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0
    dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload
    istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3
    fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3
    iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2
    swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg
    lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l
    f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne
    if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn
    lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial
    invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof
    monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w";

/// A constant pool under construction.
#[derive(Default)]
struct Pool {
    entries: Vec<Vec<u8>>,
    next: u16,
    known: HashMap<Vec<u8>, u16>,
}

impl Pool {
    fn add(&mut self, entry: Vec<u8>) -> u16 {
        if let Some(&index) = self.known.get(&entry) {
            return index;
        }
        self.next += 1;
        let index = self.next;
        // Longs and doubles take two places.
        self.next += u16::from(matches!(entry[0], 5 | 6));
        self.known.insert(entry.clone(), index);
        self.entries.push(entry);
        index
    }

    fn utf8(&mut self, text: &str) -> u16 {
        self.add([&[1, 0, text.len() as u8], text.as_bytes()].concat())
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.add([&[tag][..], &first.to_be_bytes(), &second.to_be_bytes()].concat())
    }

    fn single(&mut self, tag: u8, text: &str) -> u16 {
        let index = self.utf8(text);
        self.add([&[tag][..], &index.to_be_bytes()].concat())
    }

    fn class(&mut self, name: &str) -> u16 {
        self.single(7, name)
    }

    fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    /// `a/B.name:descriptor`, or `a/B.name(descriptor)`.
    fn member(&mut self, tag: u8, text: &str) -> u16 {
        let (class, rest) = text.split_once('.').unwrap();
        let (name, descriptor) = match rest.find('(') {
            Some(at) => rest.split_at(at),
            None => rest.split_once(':').unwrap(),
        };
        let class = self.class(class);
        let pair = self.name_and_type(name, descriptor);
        self.pair(tag, class, pair)
    }

    /// What `ldc` and its kin name.
    fn constant(&mut self, kind: &str, text: &str) -> u16 {
        match kind {
            "int" => self.add([&[3][..], &text.parse::<i32>().unwrap().to_be_bytes()].concat()),
            "float" => self.add([&[4][..], &text.parse::<f32>().unwrap().to_be_bytes()].concat()),
            "long" => self.add([&[5][..], &text.parse::<i64>().unwrap().to_be_bytes()].concat()),
            "double" => self.add([&[6][..], &text.parse::<f64>().unwrap().to_be_bytes()].concat()),
            "string" => self.single(8, text),
            "class" => self.class(text),
            "type" => self.single(16, text),
            "utf8" => self.utf8(text),
            "static" | "virtual" | "construct" => {
                let method = self.member(10, text);
                let kind = match kind {
                    "static" => 6,
                    "virtual" => 5,
                    _ => 8,
                };
                self.add([&[15, kind][..], &method.to_be_bytes()].concat())
            }
            "field" => self.member(9, text),
            "dynamic" => {
                let (name, descriptor) = text.split_once(':').unwrap();
                let pair = self.name_and_type(name, descriptor);
                self.pair(17, 0, pair)
            }
            other => panic!("constant {other}"),
        }
    }
}

/// A method in assembler.
#[derive(Default)]
struct Assembly {
    code: Vec<u8>,
    labels: HashMap<String, usize>,
    /// Where a distance of two bytes stands, what it is counted from, and where it goes.
    branches: Vec<(usize, usize, String)>,
    catches: Vec<(String, String, String, u16)>,
    /// Handle and arguments of the only bootstrap method.
    bootstrap: Vec<u16>,
}

impl Assembly {
    fn line(&mut self, pool: &mut Pool, line: &str) {
        if let Some(label) = line.strip_suffix(':') {
            self.labels.insert(label.to_owned(), self.code.len());
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[0] == "catch" {
            let class = if words[4] == "*" {
                0
            } else {
                pool.class(words[4])
            };
            self.catches.push((
                words[1].to_owned(),
                words[2].to_owned(),
                words[3].to_owned(),
                class,
            ));
            return;
        }
        if words[0] == "bootstrap" {
            self.bootstrap = words[1..]
                .chunks(2)
                .map(|pair| pool.constant(pair[0], pair[1]))
                .collect();
            return;
        }
        let opcode = MNEMONICS
            .split_whitespace()
            .position(|mnemonic| mnemonic == words[0]);
        let opcode = opcode.unwrap_or_else(|| panic!("{line}")) as u8;
        let at = self.code.len();
        self.code.push(opcode);
        let number = |index: usize| words[index].parse::<i32>().unwrap();
        match opcode {
            16 | 188 => self.code.push(number(1) as u8),
            17 => self.code.extend((number(1) as i16).to_be_bytes()),
            18 => self.code.push(pool.constant(words[1], words[2]) as u8),
            19 | 20 => self
                .code
                .extend(pool.constant(words[1], words[2]).to_be_bytes()),
            21..=25 | 54..=58 | 169 => self.code.push(number(1) as u8),
            132 => self.code.extend([number(1) as u8, number(2) as u8]),
            153..=168 | 198 | 199 => {
                self.branches.push((at + 1, at, words[1].to_owned()));
                self.code.extend([0, 0]);
            }
            170 => {
                self.code.resize(self.code.len().next_multiple_of(4), 0);
                let high = words.len() as i32 - 3;
                for (index, label) in words[1..].iter().enumerate() {
                    // The default, then the bounds, then the targets.
                    self.branches
                        .push((self.code.len() + 2, at, (*label).to_owned()));
                    self.code.extend([0; 4]);
                    if index == 0 {
                        self.code.extend(0i32.to_be_bytes());
                        self.code.extend(high.to_be_bytes());
                    }
                }
            }
            178..=181 => self.code.extend(pool.member(9, words[1]).to_be_bytes()),
            182..=184 => {
                let tag = if words.get(2) == Some(&"interface") {
                    11
                } else {
                    10
                };
                self.code.extend(pool.member(tag, words[1]).to_be_bytes());
            }
            185 => {
                let tag = if words.get(3) == Some(&"class") {
                    10
                } else {
                    11
                };
                self.code.extend(pool.member(tag, words[1]).to_be_bytes());
                self.code.extend([number(2) as u8, 0]);
            }
            186 => {
                let (name, descriptor) = words[1].split_at(words[1].find('(').unwrap());
                let pair = pool.name_and_type(name, descriptor);
                self.code.extend(pool.pair(18, 0, pair).to_be_bytes());
                self.code.extend([0, 0]);
            }
            187 | 189 | 192 | 193 => self.code.extend(pool.class(words[1]).to_be_bytes()),
            197 => {
                self.code.extend(pool.class(words[1]).to_be_bytes());
                self.code.push(number(2) as u8);
            }
            _ => {}
        }
    }

    /// The content of the `Code` attribute.
    fn content(mut self, stack: u16, locals: u16) -> Vec<u8> {
        for (at, from, label) in &self.branches {
            let distance = (self.labels[label] as i32 - *from as i32) as i16;
            if *at > from + 1 && distance < 0 {
                self.code[at - 2..*at].fill(0xFF);
            }
            self.code[*at..at + 2].copy_from_slice(&distance.to_be_bytes());
        }
        let mut content = [stack.to_be_bytes(), locals.to_be_bytes()].concat();
        content.extend((self.code.len() as u32).to_be_bytes());
        content.extend(&self.code);
        content.extend((self.catches.len() as u16).to_be_bytes());
        for (start, end, handler, class) in &self.catches {
            for label in [start, end, handler] {
                content.extend((self.labels[label] as u16).to_be_bytes());
            }
            content.extend(class.to_be_bytes());
        }
        content.extend([0, 0]);
        content
    }
}

/// A class file with the fields `own` and at most one method.
fn class_file(
    version: u16,
    flags: u16,
    name: &str,
    above: &str,
    method: Option<(&str, &str)>,
) -> Vec<u8> {
    let mut pool = Pool::default();
    let header = [flags, pool.class(name), pool.class(above), 0]
        .map(u16::to_be_bytes)
        .concat();
    let mut members = Vec::new();
    if flags & 0x200 == 0 {
        members.extend(
            [1, 0, pool.utf8("own"), pool.utf8("I"), 0]
                .map(u16::to_be_bytes)
                .concat(),
        );
    } else {
        members.extend([0, 0]);
    }
    let mut bootstrap = Vec::new();
    match method {
        None => members.extend([0, 0]),
        Some((head, body)) => {
            let words: Vec<&str> = head.split_whitespace().collect();
            let [access, name, descriptor, stack, locals] = words[..] else {
                panic!("method {head}")
            };
            let access = if access == "static" { 9 } else { 1 };
            let mut assembly = Assembly::default();
            for line in body.lines() {
                assembly.line(&mut pool, line.trim());
            }
            bootstrap.append(&mut assembly.bootstrap);
            let content = assembly.content(stack.parse().unwrap(), locals.parse().unwrap());
            let entry = [
                1,
                access,
                pool.utf8(name),
                pool.utf8(descriptor),
                1,
                pool.utf8("Code"),
            ];
            members.extend(entry.map(u16::to_be_bytes).concat());
            members.extend((content.len() as u32).to_be_bytes());
            members.extend(content);
        }
    }
    let mut attributes = vec![0, 0];
    if let [handle, arguments @ ..] = &bootstrap[..] {
        let name = pool.utf8("BootstrapMethods");
        let mut content = [1, *handle, arguments.len() as u16]
            .map(u16::to_be_bytes)
            .concat();
        content.extend(arguments.iter().flat_map(|argument| argument.to_be_bytes()));
        attributes = [1, name].map(u16::to_be_bytes).concat();
        attributes.extend((content.len() as u32).to_be_bytes());
        attributes.extend(content);
    }
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
    bytes.extend(version.to_be_bytes());
    bytes.extend((pool.next + 1).to_be_bytes());
    bytes.extend(pool.entries.concat());
    bytes.extend(header);
    // The interfaces were none: their number ends the header.
    bytes.extend(members);
    bytes.extend(attributes);
    bytes
}

struct Case {
    name: String,
    version: u16,
    method: String,
    body: String,
    expected: String,
}

/// Blocks `case NAME [VERSION]`, `method ACCESS NAME DESCRIPTOR STACK LOCALS`, code, and, of those
/// refused, `=> MESSAGE`.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(head) = line.strip_prefix("case ") {
            let (name, version) = head.split_once(' ').unwrap_or((head, "61"));
            cases.push(Case {
                name: name.to_owned(),
                version: version.parse().unwrap(),
                method: String::new(),
                body: String::new(),
                expected: String::new(),
            });
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(head) = line.strip_prefix("method ") {
            case.method = head.to_owned();
        } else if let Some(message) = line.strip_prefix("=> ") {
            case.expected = message.to_owned();
        } else {
            case.body.push_str(line);
            case.body.push('\n');
        }
    }
    cases
}

fn jdk() -> Jdk {
    let usual = ["java-17-openjdk-amd64", "temurin-25-jdk-amd64"]
        .map(|name| Path::new("/usr/lib/jvm").join(name));
    let found = Jdk::find(None)
        .ok()
        .or_else(|| usual.iter().find_map(|home| Jdk::at(home).ok()));
    found.expect("a JDK in JAVA_HOME, on the PATH or in its usual folder")
}

/// A machine with a class for each case, and their names.
fn machine(cases: &[Case]) -> (Vm, Vec<String>) {
    let mut classes: Vec<(&'static str, &'static [u8])> = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| classes.push((name.to_owned().leak(), bytes.leak()));
    for (name, above, flags) in [
        ("t/A", "java/lang/Object", 0x21),
        ("t/B", "t/A", 0x21),
        ("t/C", "java/lang/Object", 0x21),
        ("t/I", "java/lang/Object", 0x601),
        ("t/J", "java/lang/Object", 0x601),
        ("t/E", "java/lang/Exception", 0x21),
        ("t/F", "java/lang/Exception", 0x21),
    ] {
        add(name, class_file(52, flags, name, above, None));
    }
    let mut names = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        // `Case` in the code is the class of the case itself.
        let name = format!("t/Case{index}");
        let body = case.body.replace("t/Case", &name);
        let method = case.method.replace("t/Case", &name);
        add(
            &name,
            class_file(case.version, 0x21, &name, "t/A", Some((&method, &body))),
        );
        names.push(name);
    }
    let config = Config {
        embedded: classes.leak(),
        ..Config::new(jdk(), Vec::new())
    };
    (Vm::new(config).unwrap(), names)
}

#[test]
fn refuses_hostile_code() {
    let cases = cases(include_str!("verify/refused.txt"));
    let (mut vm, names) = machine(&cases);
    let mut failures = Vec::new();
    for (case, name) in cases.iter().zip(&names) {
        let class = vm
            .load_class(name)
            .unwrap_or_else(|error| panic!("{}: {error:?}", case.name));
        match vm.verify_class(class) {
            Ok(()) => failures.push(format!("{}: accepted", case.name)),
            Err(message) => {
                // The message names the file and the method before it says what is wrong.
                let place = format!("embedded {name}.class: {}.", name.replace('/', "."));
                let text = message
                    .replace("t.Case", "Case")
                    .replace(&name["t/".len()..], "Case");
                if case.expected.is_empty()
                    || !text.ends_with(&case.expected)
                    || !message.starts_with(&place)
                {
                    failures.push(format!("{}: {text}", case.name));
                }
            }
        }
    }
    assert!(cases.len() >= 35);
    assert_eq!(failures, Vec::<String>::new());
}

#[test]
fn accepts_what_is_unusual_but_legal() {
    let cases = cases(include_str!("verify/accepted.txt"));
    let (mut vm, names) = machine(&cases);
    let mut failures = Vec::new();
    for (case, name) in cases.iter().zip(&names) {
        let class = vm
            .load_class(name)
            .unwrap_or_else(|error| panic!("{}: {error:?}", case.name));
        failures.extend(
            vm.verify_class(class)
                .err()
                .map(|message| format!("{}: {message}", case.name)),
        );
    }
    assert!(cases.len() >= 12);
    assert_eq!(failures, Vec::<String>::new());
}

#[test]
fn hostile_code_is_not_run() {
    let text = "case forged\nmethod static m ()V 1 1\niconst_1\nistore 0\naload 0\npop\nreturn\n";
    let cases = cases(text);
    let (mut vm, names) = machine(&cases);
    let class = vm.load_class(&names[0]).unwrap();
    let method = vm.class(class).methods[0];
    let exit = vm.call(method, &[]).unwrap_err();
    assert!(
        matches!(&exit, Exit::InvalidClass(message) if message.contains("an int in local variable 0")),
        "{exit:?}"
    );
}

/// No compiler writes such code: of an int that is neither 0 nor 1 the lowest bit is stored
/// (JVMS §6.5.bastore).
#[test]
fn a_boolean_in_an_array_is_one_bit() {
    // The argument as an element of an array of the type: 4 is boolean, 8 is byte.
    let case = |array: u8| {
        format!(
            "case store\nmethod static m (I)I 4 1\niconst_1\nnewarray {array}\ndup\niconst_0\n\
             iload_0\nbastore\niconst_0\nbaload\nireturn\n"
        )
    };
    let cases = cases(&(case(4) + &case(8)));
    let (mut vm, names) = machine(&cases);
    let mut stored = |case: usize, value: i32| {
        let class = vm.load_class(&names[case]).unwrap();
        let method = vm.class(class).methods[0];
        vm.call_static(method, &[u64::from(value as u32)]).unwrap() as u32 as i32
    };
    for value in [0, 1, 2, 3, 0x80, 0x100, 0x101, -1, -2, i32::MIN] {
        assert_eq!(stored(0, value), value & 1, "{value} as a boolean");
        assert_eq!(
            stored(1, value),
            i32::from(value as i8),
            "{value} as a byte"
        );
    }
}

/// Class files with a few bytes changed at random: an answer for each, and no panic.
#[test]
fn answers_for_any_bytes() {
    let mut cases = cases(include_str!("verify/refused.txt"));
    cases.extend(self::cases(include_str!("verify/accepted.txt")));
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut classes: Vec<(&'static str, &'static [u8])> = Vec::new();
    for round in 0..40 {
        for (index, case) in cases.iter().enumerate() {
            let name = format!("t/Case{round}x{index}");
            let body = case.body.replace("t/Case", &name);
            let method = case.method.replace("t/Case", &name);
            let mut bytes = class_file(
                case.version,
                0x21,
                &name,
                "java/lang/Object",
                Some((&method, &body)),
            );
            for _ in 0..=random(2) {
                // Mostly in the second half, where the code is.
                let at = bytes.len() - 1 - random(bytes.len() / 2);
                bytes[at] = random(256) as u8;
            }
            classes.push((name.leak(), bytes.leak()));
        }
    }
    let classes: &'static [(&'static str, &'static [u8])] = classes.leak();
    let mut vm = Vm::new(Config {
        embedded: classes,
        ..Config::new(jdk(), Vec::new())
    })
    .unwrap();
    let (mut loaded, mut accepted) = (0, 0);
    for (name, _) in classes {
        if let Ok(class) = vm.load_class(name) {
            loaded += 1;
            accepted += usize::from(vm.verify_class(class).is_ok());
        }
    }
    assert!(
        loaded > 1000 && accepted < loaded,
        "{loaded} loaded, {accepted} accepted"
    );
}

#[test]
fn arrays_of_a_class_named_as_a_primitive_are_its_own() {
    let name = "I";
    let bytes = class_file(52, 0x21, name, "java/lang/Object", None).leak();
    let embedded = vec![(name, &*bytes)].leak();
    let mut vm = Vm::new(Config {
        embedded,
        ..Config::new(jdk(), Vec::new())
    })
    .unwrap();
    let class = vm.load_class("I").unwrap();
    let arrays = vm.load_class("[LI;").unwrap();
    assert_eq!(
        vm.class(arrays).shape,
        heapwright_jvm::class::Shape::Array(class)
    );
    assert_ne!(vm.load_class("[I").unwrap(), arrays);
}
