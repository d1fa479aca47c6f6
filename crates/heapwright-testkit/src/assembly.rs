//! Assembler of class files, for code that `javac` does not write.

#![expect(
    clippy::unwrap_used,
    reason = "what is not written as it should be ends the test"
)]

use std::collections::HashMap;

/// Mnemonics of opcodes 0 to 201.
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

/// Constant pool under construction.
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
        // Longs and doubles take two entries.
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

    /// Member reference: `a/B.name:descriptor`, or `a/B.name(descriptor)`.
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

    /// Operand of `ldc` and related instructions.
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

/// Method under construction.
#[derive(Default)]
struct Assembly {
    code: Vec<u8>,
    labels: HashMap<String, usize>,
    /// Branches: position of the two-byte distance, origin of the distance, target label.
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
                    // Default target, then the bounds, then the targets.
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

    /// Content of the `Code` attribute.
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

/// Assembles a class file (JVMS §4) with the field `own`, unless it is an interface, and at most
/// one method. A method has a head, as in `static m (I)I 1 5` with the words of stack and locals,
/// and code with one instruction or label per line.
///
/// # Panics
/// The method is malformed.
#[must_use]
pub fn class_file(
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
    // There are no interfaces: their number ends the header.
    bytes.extend(members);
    bytes.extend(attributes);
    bytes
}
