//! Library methods that are refused by name, because their own code would fail with a less clear
//! message.

use super::resources::{emit_new, emit_url};
use super::{Args, NativeEntry, nothing};
use crate::class::ClassId;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

macro_rules! refusals {
    ($($signature:literal: $what:literal,)*) => {
        pub(super) const NATIVES: &[NativeEntry] = &[
            $(($signature, |_, _| Err(Fault::unsupported($what))),)*
            ("java/lang/System.loadLibrary(Ljava/lang/String;)V", |vm, args| refuse_library(vm, args, 0)),
            ("java/lang/System.load(Ljava/lang/String;)V", |vm, args| refuse_library(vm, args, 0)),
            ("java/lang/Runtime.loadLibrary(Ljava/lang/String;)V", |vm, args| refuse_library(vm, args, 1)),
            ("java/lang/Runtime.load(Ljava/lang/String;)V", |vm, args| refuse_library(vm, args, 1)),
            ("java/lang/Runtime.addShutdownHook(Ljava/lang/Thread;)V", add_hook),
            ("java/net/Inet4AddressImpl.getLocalHostName()Ljava/lang/String;", local_host),
            ("java/net/Inet6AddressImpl.getLocalHostName()Ljava/lang/String;", local_host),
            ("java/net/Socket.connect(Ljava/net/SocketAddress;I)V", connect),
            ("java/lang/ProcessImpl.init()V", nothing),
            ("java/lang/System.setSecurityManager(Ljava/lang/SecurityManager;)V", refuse_manager),
            ("java/lang/SecurityManager.<clinit>()V", nothing),
            ("java/lang/SecurityManager.<init>()V", new_manager),
            ("java/lang/SecurityManager.getClassContext()[Ljava/lang/Class;", class_context),
            ("java/lang/Class.getProtectionDomain()Ljava/security/ProtectionDomain;", protection_domain),
            ("java/lang/ClassLoader.preDefineClass(Ljava/lang/String;Ljava/security/ProtectionDomain;)Ljava/security/ProtectionDomain;", default_domain),
            ("java/lang/Class.getProtectionDomain0()Ljava/security/ProtectionDomain;", nothing),
        ];
    };
}

refusals! {
    "java/lang/ClassLoader.setDefaultAssertionStatus(Z)V":
        "java.lang.ClassLoader.setDefaultAssertionStatus: assertions are on or off for a whole run",
    "java/lang/ClassLoader.setPackageAssertionStatus(Ljava/lang/String;Z)V":
        "java.lang.ClassLoader.setPackageAssertionStatus: assertions are on or off for a whole run",
    "java/lang/ClassLoader.setClassAssertionStatus(Ljava/lang/String;Z)V":
        "java.lang.ClassLoader.setClassAssertionStatus: assertions are on or off for a whole run",
    "java/lang/ClassLoader.clearAssertionStatus()V":
        "java.lang.ClassLoader.clearAssertionStatus: assertions are on or off for a whole run",
    "java/util/ServiceLoader.<init>(Ljava/lang/Class;Ljava/lang/ModuleLayer;Ljava/lang/Class;)V":
        "java.util.ServiceLoader: services are not looked for",
    "java/net/Inet4AddressImpl.lookupAllHostAddr(Ljava/lang/String;)[Ljava/net/InetAddress;":
        "java.net.InetAddress: the network is not used",
    "java/net/Inet6AddressImpl.lookupAllHostAddr(Ljava/lang/String;)[Ljava/net/InetAddress;":
        "java.net.InetAddress: the network is not used",
    "java/net/Inet6AddressImpl.lookupAllHostAddr(Ljava/lang/String;I)[Ljava/net/InetAddress;":
        "java.net.InetAddress: the network is not used",
    "java/net/NetworkInterface.init()V":
        "java.net.NetworkInterface: the network is not used",
    "sun/nio/ch/Net.initIDs()V":
        "sockets are not opened",
    "jdk/net/LinuxSocketOptions.quickAckSupported0()Z":
        "sockets are not opened",
    "sun/nio/ch/UnixDomainSockets.init()Z":
        "sockets are not opened",
    "sun/nio/ch/InheritedChannel.open0(Ljava/lang/String;I)I":
        "sockets are not opened",
    "sun/nio/ch/EPoll.eventSize()I":
        "java.nio.channels.Selector: channels are not selected",
    "sun/nio/ch/IOUtil.makePipe(Z)J":
        "java.nio.channels.Pipe: pipes are not opened",
    "sun/nio/fs/LinuxWatchService.inotifyInit()I":
        "java.nio.file.WatchService: folders are not watched",
    "java/lang/ProcessBuilder.start()Ljava/lang/Process;":
        "java.lang.ProcessBuilder.start(): processes are not started",
}

