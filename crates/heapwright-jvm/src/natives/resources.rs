//! Resources of the JDK's modules and of the class path, as streams and URLs.

use super::{Args, NativeEntry, nothing};
use crate::assembler::Assembler;
use crate::class::MethodId;
use crate::classpath::ReadError;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "jdk/internal/loader/BootLoader.findResource(Ljava/lang/String;)Ljava/net/URL;",
        |vm, args| first(vm, args, 0, ResourceSource::Library),
    ),
    (
        "jdk/internal/loader/BootLoader.findResources(Ljava/lang/String;)Ljava/util/Enumeration;",
        |vm, args| all(vm, args, 0, ResourceSource::Library),
    ),
    (
        "jdk/internal/loader/BootLoader.findResource(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;",
        |vm, args| in_module(vm, args, 0),
    ),
    (
        "jdk/internal/loader/BootLoader.findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
        |vm, args| stream_in_module(vm, args, 0),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResource(Ljava/lang/String;)Ljava/net/URL;",
        |vm, args| first(vm, args, 1, ResourceSource::of_loader(vm, args)),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResources(Ljava/lang/String;)Ljava/util/Enumeration;",
        |vm, args| all(vm, args, 1, ResourceSource::of_loader(vm, args)),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResource(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;",
        |vm, args| in_module(vm, args, 1),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
        |vm, args| stream_in_module(vm, args, 1),
    ),
    (
        "java/lang/ClassLoader.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        loader_stream,
    ),
    (
        "java/lang/ClassLoader.getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        |vm, args| stream_of(vm, args, 0),
    ),
    (
        "java/lang/Module.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        stream_of_module,
    ),
    (
        "sun/net/www/protocol/jar/JarURLConnection.getInputStream()Ljava/io/InputStream;",
        jar_stream,
    ),
    (
        "sun/net/www/protocol/jrt/JavaRuntimeURLConnection.getInputStream()Ljava/io/InputStream;",
        module_stream,
    ),
    (
        "sun/net/www/protocol/jrt/JavaRuntimeURLConnection.<clinit>()V",
        nothing,
    ),
];

/// Where a class loader finds resources.
#[derive(Clone, Copy)]
enum ResourceSource {
    /// In the modules of the JDK.
    Library,
    /// On the class path.
    ClassPath,
    /// Nowhere: its resources are those of its parent.
    Nothing,
}

impl ResourceSource {
    /// Source of the loader in argument 0. The JDK's modules are all at the boot loader's.
    fn of_loader(vm: &Vm, args: Args) -> ResourceSource {
        match vm.arg_ref(args, 0) == vm.app_loader {
            true => ResourceSource::ClassPath,
            false => ResourceSource::Nothing,
        }
    }
}

fn unreadable(error: ReadError) -> Fault {
    Fault::raise("java/io/IOException", error.to_string())
}

impl Vm {
    /// Module of the JDK that has a resource which programs may see, and its content: a class
    /// file, or a file that is in no package.
    fn library_resource(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_package_name = |part: &str| {
            !part.is_empty() && !part.contains(['-', '.']) && !part.starts_with(char::is_numeric)
        };
        let is_in_package = !folder.is_empty() && folder.split('/').all(is_package_name);
        if is_in_package && !name.ends_with(".class") {
            return None;
        }
        self.modules.names().iter().find_map(|module| {
            let bytes = self.modules.resource(module, name)?;
            Some((module.clone(), bytes))
        })
    }

    fn urls(&self, name: &str, source: ResourceSource) -> Vec<String> {
        match source {
            ResourceSource::Library => self
                .library_resource(name)
                .map(|(module, _)| format!("jrt:/{module}/{name}"))
                .into_iter()
                .collect(),
            ResourceSource::ClassPath => self.class_path.resource_urls(name),
            ResourceSource::Nothing => Vec::new(),
        }
    }

    /// Call of generated code that returns a `URL`.
    fn url_call(&mut self, url: &str) -> Result<Fault, Fault> {
        const SHAPE: &str = "()Ljava/net/URL;";
        let make = self.once(&format!("URL {url}"), "java/net/URL", SHAPE, |vm, code| {
            emit_url(vm, code, url, 0)?;
            code.push(Instr::Return { a: 0 });
            Ok(())
        })?;
        Ok(Fault::Call(make, Vec::new()))
    }

