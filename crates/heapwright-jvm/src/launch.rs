//! Program launch as by the `java` launcher.

use crate::class::{ClassId, MethodId, flags};
use crate::heap::Ref;
use crate::link::LoadError;
use crate::machine::Plain;
use crate::vm::{Exit, Fault, Vm};

/// Error of starting a program.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LaunchError {
    /// The class is not on the class path.
    #[error("class {0} not found")]
    NoClass(String),
    /// The class exists but cannot be used.
    #[error("{0}")]
    BadClass(String),
    /// The class has no main method.
    #[error("class {0} has no public static void main(String[])")]
    NoMain(String),
}

impl Vm {
    /// Runs the `main` method of a class (by binary name) as `java` does. The thread's handler
    /// prints an uncaught exception, and the result is [`Exit::Exited`] with 1.
    ///
    /// # Errors
    /// The class or the method does not exist.
    pub fn run_main(&mut self, class: &str, arguments: &[String]) -> Result<Exit, LaunchError> {
        let (id, main) = self.find_main(class)?;
        let exit = self.run_launched(id, main, arguments);
        Ok(exit.unwrap_or_else(|fault| match fault {
            Fault::Stop(exit) => *exit,
            other => Exit::Unsupported(format!("{other:?}")),
        }))
    }

    /// Method that initialises a class (by binary name) and calls its `main` method, for
    /// [`Vm::call`] with [`Vm::texts`].
    ///
    /// # Errors
    /// The class or the method does not exist.
    pub fn main_starter(&mut self, class: &str) -> Result<MethodId, LaunchError> {
        let (id, main) = self.find_main(class)?;
        let starter = self.starter_in(id, main);
        starter.map_err(|fault| LaunchError::BadClass(self.fault_text(&fault)))
    }

    /// New array of strings.
    ///
    /// # Errors
    /// There is no memory.
    pub fn texts(&mut self, texts: &[String]) -> Result<Ref, Exit> {
        let made = self.new_texts(texts);
        made.map_err(|fault| match fault {
            Fault::Stop(exit) => *exit,
            other => Exit::Unsupported(self.fault_text(&other)),
        })
    }

    fn new_texts(&mut self, texts: &[String]) -> Result<Ref, Fault> {
        let mut strings = Vec::with_capacity(texts.len());
        for text in texts {
            strings.push(self.new_string(text)?);
        }
        let array = self.known().strings;
        self.new_object_array(array, &strings)
    }

    fn find_main(&mut self, class: &str) -> Result<(ClassId, MethodId), LaunchError> {
        let id = self
            .load_class(&class.replace('.', "/"))
            .map_err(|error| match error {
                LoadError::NotFound(name) if self.text(name) == class.replace('.', "/") => {
                    LaunchError::NoClass(class.to_owned())
                }
                LoadError::NotFound(name) => LaunchError::BadClass(format!(
                    "class {class} cannot be loaded: {} is missing",
                    self.text(name).replace('/', ".")
                )),
                LoadError::TooNew { name, major } => LaunchError::BadClass(format!(
                    "class {} cannot be used: {}",
                    self.text(name).replace('/', "."),
                    self.too_new(major)
                )),
                LoadError::Invalid(message) => LaunchError::BadClass(message),
                LoadError::HeapFull => LaunchError::BadClass("no memory".to_owned()),
            })?;
        let key = (
            self.names.intern("main"),
            self.names.intern("([Ljava/lang/String;)V"),
        );
        let main = self
            .resolve_method(id, key.0, key.1)
            .filter(|&main| {
                let needed = flags::PUBLIC | flags::STATIC;
                self.method(main).flags & needed == needed
            })
            .ok_or_else(|| LaunchError::NoMain(class.to_owned()))?;
        Ok((id, main))
    }

    fn run_launched(
        &mut self,
        launched: ClassId,
        main: MethodId,
        arguments: &[String],
    ) -> Result<Exit, Fault> {
        let array = self.new_texts(arguments)?;
        self.enable_collections();
        self.is_launched = true;
        // Generated code calls the method, which initialises its class. An inherited method is
        // called by a method of the named class.
        let main = if self.method(main).class == launched {
            main
        } else {
            self.starter_in(launched, main)?
        };
        let starter = self.starter(main)?;
        let exit = match self.call(starter, &[array.slot()]) {
            Ok(()) => self.run(&mut Plain),
            Err(exit) => exit,
        };
        let exception = match exit {
            Exit::Done(_) => return self.end_program(),
            Exit::Threw(exception) => exception,
            other => return Ok(other),
        };
        let thread = self.main_thread;
        let dispatch = self.method_named(
            "java/lang/Thread",
            "dispatchUncaughtException",
            "(Ljava/lang/Throwable;)V",
        )?;
        let exit = match self.call(dispatch, &[thread.slot(), exception.slot()]) {
            Ok(()) => self.run(&mut Plain),
            Err(exit) => exit,
        };
        let exit = match exit {
            Exit::Done(_) | Exit::Threw(_) => self.end_program()?,
            other => other,
        };
        Ok(match exit {
            Exit::Done(_) => Exit::Exited(1),
            other => other,
        })
    }
}