fn name(vm: &Vm, name: Ref) -> String {
    if name.is_null() {
        "null".to_owned()
    } else {
        vm.string_text(name)
    }
}

/// Hooks of programs that only run; a hook that a test registers would run behind all tests.
fn add_hook(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.config.replaces_launcher || vm.is_called_by_library() {
        let descriptor = "(Ljava/lang/Thread;)V";
        if vm.config.replaces_launcher && !vm.is_called_by_library() {
            vm.note_hook();
        }
        return Err(vm.own_bytecode(args, "java/lang/Runtime", "addShutdownHook", descriptor));
    }
    Err(Fault::unsupported(
        "java.lang.Runtime.addShutdownHook: it would run behind all tests",
    ))
}

/// The name of the machine, whose address is that of the loopback interface.
fn local_host(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(vm.new_string("localhost")?.slot())
}

/// Connections are opened to the world of a verification only.
fn connect(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Err(match vm.config.opens_world {
        true => {
            let descriptor = "(Ljava/net/SocketAddress;I)V";
            vm.own_bytecode(args, "java/net/Socket", "connect", descriptor)
        }
        false => Fault::unsupported("java.net.Socket.connect: sockets are not opened"),
    })
}

/// The JDK's own native methods are the engine's; a program's library is refused.
fn refuse_library(vm: &mut Vm, args: Args, place: usize) -> Result<u64, Fault> {
    if vm.is_called_by_library() {
        return Ok(0);
    }
    let name = name(vm, vm.arg_ref(args, place));
    Err(Fault::unsupported(format!(
        "java.lang.System.loadLibrary of {name}: native libraries are not loaded"
    )))
}

/// Later releases throw an exception themselves.
fn refuse_manager(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Err(match vm.jdk().feature {
        17 => Fault::unsupported(
            "java.lang.System.setSecurityManager: security managers are not supported",
        ),
        21 => Fault::raise(
            "java/lang/UnsupportedOperationException",
            "The Security Manager is deprecated and will be removed in a future release",
        ),
        _ => Fault::raise(
            "java/lang/UnsupportedOperationException",
            "Setting a Security Manager is not supported",
        ),
    })
}

/// A manager that is not set changes nothing.
fn new_manager(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(0)
}

/// Classes of the running methods, the innermost first, without those of reflection.
fn class_context(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let shown = vm.frames().iter().rev().filter(|frame| {
        let name = vm.class_name(vm.method(frame.method).class);
        let reflects = name.starts_with("jdk/internal/reflect/")
            || name == "java/lang/reflect/Method" && {
                vm.text(vm.method(frame.method).name) == "invoke"
            };
        !vm.is_hidden(frame.method) && !reflects
    });
    let mirrors: Vec<Ref> = shown
        .map(|frame| vm.class(vm.method(frame.method).class).mirror)
        .collect();
    let classes = vm.known().classes;
    Ok(vm.new_object_array(classes, &mirrors)?.slot())
}

