//! `heapwright run`: runs a main method, or explores methods symbolically.

mod args;
mod symbolic;

use std::process::ExitCode;

use heapwright_jvm::class::Code;
use heapwright_jvm::launch::LaunchError;
use heapwright_jvm::{Exit, Vm};

use crate::exit;
use crate::messages;
use crate::report::explain::nearest_classes;

pub use args::RunArgs;
pub use symbolic::SymbolicSummary;

/// Runs a main method and ends as `java` does, or explores every path of methods with `--symbolic`.
///
/// # Errors
/// The class path, the JDK or the class is wrong; or as of [`symbolic::run`].
pub fn run(arguments: &RunArgs) -> anyhow::Result<ExitCode> {
    match arguments.symbolic.symbolic {
        true => symbolic::run(arguments),
        false => run_main(arguments),
    }
}

fn run_main(arguments: &RunArgs) -> anyhow::Result<ExitCode> {
    let main = arguments.main.as_deref().unwrap_or_default();
    let mut config = arguments.class_path.config()?;
    config.max_heap_bytes = arguments.class_path.max_memory();
    config.replaces_launcher = true;
    config.files.clone_from(&arguments.files);
    config.properties.clone_from(&arguments.properties);
    config.assertions = arguments.assertions;
    config.optimize = !arguments.unoptimized;
    config.collection_words = arguments.collect_every;
    let mut vm = Vm::new(config)?;
    let result = vm.run_main(main, &arguments.arguments);
    if arguments.disassemble {
        disassemble(&mut vm, main);
    }
    match result {
        Ok(Exit::Done(_)) => Ok(ExitCode::SUCCESS),
        Ok(Exit::Exited(status)) => Ok(ExitCode::from(status as u8)),
        Ok(exit @ (Exit::Unsupported(_) | Exit::InvalidClass(_))) => {
            notice!("{}{}", vm.exit_text(&exit), at(&vm));
            Ok(exit::ExitCode::Usage.into())
        }
        Ok(exit) => {
            notice!("stopped: {}{}", vm.exit_text(&exit), at(&vm));
            Ok(exit::ExitCode::Partial.into())
        }
        Err(error @ LaunchError::NoClass(_)) => {
            let nearest = nearest_classes(&vm, main);
            Err(anyhow::anyhow!("{error}{nearest}"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Innermost frames, for a message.
fn at(vm: &Vm) -> String {
    vm.running_at()
        .into_iter()
        .take(8)
        .map(|place| format!("\n    at {place}"))
        .collect()
}

fn disassemble(vm: &mut Vm, class: &str) {
    let Ok(class) = vm.load_class(&class.replace('.', "/")) else {
        return;
    };
    for method in vm.class(class).methods.clone() {
        if let Code::Translated(_) = vm.method(method).code {
            messages::write(format_args!(
                "{}\n{}\n",
                vm.method_text(method),
                vm.disassemble(method)
            ));
        }
    }
}