    /// Call of generated code that returns an `Enumeration` of URLs.
    fn urls_call(&mut self, urls: &[String]) -> Result<Fault, Fault> {
        const SHAPE: &str = "()Ljava/util/Enumeration;";
        const LIST: &str = "java/util/ArrayList";
        let key = format!("URLs {}", urls.join(" "));
        let make = self.once(&key, "java/util/Collections", SHAPE, |vm, code| {
            let init = vm.method_named(LIST, "<init>", "()V")?;
            let add = vm.method_named(LIST, "add", "(Ljava/lang/Object;)Z")?;
            let enumeration = vm.method_named(
                "java/util/Collections",
                "enumeration",
                "(Ljava/util/Collection;)Ljava/util/Enumeration;",
            )?;
            emit_new(vm, code, 0, init, &[])?;
            for url in urls {
                emit_url(vm, code, url, 2)?;
                code.push(Instr::Move { d: 1, a: 0 });
                code.push(Instr::InvokeSpecial {
                    a: 1,
                    method: add.0,
                });
            }
            code.push(Instr::InvokeStaticChecked {
                a: 0,
                method: enumeration.0,
            });
            code.push(Instr::Return { a: 0 });
            Ok(())
        })?;
        Ok(Fault::Call(make, Vec::new()))
    }

    /// Stream over bytes.
    pub(crate) fn stream_over(&mut self, bytes: &[u8]) -> Result<u64, Fault> {
        let class = self
            .load_class("java/io/ByteArrayInputStream")
            .map_err(|error| self.load_fault(error))?;
        self.initialize(class)?;
        let words = self.class(class).instance_words;
        let stream = self.heap.allocate(class, words, false)?;
        let array = self.new_byte_array(bytes)?;
        self.put(stream, "buf", array.slot());
        self.put(stream, "count", bytes.len() as u64);
        Ok(stream.slot())
    }

    /// New `byte[]`.
    pub(crate) fn new_byte_array(&mut self, bytes: &[u8]) -> Result<Ref, Fault> {
        let class = self.known().bytes;
        let array = self
            .heap
            .allocate_array(class, bytes.len() as u32, 1, false)?;
        let at = self.heap.elements(array);
        self.heap.write_bytes(at, bytes);
        Ok(array)
    }
}

/// Emits the creation of an object in register `d`; the arguments are in the registers of the
/// moves, which are made behind the receiver.
pub(super) fn emit_new(
    vm: &mut Vm,
    code: &mut Assembler,
    d: u16,
    init: MethodId,
    arguments: &[Instr],
) -> Result<(), Fault> {
    code.push(Instr::NewChecked {
        d,
        class: vm.method(init).class.0,
    });
    code.push(Instr::Move { d: d + 1, a: d });
    for argument in arguments {
        code.push(*argument);
    }
    code.push(Instr::InvokeSpecial {
        a: d + 1,
        method: init.0,
    });
    Ok(())
}

/// Emits the creation of a `URL` in register `d`; uses the two behind it.
pub(super) fn emit_url(vm: &mut Vm, code: &mut Assembler, url: &str, d: u16) -> Result<(), Fault> {
    let init = vm.method_named("java/net/URL", "<init>", "(Ljava/lang/String;)V")?;
    let text = vm.literal(&url.encode_utf16().collect::<Vec<_>>())?;
    let text = Instr::Object {
        d: d + 2,
        object: text.0,
    };
    emit_new(vm, code, d, init, &[text])
}

/// URL of the first resource, or null.
fn first(vm: &mut Vm, args: Args, index: usize, source: ResourceSource) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, index)?);
    match vm.urls(&name, source).first() {
        Some(url) => Err(vm.url_call(url)?),
        None => Ok(0),
    }
}

fn all(vm: &mut Vm, args: Args, index: usize, source: ResourceSource) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, index)?);
    let urls = vm.urls(&name, source);
    Err(vm.urls_call(&urls)?)
}