/// Protection domain; for a class of the JDK, the library's one with all permissions.
fn protection_domain(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    if let Some(domain) = vm.domain_of(class) {
        return Ok(domain.slot());
    }
    let is_apart = vm.has_name_space(vm.loader_object(class));
    if is_apart || vm.loader_of(class) == crate::class::Loader::Boot {
        const HOLDER: &str = "java/lang/Class$Holder";
        if vm.jdk().feature < 25 {
            let domain = "()Ljava/security/ProtectionDomain;";
            let method = vm.method_named("java/lang/Class", "protectionDomain", domain)?;
            return Err(Fault::Call(method, vec![vm.arg(args, 0)]));
        }
        let holder = vm
            .load_class(HOLDER)
            .map_err(|error| vm.load_fault(error))?;
        vm.initialize(holder)?;
        let field = vm.find_field(holder, "allPermDomain");
        return Ok(field.map_or(0, |field| vm.heap.load(field.word)));
    }
    let name = vm.binary_name(class);
    let place = vm.place_of(class);
    let (true, Some(place)) = (vm.config.replaces_launcher, place) else {
        return Err(Fault::unsupported(format!(
            "java.lang.Class.getProtectionDomain of {name}: where classes come from is not told",
        )));
    };
    Err(domain_call(vm, &name, Some(&place))?)
}

/// Protection domain of classes that the program's loader is given without one.
fn default_domain(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.arg_ref(args, 0) == vm.app_loader && vm.arg_ref(args, 2).is_null() {
        return Err(domain_call(vm, "default", None)?);
    }
    Err(vm.own_bytecode(
        args,
        "java/lang/ClassLoader",
        "preDefineClass",
        "(Ljava/lang/String;Ljava/security/ProtectionDomain;)Ljava/security/ProtectionDomain;",
    ))
}

/// Call of generated code that returns the protection domain with a name of our own, and with the URL of a place if there
/// is one.
fn domain_call(vm: &mut Vm, name: &str, place: Option<&str>) -> Result<Fault, Fault> {
    let loader = vm.app_loader;
    let site = vm.computed(&format!("{name}$$Domain"), "Ljava/lang/Object;", |vm, code| {
        let domain = vm.method_named(
            "java/security/ProtectionDomain",
            "<init>",
            "(Ljava/security/CodeSource;Ljava/security/PermissionCollection;Ljava/lang/ClassLoader;[Ljava/security/Principal;)V",
        )?;
        let source = vm.method_named(
            "java/security/CodeSource",
            "<init>",
            "(Ljava/net/URL;[Ljava/security/CodeSigner;)V",
        )?;
        let null = |d| Instr::Int { d, value: 0 };
        match place {
            Some(place) => emit_url(vm, code, place, 6)?,
            None => code.push(null(6)),
        }
        emit_new(vm, code, 2, source, &[Instr::Move { d: 4, a: 6 }, null(5)])?;
        let given = [
            null(3),
            Instr::Object {
                d: 4,
                object: loader.0,
            },
            null(5),
        ];
        emit_new(vm, code, 0, domain, &[&[Instr::Move { d: 2, a: 2 }][..], &given].concat())
    })?;
    let shape = "()Ljava/lang/Object;";
    let load = vm.once(
        &format!("domain of {name}"),
        "java/lang/Class",
        shape,
        |_, code| {
            code.push(Instr::GetStaticChecked { d: 0, site });
            code.push(Instr::Return { a: 0 });
            Ok(())
        },
    )?;
    Ok(Fault::Call(load, Vec::new()))
}

impl Vm {
    /// URL of the folder or jar that a class of the class path comes from.
    fn place_of(&self, class: ClassId) -> Option<String> {
        if self.loader_object(class) != self.app_loader {
            return None;
        }
        let file = format!("{}.class", self.class_name(class));
        let urls = self.class_path.resource_urls(&file);
        let folder = urls.first()?.strip_suffix(&file)?;
        let place = folder.strip_prefix("jar:").unwrap_or(folder);
        Some(place.strip_suffix("!/").unwrap_or(place).to_owned())
    }
}
