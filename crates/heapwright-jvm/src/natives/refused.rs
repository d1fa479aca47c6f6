//! Parts of the library that are refused by name, where their own code would end in something
//! less clear.

use super::{Args, Entry, nothing};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

macro_rules! refusals {
    ($($signature:literal: $what:literal,)*) => {
        pub(super) const NATIVES: &[Entry] = &[
            $(($signature, |_, _| Err(Fault::unsupported($what))),)*
            ("java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", refuse_resource),
            ("java/lang/Class.getResource(Ljava/lang/String;)Ljava/net/URL;", refuse_resource),
            ("java/lang/ClassLoader.getSystemResource(Ljava/lang/String;)Ljava/net/URL;", refuse_system_resource),
            ("java/lang/ClassLoader.getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", refuse_system_resource),
            ("java/lang/ClassLoader.getResource(Ljava/lang/String;)Ljava/net/URL;", refuse_loader_resource),
            ("java/lang/ClassLoader.getResources(Ljava/lang/String;)Ljava/util/Enumeration;", refuse_loader_resource),
            ("java/lang/ClassLoader.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", refuse_loader_resource),
            ("java/lang/ClassLoader.resources(Ljava/lang/String;)Ljava/util/stream/Stream;", refuse_loader_resource),
            ("java/nio/charset/Charset.lookupExtendedCharset(Ljava/lang/String;)Ljava/nio/charset/Charset;", refuse_charset),
            ("java/lang/System.loadLibrary(Ljava/lang/String;)V", refuse_library),
            ("java/lang/System.load(Ljava/lang/String;)V", refuse_library),
            ("java/lang/ProcessImpl.init()V", nothing),
        ];
    };
}

refusals! {
    "java/lang/invoke/MethodHandles$Lookup.findVirtual(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findVirtual: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findStatic(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findStatic: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findConstructor(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findConstructor: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findSpecial(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findSpecial: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findGetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findSetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findStaticGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findStaticGetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.findStaticSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.findStaticSetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.bind(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.bind: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.unreflect(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.unreflect: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.unreflectConstructor(Ljava/lang/reflect/Constructor;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.unreflectConstructor: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.unreflectGetter(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.unreflectGetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.unreflectSetter(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;":
        "java.lang.invoke.MethodHandles.Lookup.unreflectSetter: method handles are not supported",
    "java/lang/invoke/MethodHandles$Lookup.defineClass([B)Ljava/lang/Class;":
        "java.lang.invoke.MethodHandles.Lookup.defineClass: classes are not made at run time",
    "java/lang/reflect/Proxy.getProxyClass(Ljava/lang/ClassLoader;[Ljava/lang/Class;)Ljava/lang/Class;":
        "java.lang.reflect.Proxy.getProxyClass: only newProxyInstance makes proxies",
    "java/lang/reflect/Proxy.invokeDefault(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;":
        "java.lang.reflect.InvocationHandler.invokeDefault: default methods of proxies are not called",
    "java/io/ObjectStreamClass.lookup(Ljava/lang/Class;Z)Ljava/io/ObjectStreamClass;":
        "java.io.ObjectStreamClass.lookup: serialization is not supported",
    "java/lang/ClassLoader.defineClass(Ljava/lang/String;[BIILjava/security/ProtectionDomain;)Ljava/lang/Class;":
        "java.lang.ClassLoader.defineClass: classes are not made at run time",
    "java/security/Security.initialize()V":
        "java.security.Security: its properties are in a file, and files are not opened",
    "java/util/ServiceLoader.load(Ljava/lang/Class;)Ljava/util/ServiceLoader;":
        "java.util.ServiceLoader.load: services are not looked for",
    "java/util/ServiceLoader.load(Ljava/lang/Class;Ljava/lang/ClassLoader;)Ljava/util/ServiceLoader;":
        "java.util.ServiceLoader.load: services are not looked for",
    "java/util/ResourceBundle.getBundle(Ljava/lang/String;)Ljava/util/ResourceBundle;":
        "java.util.ResourceBundle.getBundle: files are not opened",
    "java/util/ResourceBundle.getBundle(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;":
        "java.util.ResourceBundle.getBundle: files are not opened",
    "java/lang/Runtime.addShutdownHook(Ljava/lang/Thread;)V":
        "java.lang.Runtime.addShutdownHook: threads are not run",
    "java/lang/ProcessBuilder.start()Ljava/lang/Process;":
        "java.lang.ProcessBuilder.start(): processes are not started",
    "java/net/Socket.connect(Ljava/net/SocketAddress;I)V":
        "java.net.Socket.connect: sockets are not opened",
    "java/net/InetAddress.getByName(Ljava/lang/String;)Ljava/net/InetAddress;":
        "java.net.InetAddress.getByName: the network is not used",
    "java/nio/file/FileSystems.getDefault()Ljava/nio/file/FileSystem;":
        "java.nio.file.FileSystems.getDefault(): files are not opened",
    "java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;":
        "java.util.TimeZone.getDefault(): time zones are read from files",
}

fn name(vm: &Vm, name: Ref) -> String {
    if name.is_null() {
        "null".to_owned()
    } else {
        vm.string_text(name)
    }
}

fn refuse_resource(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = name(vm, vm.arg_ref(args, 1));
    Err(Fault::unsupported(format!(
        "java.lang.Class.getResource of {name}: files are not opened"
    )))
}

fn refuse_loader_resource(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = name(vm, vm.arg_ref(args, 1));
    Err(Fault::unsupported(format!(
        "java.lang.ClassLoader.getResource of {name}: files are not opened"
    )))
}

fn refuse_charset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = name(vm, vm.arg_ref(args, 0));
    Err(Fault::unsupported(format!(
        "java.nio.charset.Charset.forName of {name}: only the charsets of java.base are there"
    )))
}

fn refuse_system_resource(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = name(vm, vm.arg_ref(args, 0));
    Err(Fault::unsupported(format!(
        "java.lang.ClassLoader.getSystemResource of {name}: files are not opened"
    )))
}

fn refuse_library(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = name(vm, vm.arg_ref(args, 0));
    Err(Fault::unsupported(format!(
        "java.lang.System.loadLibrary of {name}: native libraries are not loaded"
    )))
}
