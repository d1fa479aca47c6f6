//! Methods of which some arguments are inputs at each call, whatever the program passes.

use heapwright_jvm::class::Code;
use heapwright_jvm::prologues::ExchangedArgument;
use heapwright_jvm::{MethodId, Vm, descriptor};

use crate::Error;

/// Methods of a class with open arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedMethod {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method; all overloads with that number of parameters are meant.
    pub method: String,
    /// Whether each argument is open.
    pub open: Vec<bool>,
}

/// Class with a static method for each type of input.
const MAKERS: &str = "gov/nasa/jpf/symbc/Debug";

impl OpenedMethod {
    /// Opens the arguments on a machine.
    ///
    /// # Errors
    /// There is no such method, or an argument has a type of which there are no inputs.
    pub(super) fn open(&self, vm: &mut Vm) -> Result<(), Error> {
        let class = vm
            .load_class(&self.class.replace('.', "/"))
            .map_err(|_| Error::ClassNotFound(self.class.clone()))?;
        let methods = vm.class(class).methods.clone();
        let methods: Vec<MethodId> = methods
            .into_iter()
            .filter(|&method| self.names(vm, method))
            .collect();
        if methods.is_empty() {
            return Err(Error::MethodNotFound {
                class: self.class.clone(),
                what: "method",
                name: format!(
                    "{} with {} parameter{}",
                    self.method,
                    self.open.len(),
                    if self.open.len() == 1 { "" } else { "s" }
                ),
                candidates: Vec::new(),
            });
        }
        methods
            .into_iter()
            .try_for_each(|method| self.open_arguments(vm, method))
    }

    fn names(&self, vm: &Vm, method: MethodId) -> bool {
        let this = vm.method(method);
        let parameters = descriptor::split_method(vm.text(this.descriptor));
        vm.text(this.name) == self.method
            && !matches!(this.code, Code::Abstract)
            && !this.is_native()
            && parameters.is_some_and(|(parameters, _)| parameters.len() == self.open.len())
    }

    fn open_arguments(&self, vm: &mut Vm, method: MethodId) -> Result<(), Error> {
        let descriptor = vm.text(vm.method(method).descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&descriptor).unwrap_or_default();
        let names = vm.parameter_names(method);
        let mut arguments = Vec::new();
        for (place, kind) in parameters
            .iter()
            .enumerate()
            .filter(|(place, _)| self.open[*place])
        {
            let known = names.get(place).and_then(Option::as_deref);
            arguments.push(ExchangedArgument {
                parameter: place,
                maker: self.maker(vm, method, kind)?,
                name: known.map_or_else(|| format!("arg{place}"), str::to_owned),
            });
        }
        let exchanged = vm.exchange_arguments(method, &arguments);
        exchanged.map_err(|exit| Error::BadClass {
            class: self.class.clone(),
            reason: vm.exit_text(&exit),
        })
    }

    /// Method that makes inputs of a type.
    fn maker(&self, vm: &mut Vm, method: MethodId, kind: &str) -> Result<MethodId, Error> {
        let name = match kind {
            "Z" => "makeSymbolicBoolean",
            "B" => "makeSymbolicByte",
            "C" => "makeSymbolicChar",
            "S" => "makeSymbolicShort",
            "I" => "makeSymbolicInteger",
            "J" => "makeSymbolicLong",
            "F" => "makeSymbolicFloat",
            "D" => "makeSymbolicReal",
            "Ljava/lang/String;" => "makeSymbolicString",
            _ => {
                return Err(Error::BadClass {
                    class: self.class.clone(),
                    reason: format!(
                        "an argument of {} cannot be symbolic: primitive values and strings can",
                        vm.method_text(method)
                    ),
                });
            }
        };
        let descriptor = format!("(Ljava/lang/String;){kind}");
        let missing = || Error::ClassNotFound(MAKERS.to_owned());
        let class = vm.load_class(MAKERS).map_err(|_| missing())?;
        let mut methods = vm.class(class).methods.iter().copied();
        let found = methods.find(|&method| {
            let this = vm.method(method);
            vm.text(this.name) == name && vm.text(this.descriptor) == descriptor
        });
        found.ok_or_else(missing)
    }
}
