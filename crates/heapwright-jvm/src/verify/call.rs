//! Fields and calls: compares constant-pool entries with the types on the stack.

use std::rc::Rc;

use super::types::{Signature, VerificationType, check_class_name};
use super::{Pass, VerificationFailure, wrong};
use crate::bytecode::{Insn, op};
use crate::classfile::Constant;
use crate::descriptor;
use crate::name::Sym;

impl Pass<'_> {
    /// Name of the class of a pool entry.
    pub(super) fn class_constant(&mut self, index: i32) -> Result<Sym, VerificationFailure> {
        let pool = &self.file.info.pool;
        let Some(Constant::Class(text)) = pool.get(index as usize) else {
            return wrong(format!("constant {index} is no class"));
        };
        let name = self.types.vm.pool_text(self.file, *text)?;
        check_class_name(self.types.vm.text(name))?;
        Ok(name)
    }

    /// JVMS §4.10.1.9.getfield, putfield, getstatic, putstatic.
    pub(super) fn access_field(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        let Some(&Constant::Field {
            class,
            name_and_type,
        }) = self.file.info.pool.get(insn.a as usize)
        else {
            return wrong(format!("constant {} is no field", insn.a));
        };
        let class = self.class_constant(i32::from(class))?;
        let (name, descriptor) = self.types.vm.pool_name_and_type(self.file, name_and_type)?;
        let text = self.types.vm.text(descriptor).to_owned();
        if !descriptor::is_field(&text) {
            return wrong(format!("constant {} is no field", insn.a));
        }
        let value = self.types.of_descriptor(&text)?;
        if matches!(insn.op, op::PUTSTATIC | op::PUTFIELD) {
            self.take_value(value)?;
        }
        if matches!(insn.op, op::GETFIELD | op::PUTFIELD) {
            let object = self.frame.pop()?;
            let is_early =
                insn.op == op::PUTFIELD && object == VerificationType::This && class == self.own;
            if !(is_early && self.declares_field(name, descriptor)) {
                self.check_object(object, class)?;
            }
        }
        if matches!(insn.op, op::GETSTATIC | op::GETFIELD) {
            self.frame.push(value)?;
        }
        Ok(())
    }

    /// Whether the method's own class declares a field.
    fn declares_field(&self, name: Sym, descriptor: Sym) -> bool {
        let fields = &self.types.vm.class(self.own_id).fields;
        fields
            .iter()
            .any(|field| field.name == name && field.descriptor == descriptor)
    }

    fn signature(
        &mut self,
        insn: &Insn,
        descriptor: Sym,
    ) -> Result<Rc<Signature>, VerificationFailure> {
        if let Some(signature) = self.signatures.get(&insn.a) {
            return Ok(signature.clone());
        }
        let text = self.types.vm.text(descriptor).to_owned();
        let signature = Rc::new(self.types.signature(&text)?);
        self.signatures.insert(insn.a, signature.clone());
        Ok(signature)
    }

    /// JVMS §4.10.1.9.invokevirtual and the other invoke instructions.
    pub(super) fn call(&mut self, insn: &Insn) -> Result<(), VerificationFailure> {
        let (class, name_and_type, interface) = match self.file.info.pool.get(insn.a as usize) {
            Some(&Constant::Method {
                class,
                name_and_type,
                interface,
            }) if insn.op != op::INVOKEDYNAMIC => (Some(class), name_and_type, interface),
            Some(&Constant::InvokeDynamic { name_and_type, .. })
                if insn.op == op::INVOKEDYNAMIC =>
            {
                (None, name_and_type, false)
            }
            _ => return wrong(format!("constant {} cannot be called", insn.a)),
        };
        match insn.op {
            op::INVOKEDYNAMIC => self.needs_version(51, "invokedynamic")?,
            op::INVOKEVIRTUAL if interface => {
                return wrong("invokevirtual of a method of an interface");
            }
            op::INVOKEINTERFACE if !interface => {
                return wrong("invokeinterface of a method of no interface");
            }
            op::INVOKESPECIAL | op::INVOKESTATIC if interface => {
                self.needs_version(52, "such a call of a method of an interface")?;
            }
            _ => {}
        }
        let (name, descriptor) = self.types.vm.pool_name_and_type(self.file, name_and_type)?;
        let is_constructor = self.types.vm.text(name) == "<init>";
        if self.types.vm.text(name).starts_with('<')
            && !(is_constructor && insn.op == op::INVOKESPECIAL)
        {
            return wrong(format!("a call of {}", self.types.vm.text(name)));
        }
        let signature = self.signature(insn, descriptor)?;
        if let Some(&Constant::InvokeDynamic { bootstrap, .. }) =
            self.file.info.pool.get(insn.a as usize)
            && self.checked_sites.insert(insn.a)
        {
            let vm = &self.types.vm;
            let (name, site) = (vm.text(name).to_owned(), vm.text(descriptor).to_owned());
            self.check_call_site(bootstrap, &name, &site)?;
        }
        if insn.op == op::INVOKEINTERFACE && insn.b as usize != signature.parameters.len() + 1 {
            return wrong(format!(
                "a call of {} words that takes {}",
                insn.b,
                signature.parameters.len() + 1
            ));
        }
        for &parameter in signature
            .parameters
            .iter()
            .rev()
            .filter(|parameter| !parameter.is_high())
        {
            self.take_value(parameter)?;
        }
        if let Some(class) = class {
            let class = self.class_constant(i32::from(class))?;
            match insn.op {
                op::INVOKESTATIC => {}
                op::INVOKESPECIAL if is_constructor => {
                    if signature.result.is_some() {
                        return wrong("a constructor that returns a value");
                    }
                    self.construct(class)?;
                }
                op::INVOKESPECIAL => {
                    self.check_special(class)?;
                    self.take_object(self.own)?;
                }
                _ => self.take_object(class)?,
            }
        }
        match signature.result {
            Some(result) => Ok(self.frame.push(result)?),
            None => Ok(()),
        }
    }

    /// JVMS §4.10.1.9.invokespecial: the object becomes initialised.
    fn construct(&mut self, class: Sym) -> Result<(), VerificationFailure> {
        let object = self.frame.pop()?;
        let made = match object {
            VerificationType::New(site) => {
                self.class_constant(self.decoded.insns[usize::from(site)].a)?
            }
            VerificationType::This => {
                let above = self.types.vm.class(self.own_id).super_class;
                let is_super = above.is_some_and(|above| self.types.vm.class(above).name == class);
                if !is_super && class != self.own {
                    let name = self.types.java_name(class);
                    return wrong(format!("this is initialised by a constructor of {name}"));
                }
                self.frame.constructed = true;
                self.frame
                    .replace(object, VerificationType::Class(self.own));
                return Ok(());
            }
            other => return self.mismatch(other, "an object whose constructor was not called"),
        };
        if made != class {
            let (made, class) = (self.types.java_name(made), self.types.java_name(class));
            return wrong(format!(
                "a new {made} is initialised by a constructor of {class}"
            ));
        }
        self.frame.replace(object, VerificationType::Class(made));
        Ok(())
    }

    /// JVMS §4.9.2: `invokespecial` names this class, a superclass or a direct superinterface.
    fn check_special(&self, class: Sym) -> Result<(), VerificationFailure> {
        let vm = &self.types.vm;
        let own = vm.class(self.own_id);
        let mut above = own.display.iter().chain(&own.interfaces);
        if above.any(|&above| vm.class(above).name == class) {
            return Ok(());
        }
        wrong(format!(
            "invokespecial of a method of {}, which is not above this class",
            self.types.java_name(class)
        ))
    }
}