/// Content of a resource of the module that is named in argument `index`, or of the class path
/// for null; the resource's name follows.
fn content_in_module(
    vm: &mut Vm,
    args: Args,
    index: usize,
) -> Result<(Option<Vec<u8>>, Option<String>), Fault> {
    let module = vm.arg_ref(args, index);
    let name = vm.string_text(vm.arg_object(args, index + 1)?);
    if module.is_null() {
        let content = vm.class_path.read_resource(&name).map_err(unreadable)?;
        return Ok((
            content,
            vm.class_path.resource_urls(&name).into_iter().next(),
        ));
    }
    let module = vm.string_text(module);
    let content = vm.modules.resource(&module, &name);
    Ok((content, Some(format!("jrt:/{module}/{name}"))))
}

fn in_module(vm: &mut Vm, args: Args, index: usize) -> Result<u64, Fault> {
    match content_in_module(vm, args, index)? {
        (Some(_), Some(url)) => Err(vm.url_call(&url)?),
        _ => Ok(0),
    }
}

fn stream_in_module(vm: &mut Vm, args: Args, index: usize) -> Result<u64, Fault> {
    match content_in_module(vm, args, index)? {
        (Some(bytes), _) => vm.stream_over(&bytes),
        (None, _) => Ok(0),
    }
}

/// Stream of a resource of the JDK or of the class path, or null.
fn stream_of(vm: &mut Vm, args: Args, index: usize) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, index)?);
    if let Some((_, bytes)) = vm.library_resource(&name) {
        return vm.stream_over(&bytes);
    }
    match vm.class_path.read_resource(&name).map_err(unreadable)? {
        Some(bytes) => vm.stream_over(&bytes),
        None => Ok(0),
    }
}

/// Stream of a loader's resource; loaders of the program's own run their code.
fn loader_stream(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.arg_ref(args, 0) == vm.app_loader {
        return stream_of(vm, args, 1);
    }
    Err(vm.own_bytecode(
        args,
        "java/lang/ClassLoader",
        "getResourceAsStream",
        "(Ljava/lang/String;)Ljava/io/InputStream;",
    ))
}

/// Stream of a module's resource. Those in packages are seen by the JDK only, except for class
/// files.
fn stream_of_module(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, 1)?);
    let name = name.strip_prefix('/').unwrap_or(&name);
    let Some(module) = vm
        .name_of_module(vm.arg_object(args, 0)?)
        .map(str::to_owned)
    else {
        return match vm.class_path.read_resource(name).map_err(unreadable)? {
            Some(bytes) => vm.stream_over(&bytes),
            None => Ok(0),
        };
    };
    let is_seen = vm.is_called_by_library()
        || vm
            .library_resource(name)
            .is_some_and(|(found, _)| found == module);
    match vm.modules.resource(&module, name).filter(|_| is_seen) {
        Some(bytes) => vm.stream_over(&bytes),
        None => Ok(0),
    }
}

/// Protocol and file of the URL of a connection.
fn url_of(vm: &Vm, args: Args) -> Result<(String, String), Fault> {
    let connection = vm.arg_object(args, 0)?;
    let field = |object: Ref, name: &str| -> Result<Ref, Fault> {
        let word = vm.word_of(vm.heap.class_of(object), name)?;
        Ok(Ref::from_slot(vm.read_slot(object.0 + word)?))
    };
    let url = field(connection, "url")?;
    Ok((
        vm.string_text(field(url, "protocol")?),
        vm.string_text(field(url, "file")?),
    ))
}

/// Content of a jar's member; jars that are not on the class path are opened by the JDK's code.
fn jar_stream(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (protocol, file) = url_of(vm, args)?;
    let url = format!("{protocol}:{file}");
    match vm.class_path.read_url(&url).map_err(unreadable)? {
        Some(bytes) => vm.stream_over(&bytes),
        None => Err(vm.own_bytecode(
            args,
            "sun/net/www/protocol/jar/JarURLConnection",
            "getInputStream",
            "()Ljava/io/InputStream;",
        )),
    }
}

fn module_stream(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (_, file) = url_of(vm, args)?;
    let found = file
        .trim_start_matches('/')
        .split_once('/')
        .and_then(|(module, name)| vm.modules.resource(module, name));
    match found {
        Some(bytes) => vm.stream_over(&bytes),
        None => Err(Fault::raise(
            "java/io/IOException",
            format!("{file} not found"),
        )),
    }
}
