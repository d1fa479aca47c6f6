//! Operand and result types of each instruction (JVMS §4.10.1.9), in opcode order.

use super::types::VerificationType;
use super::{Pass, VerificationFailure, wrong};
use crate::bytecode::{Insn, op};
use crate::classfile::Constant;
use crate::name::Sym;

/// Types of arithmetic instructions, in the order of the opcodes of a family.
const NUMBERS: [VerificationType; 4] = [
    VerificationType::Int,
    VerificationType::Long,
    VerificationType::Float,
    VerificationType::Double,
];

impl Pass<'_> {
    /// Applies an instruction to the current frame and propagates it along branches. Returns
    /// whether control can reach the next instruction.
    #[expect(clippy::too_many_lines, reason = "one arm a group of instructions")]
    pub(super) fn step(&mut self, insn: &Insn) -> Result<bool, VerificationFailure> {
        match insn.op {
            op::NOP => {}
            op::ACONST_NULL => self.frame.push(VerificationType::Null)?,
            op::BIPUSH => self.frame.push(VerificationType::Int)?,
            op::LCONST_0 | op::LCONST_1 => self.frame.push(VerificationType::Long)?,
            op::FCONST_0..=op::FCONST_2 => self.frame.push(VerificationType::Float)?,
            op::DCONST_0 | op::DCONST_1 => self.frame.push(VerificationType::Double)?,
            op::LDC | op::LDC2_W => self.load_constant(insn)?,
            op::ILOAD..=op::DLOAD => {
                let kind = NUMBERS[usize::from(insn.op - op::ILOAD)];
                self.check_local(insn.a, kind)?;
                self.frame.push(kind)?;
            }
            op::ALOAD => {
                let value = self.frame.local(insn.a, 1)?;
                if !value.is_reference()
                    && !matches!(value, VerificationType::New(_) | VerificationType::This)
                {
                    let found = self.describe(value);
                    return wrong(format!(
                        "{found} in local variable {} where a reference is needed",
                        insn.a
                    ));
                }
                self.frame.push(value)?;
            }
            op::IALOAD => self.load_element(&["[I"], VerificationType::Int)?,
            op::LALOAD => self.load_element(&["[J"], VerificationType::Long)?,
            op::FALOAD => self.load_element(&["[F"], VerificationType::Float)?,
            op::DALOAD => self.load_element(&["[D"], VerificationType::Double)?,
            op::BALOAD => self.load_element(&["[B", "[Z"], VerificationType::Int)?,
            op::CALOAD => self.load_element(&["[C"], VerificationType::Int)?,
            op::SALOAD => self.load_element(&["[S"], VerificationType::Int)?,
            op::AALOAD => {
                self.take(VerificationType::Int)?;
                let element = self.take_reference_array()?;
                self.frame.push(element)?;
            }
            op::ISTORE..=op::DSTORE => {
                let kind = NUMBERS[usize::from(insn.op - op::ISTORE)];
                self.take(kind)?;
                self.frame.set_local(insn.a, kind)?;
            }
            op::ASTORE => {
                let value = self.frame.pop()?;
                if !matches!(value, VerificationType::Address(_)) {
                    self.check_any_reference(value)?;
                }
                self.frame.set_local(insn.a, value)?;
            }
            op::IASTORE => self.store_element(&["[I"], VerificationType::Int)?,
            op::LASTORE => self.store_element(&["[J"], VerificationType::Long)?,
            op::FASTORE => self.store_element(&["[F"], VerificationType::Float)?,
            op::DASTORE => self.store_element(&["[D"], VerificationType::Double)?,
            op::BASTORE => self.store_element(&["[B", "[Z"], VerificationType::Int)?,
            op::CASTORE => self.store_element(&["[C"], VerificationType::Int)?,
            op::SASTORE => self.store_element(&["[S"], VerificationType::Int)?,
            op::AASTORE => {
                // The store itself checks that the value fits the array.
                self.take_reference()?;
                self.take(VerificationType::Int)?;
                self.take_reference_array()?;
            }
            op::POP => self.frame.drop_words(1)?,
            op::POP2 => self.frame.drop_words(2)?,
            op::DUP => self.frame.duplicate(1, 0)?,
            op::DUP_X1 => self.frame.duplicate(1, 1)?,
            op::DUP_X2 => self.frame.duplicate(1, 2)?,
            op::DUP2 => self.frame.duplicate(2, 0)?,
            op::DUP2_X1 => self.frame.duplicate(2, 1)?,
            op::DUP2_X2 => self.frame.duplicate(2, 2)?,
            op::SWAP => {
                self.frame.check_split(1)?;
                self.frame.check_split(2)?;
                let top = self.frame.stack.len() - 1;
                self.frame.stack.swap(top, top - 1);
            }
            op::IADD..=op::DREM => {
                let kind = NUMBERS[usize::from((insn.op - op::IADD) % 4)];
                self.convert(&[kind, kind], kind)?;
            }
            op::INEG..=op::DNEG => {
                let kind = NUMBERS[usize::from(insn.op - op::INEG)];
                self.convert(&[kind], kind)?;
            }
            op::ISHL..=op::LUSHR => {
                let kind = NUMBERS[usize::from((insn.op - op::ISHL) % 2)];
                self.convert(&[VerificationType::Int, kind], kind)?;
            }
            op::IAND..=op::LXOR => {
                let kind = NUMBERS[usize::from((insn.op - op::IAND) % 2)];
                self.convert(&[kind, kind], kind)?;
            }
            op::IINC => self.check_local(insn.a, VerificationType::Int)?,
            op::I2L..=op::D2F => {
                // Conversions from each of the four types to the three others.
                let (from, to) = ((insn.op - op::I2L) / 3, (insn.op - op::I2L) % 3);
                let to = to + u8::from(to >= from);
                self.convert(&[NUMBERS[usize::from(from)]], NUMBERS[usize::from(to)])?;
            }
            op::I2B..=op::I2S => self.convert(&[VerificationType::Int], VerificationType::Int)?,
            op::LCMP => self.convert(
                &[VerificationType::Long, VerificationType::Long],
                VerificationType::Int,
            )?,
            op::FCMPL | op::FCMPG => self.convert(
                &[VerificationType::Float, VerificationType::Float],
                VerificationType::Int,
            )?,
            op::DCMPL | op::DCMPG => self.convert(
                &[VerificationType::Double, VerificationType::Double],
                VerificationType::Int,
            )?,
            op::IFEQ..=op::IFLE => {
                self.take(VerificationType::Int)?;
                self.branch_to(insn.a)?;
            }
            op::IF_ICMPEQ..=op::IF_ICMPLE => {
                self.take(VerificationType::Int)?;
                self.take(VerificationType::Int)?;
                self.branch_to(insn.a)?;
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                self.take_any_reference()?;
                self.take_any_reference()?;
                self.branch_to(insn.a)?;
            }
            op::IFNULL | op::IFNONNULL => {
                self.take_any_reference()?;
                self.branch_to(insn.a)?;
            }
            op::GOTO => {
                self.branch_to(insn.a)?;
                return Ok(false);
            }
            op::JSR => {
                self.enter_subroutine(insn)?;
                return Ok(false);
            }
            op::RET => {
                self.leave_subroutine(insn)?;
                return Ok(false);
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                self.take(VerificationType::Int)?;
                let switch = &self.decoded.switches[insn.b as usize];
                let mut last = None;
                for target in switch
                    .pairs
                    .iter()
                    .map(|pair| pair.1)
                    .chain([switch.default])
                {
                    if last.replace(target) != Some(target) {
                        self.branch_to(i32::from(target))?;
                    }
                }
                return Ok(false);
            }
            op::IRETURN..=op::RETURN => {
                self.check_return(insn.op)?;
                return Ok(false);
            }
            op::GETSTATIC..=op::PUTFIELD => self.access_field(insn)?,
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => self.call(insn)?,
            op::NEW => self.make_object(insn)?,
            op::NEWARRAY => {
                self.take(VerificationType::Int)?;
                let kind = crate::descriptor::Kind::NEWARRAY[insn.a as usize - 4];
                let class = self.types.class(&format!("[{}", kind.descriptor()));
                self.frame.push(class)?;
            }
            op::ANEWARRAY => {
                self.take(VerificationType::Int)?;
                let element = self.class_constant(insn.a)?;
                if self.dimensions(element) >= 255 {
                    return wrong("an array of more than 255 dimensions");
                }
                let class = self.types.array_of(element);
                self.frame.push(VerificationType::Class(class))?;
            }
            op::ARRAYLENGTH => {
                let array = self.frame.pop()?;
                let is_array = array.is_reference()
                    && self
                        .types
                        .members(&array)
                        .iter()
                        .all(|&class| self.dimensions(class) > 0);
                if !is_array {
                    return self.mismatch(array, "an array");
                }
                self.frame.push(VerificationType::Int)?;
            }
            op::ATHROW => {
                let throwable = self.types.vm.names.intern("java/lang/Throwable");
                self.take_object(throwable)?;
                return Ok(false);
            }
            op::CHECKCAST => {
                let class = self.class_constant(insn.a)?;
                self.take_reference()?;
                self.frame.push(VerificationType::Class(class))?;
            }
            op::INSTANCEOF => {
                self.class_constant(insn.a)?;
                self.take_reference()?;
                self.frame.push(VerificationType::Int)?;
            }
            op::MONITORENTER | op::MONITOREXIT => self.take_any_reference()?,
            op::MULTIANEWARRAY => {
                let class = self.class_constant(insn.a)?;
                if self.dimensions(class) < insn.b as usize {
                    let name = self.types.java_name(class);
                    return wrong(format!("an array of {} dimensions as {name}", insn.b));
                }
                for _ in 0..insn.b {
                    self.take(VerificationType::Int)?;
                }
                self.frame.push(VerificationType::Class(class))?;
            }
            other => return wrong(format!("unknown opcode {other}")),
        }
        Ok(true)
    }

    fn dimensions(&self, class: Sym) -> usize {
        self.types
            .vm
            .text(class)
            .bytes()
            .take_while(|&byte| byte == b'[')
            .count()
    }

    /// Describes a type, for messages.
    pub(super) fn describe(&self, value: VerificationType) -> String {
        match value {
            VerificationType::Top => "a word that holds nothing usable".to_owned(),
            VerificationType::Int => "an int".to_owned(),
            VerificationType::Float => "a float".to_owned(),
            VerificationType::Long => "a long".to_owned(),
            VerificationType::LongHigh => "half of a long".to_owned(),
            VerificationType::Double => "a double".to_owned(),
            VerificationType::DoubleHigh => "half of a double".to_owned(),
            VerificationType::Null => "null".to_owned(),
            VerificationType::Class(_) | VerificationType::Wide(_) | VerificationType::Union(_) => {
                let members = self.types.members(&value);
                let mut names: Vec<String> = members
                    .iter()
                    .map(|&name| self.types.java_name(name))
                    .collect();
                // The numbers of names depend on the order in which they were interned.
                names.sort();
                format!("a reference to {}", names.join(" or "))
            }
            VerificationType::New(_) => "an object whose constructor was not called".to_owned(),
            VerificationType::This => "this before another constructor was called".to_owned(),
            VerificationType::Address(_) => "a return address".to_owned(),
        }
    }

    pub(super) fn mismatch<T>(
        &self,
        found: VerificationType,
        needed: &str,
    ) -> Result<T, VerificationFailure> {
        wrong(format!("{} where {needed} is needed", self.describe(found)))
    }

    /// Pops a number, both words of a long or double.
    pub(super) fn take(&mut self, kind: VerificationType) -> Result<(), VerificationFailure> {
        let mut found = self.frame.pop()?;
        if let Some(high) = kind.high()
            && found == high
        {
            found = self.frame.pop()?;
        } else if found.is_high() {
            found = self.frame.pop()?;
        }
        if found == kind {
            Ok(())
        } else {
            self.mismatch(found, &self.describe(kind))
        }
    }

    fn convert(
        &mut self,
        from: &[VerificationType],
        to: VerificationType,
    ) -> Result<(), VerificationFailure> {
        for &kind in from {
            self.take(kind)?;
        }
        Ok(self.frame.push(to)?)
    }

    fn check_local(
        &mut self,
        index: i32,
        kind: VerificationType,
    ) -> Result<(), VerificationFailure> {
        let words = 1 + usize::from(kind.high().is_some());
        let found = self.frame.local(index, words)?;
        if found == kind {
            return Ok(());
        }
        let (found, needed) = (self.describe(found), self.describe(kind));
        wrong(format!(
            "{found} in local variable {index} where {needed} is needed"
        ))
    }

    /// Pops an initialised object or null.
    pub(super) fn take_reference(&mut self) -> Result<VerificationType, VerificationFailure> {
        let found = self.frame.pop()?;
        if found.is_reference() {
            Ok(found)
        } else {
            self.mismatch(found, "a reference")
        }
    }

    /// Pops a reference, which may be to an uninitialised object (JVMS §4.10.1.2).
    fn take_any_reference(&mut self) -> Result<(), VerificationFailure> {
        let found = self.frame.pop()?;
        self.check_any_reference(found)
    }

    fn check_any_reference(&self, found: VerificationType) -> Result<(), VerificationFailure> {
        if found.is_reference()
            || matches!(found, VerificationType::New(_) | VerificationType::This)
        {
            Ok(())
        } else {
            self.mismatch(found, "a reference")
        }
    }

    /// Pops an object of a class, or null.
    pub(super) fn take_object(&mut self, class: Sym) -> Result<(), VerificationFailure> {
        let found = self.frame.pop()?;
        self.check_object(found, class)
    }

    pub(super) fn check_object(
        &mut self,
        found: VerificationType,
        class: Sym,
    ) -> Result<(), VerificationFailure> {
        let fits = match found {
            VerificationType::Null => true,
            VerificationType::Class(name) => self.types.is_assignable(name, class)?,
            _ if found.is_reference() => {
                let members = self.types.members(&found);
                self.spend(members.len())?;
                let mut fits = true;
                for member in members {
                    fits = fits && self.types.is_assignable(member, class)?;
                }
                fits
            }
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let needed = format!("a reference to {}", self.types.java_name(class));
        self.mismatch(found, &needed)
    }

    /// Pops a value of the type that a descriptor gives.
    pub(super) fn take_value(
        &mut self,
        needed: VerificationType,
    ) -> Result<(), VerificationFailure> {
        match needed {
            VerificationType::Class(class) => self.take_object(class),
            kind => self.take(kind),
        }
    }

    fn take_array(&mut self, classes: &[&str]) -> Result<(), VerificationFailure> {
        let array = self.frame.pop()?;
        let fits = array.is_reference()
            && self
                .types
                .members(&array)
                .iter()
                .all(|&class| classes.contains(&self.types.vm.text(class)));
        if fits {
            return Ok(());
        }
        let names: Vec<String> = classes
            .iter()
            .map(|class| crate::descriptor::to_java(class))
            .collect();
        self.mismatch(array, &names.join(" or "))
    }

    fn load_element(
        &mut self,
        arrays: &[&str],
        element: VerificationType,
    ) -> Result<(), VerificationFailure> {
        self.take(VerificationType::Int)?;
        self.take_array(arrays)?;
        Ok(self.frame.push(element)?)
    }

    fn store_element(
        &mut self,
        arrays: &[&str],
        element: VerificationType,
    ) -> Result<(), VerificationFailure> {
        self.take(element)?;
        self.take(VerificationType::Int)?;
        self.take_array(arrays)
    }

    /// Pops an array of references; returns the type of its elements.
    fn take_reference_array(&mut self) -> Result<VerificationType, VerificationFailure> {
        let array = self.frame.pop()?;
        if !array.is_reference() {
            return self.mismatch(array, "an array of references");
        }
        // An access of a null array never yields an element.
        let mut elements = VerificationType::Null;
        for class in self.types.members(&array) {
            match self.types.component(class) {
                Some(element @ VerificationType::Class(_)) => {
                    elements = self.types.join(elements, element)
                }
                _ => return self.mismatch(array, "an array of references"),
            }
        }
        if matches!(array, VerificationType::Wide(_))
            && let VerificationType::Class(element) = elements
            && element != self.types.object
        {
            elements = VerificationType::Wide(element);
        }
        Ok(elements)
    }

    fn load_constant(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        // JVMS table 4.4-C: the version from which on each constant is loadable.
        let (class, since) = match self.file.info.pool.get(insn.a as usize) {
            Some(Constant::Int(_)) if insn.op == op::LDC => {
                return Ok(self.frame.push(VerificationType::Int)?);
            }
            Some(Constant::Float(_)) if insn.op == op::LDC => {
                return Ok(self.frame.push(VerificationType::Float)?);
            }
            Some(Constant::Long(_)) if insn.op == op::LDC2_W => {
                return Ok(self.frame.push(VerificationType::Long)?);
            }
            Some(Constant::Double(_)) if insn.op == op::LDC2_W => {
                return Ok(self.frame.push(VerificationType::Double)?);
            }
            Some(Constant::Str(_)) if insn.op == op::LDC => {
                (self.types.class("java/lang/String"), 45)
            }
            Some(Constant::Class(_)) if insn.op == op::LDC => {
                self.class_constant(insn.a)?;
                (self.types.class("java/lang/Class"), 49)
            }
            Some(Constant::MethodHandle { .. }) if insn.op == op::LDC => {
                (self.types.class("java/lang/invoke/MethodHandle"), 51)
            }
            Some(Constant::MethodType(_)) if insn.op == op::LDC => {
                (self.types.class("java/lang/invoke/MethodType"), 51)
            }
            Some(&Constant::Dynamic { name_and_type, .. }) => {
                let (_, descriptor) = self.types.vm.pool_name_and_type(self.file, name_and_type)?;
                let descriptor = self.types.vm.text(descriptor).to_owned();
                if !crate::descriptor::is_field(&descriptor) {
                    return wrong(format!("constant {} is of no type", insn.a));
                }
                let value = self.types.of_descriptor(&descriptor)?;
                if value.high().is_some() != (insn.op == op::LDC2_W) {
                    return wrong(format!("constant {} cannot be loaded", insn.a));
                }
                (value, 55)
            }
            _ => return wrong(format!("constant {} cannot be loaded", insn.a)),
        };
        self.needs_version(since, "a constant of this kind")?;
        Ok(self.frame.push(class)?)
    }

    pub(super) fn needs_version(&self, since: u16, what: &str) -> Result<(), VerificationFailure> {
        let major = self.file.info.major;
        if major < since {
            return wrong(format!(
                "{what} in a class file of version {major}, before {since}"
            ));
        }
        Ok(())
    }

    fn check_return(&mut self, opcode: u8) -> Result<(), VerificationFailure> {
        let returned = match opcode {
            op::RETURN => None,
            op::ARETURN => Some(VerificationType::Null),
            _ => Some(NUMBERS[usize::from(opcode - op::IRETURN)]),
        };
        match (returned, self.result) {
            (None, None) => {
                if !self.frame.constructed {
                    return wrong("a constructor returns before it has called another one");
                }
                Ok(())
            }
            (Some(VerificationType::Null), Some(VerificationType::Class(class))) => {
                self.take_object(class)
            }
            (Some(kind), Some(result)) if kind == result => self.take(kind),
            (_, None) => wrong("a value is returned by a method that returns none"),
            (_, Some(result)) => {
                let found = returned.map_or_else(
                    || "nothing".to_owned(),
                    |kind| {
                        if kind == VerificationType::Null {
                            "a reference".to_owned()
                        } else {
                            self.describe(kind)
                        }
                    },
                );
                wrong(format!(
                    "{found} is returned where {} is needed",
                    self.describe(result)
                ))
            }
        }
    }

    /// JVMS §4.10.2.4: objects of an earlier execution of the same instruction are
    /// indistinguishable from the new one and therefore become unusable.
    fn make_object(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        let class = self.class_constant(insn.a)?;
        if self.dimensions(class) > 0 {
            return wrong(format!(
                "new of the array class {}",
                self.types.java_name(class)
            ));
        }
        let new = VerificationType::New(self.at as u16);
        if self.frame.stack.contains(&new) {
            return wrong(
                "an object whose constructor was not called is on the stack of its own new",
            );
        }
        if self.frame.locals.contains(&new) {
            self.frame.replace(new, VerificationType::Top);
        }
        Ok(self.frame.push(new)?)
    }

    /// JVMS §4.10.2.5. The pushed value is exactly one return address, so `ret` is exact for any
    /// chain of calls; chains only keep the frames of callers separate.
    fn enter_subroutine(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        if self.file.info.major >= 51 {
            return wrong("a subroutine in a class file of version 51 or later");
        }
        let (site, entry) = (self.at as u16, self.decoded.starts[insn.a as usize]);
        self.call_depths.insert(site, self.frame.stack.len());
        // A second call of the same subroutine means that the first one was left by a jump.
        let chain = &self.chains[self.context as usize];
        let end = chain
            .iter()
            .position(|&(other, _)| other == entry)
            .unwrap_or(chain.len());
        let mut chain = chain[..end].to_vec();
        chain.push((entry, site));
        let context = self.context_of(&chain)?;
        self.frame.push(VerificationType::Address(site))?;
        self.flow(context, usize::from(entry), None)
    }

    fn leave_subroutine(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        let found = self.frame.local(insn.a, 1)?;
        let VerificationType::Address(site) = found else {
            let found = self.describe(found);
            return wrong(format!(
                "{found} in local variable {} where a return address is needed",
                insn.a
            ));
        };
        let depth = self.frame.stack.len();
        if self.call_depths.get(&site) != Some(&depth) {
            return wrong(format!(
                "a subroutine returns with a stack of {depth} words"
            ));
        }
        let chain = &self.chains[self.context as usize];
        let end = chain
            .iter()
            .position(|&(_, caller)| caller == site)
            .unwrap_or(0);
        let chain = chain[..end].to_vec();
        let context = self.context_of(&chain)?;
        self.flow(context, usize::from(site) + 1, None)
    }
}
