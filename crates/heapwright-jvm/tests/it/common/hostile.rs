//! Untrusted class files and jars, for the tests and for the fuzz targets. Invariant: any bytes
//! lead to a refusal, a limit or an end of the program, never to a panic.

use std::fs;
use std::path::Path;

use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::launch::LaunchError;
use heapwright_jvm::{Config, Exit, Vm};

/// Name of the class in the given bytes. Each use replaces it by another name of the same length,
/// because a machine never unloads classes.
pub const NAME: &str = "M0000";

/// Step limit of one damaged program.
pub const STEPS: u64 = 1_000_000;

/// Number of classes after which a new machine is made.
const CLASSES: u32 = 4_000;

/// Machine with a folder on its class path that receives class files one at a time.
pub struct Hostile {
    folder: tempfile::TempDir,
    config: Config,
    vm: Vm,
    classes: u32,
}

impl Hostile {
    /// Creates a machine with this configuration, except for the class path, heap and stack
    /// limits.
    pub fn new(mut config: Config) -> Hostile {
        let folder = tempfile::tempdir().unwrap();
        config.class_path = vec![folder.path().to_owned()];
        config.max_heap_bytes = 64 << 20;
        config.max_frames = 400;
        let vm = Vm::new(config.clone()).unwrap();
        Hostile {
            folder,
            config,
            vm,
            classes: 0,
        }
    }

    /// Writes the bytes as a class file, calls `work` with its name, and takes the machine back.
    /// After a panic in `work` the value is unusable.
    pub fn with<T>(&mut self, bytes: &[u8], work: impl FnOnce(&mut Vm, &str) -> T) -> T {
        if self.classes == CLASSES {
            self.vm = Vm::new(self.config.clone()).unwrap();
            self.classes = 0;
        }
        self.classes += 1;
        let name = format!("M{:04}", self.classes);
        let path = self.folder.path().join(format!("{name}.class"));
        fs::write(&path, replace(bytes, NAME, &name)).unwrap();
        let root = self.vm.mark();
        let result = work(&mut self.vm, &name);
        self.vm.undo_to(root);
        self.vm.forget(root);
        fs::remove_file(path).unwrap();
        result
    }
}

/// Replaces a text in bytes by another of the same length.
pub fn replace(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len().saturating_sub(from.len()) {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

/// Runs the main method of a class and then its other static methods without parameters, each
/// from the same state. Returns how main ended.
pub fn run(vm: &mut Vm, name: &str) -> &'static str {
    let root = vm.mark();
    vm.limit_steps(STEPS);
    let result = vm.run_main(name, &[]);
    let end = end_of(vm, name, &result);
    vm.undo_to(root);
    for method in static_methods(vm, name) {
        vm.limit_steps(STEPS);
        let _ = vm.call_static(method, &[]);
        vm.undo_to(root);
    }
    vm.forget(root);
    end
}

fn end_of(vm: &Vm, name: &str, result: &Result<Exit, LaunchError>) -> &'static str {
    let exit = match result {
        Err(LaunchError::BadClass(message)) => {
            assert!(!message.is_empty());
            return "refused when loaded";
        }
        Err(_) => return "not started",
        Ok(exit) => exit,
    };
    let _ = (vm.exit_text(exit), vm.running_at());
    match exit {
        Exit::InvalidClass(message) => {
            assert!(
                message.contains(".class") || message.contains(name),
                "{message}"
            );
            "refused when run"
        }
        Exit::Unsupported(_) => "unsupported",
        Exit::Limit(_) => "a limit",
        Exit::Exited(_) => "an exception",
        Exit::Done(_) => "done",
        exit => panic!("{exit:?}"),
    }
}

/// Static methods of a class without parameters, its initialiser included.
fn static_methods(vm: &mut Vm, name: &str) -> Vec<heapwright_jvm::MethodId> {
    let Ok(class) = vm.load_class(name) else {
        return Vec::new();
    };
    let mut methods = vm.class(class).methods.clone();
    methods.retain(|&method| {
        let method = vm.method(method);
        method.is_static() && vm.text(method.descriptor).starts_with("()")
    });
    methods
}

/// Reads every class of a jar; the error describes the jar or the class that failed.
pub fn read_jar(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let class_path =
        ClassPath::open(&[path.to_owned()], &[], 17).map_err(|error| error.to_string())?;
    let mut classes = Vec::new();
    for name in class_path.class_names() {
        let found = class_path.find(&name).map_err(|error| error.to_string())?;
        classes.extend(found.map(|(bytes, _)| bytes));
    }
    Ok(classes)
}
