//! Class file parser (JVMS §4), reduced to what linking needs.
//!
//! `noak` does the parsing. Text constants stay byte ranges, so that a class with a thousand
//! strings costs nothing for unused ones.

use noak::reader::attributes::AttributeContent;
use noak::reader::{Attribute, Class as Reader, DecodeMany, cpool};
use std::ops::Range;

use crate::name::{Names, Sym};

/// Newest class file version that is supported: Java 25.
pub const NEWEST_MAJOR: u16 = 69;

/// Number that the major version of class files is higher than the release of Java that they are
/// for.
pub const CLASS_VERSIONS: u32 = 44;

/// Error of the class file parser.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum ClassFileError {
    /// The bytes violate the class file format.
    #[error("malformed class file: {0}")]
    Malformed(String),
    /// The class file needs a Java newer than 25.
    #[error("class file version {0} is newer than {NEWEST_MAJOR} (Java 25)")]
    TooNew(u16),
    /// The file defines no class, or another class than the requested one.
    #[error("{0}")]
    WrongClass(String),
}

impl From<noak::error::DecodeError> for ClassFileError {
    fn from(error: noak::error::DecodeError) -> Self {
        ClassFileError::Malformed(error.to_string())
    }
}

fn malformed<T>(what: &str) -> Result<T, ClassFileError> {
    Err(ClassFileError::Malformed(what.to_owned()))
}

/// Byte range of a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSpan {
    start: u32,
    length: u32,
}

impl ByteSpan {
    /// Returns the bytes of the range.
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.range()]
    }

    /// Converts to a range of byte positions.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.length as usize
    }
}

/// Entry of the constant pool (JVMS §4.4); numbers are indices of other entries.
#[expect(missing_docs, reason = "the fields have the names of JVMS §4.4")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Entry 0, and the second half of a long or double.
    Unused,
    /// Text in modified UTF-8.
    Utf8(ByteSpan),
    /// `int`
    Int(i32),
    /// `float`, as its bits
    Float(u32),
    /// `long`
    Long(i64),
    /// `double`, as its bits
    Double(u64),
    /// Class, by name.
    Class(u16),
    /// String literal.
    Str(u16),
    /// Field.
    Field { class: u16, name_and_type: u16 },
    /// Method, and whether the entry declares its class an interface.
    Method {
        class: u16,
        name_and_type: u16,
        interface: bool,
    },
    /// Name and descriptor.
    NameAndType { name: u16, descriptor: u16 },
    /// Method handle: kind (JVMS table 5.4.3.5-A) and member.
    MethodHandle { kind: u8, reference: u16 },
    /// Method type, by descriptor.
    MethodType(u16),
    /// Dynamically computed constant.
    Dynamic { bootstrap: u16, name_and_type: u16 },
    /// Dynamically computed call site.
    InvokeDynamic { bootstrap: u16, name_and_type: u16 },
    /// Modules and packages, which only `module-info` has.
    Other,
}

/// Declared field.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Access flags (JVMS table 4.5-A).
    pub flags: u16,
    /// Name.
    pub name: Sym,
    /// Descriptor.
    pub descriptor: Sym,
    /// `ConstantValue` entry.
    pub constant: Option<u16>,
    /// Generic `Signature`.
    pub signature: Option<Sym>,
    /// Content of `RuntimeVisibleAnnotations`.
    pub annotations: Option<ByteSpan>,
    /// Content of `RuntimeVisibleTypeAnnotations`.
    pub type_annotations: Option<ByteSpan>,
    /// Whether a library can read an annotation of it at run time, other than one of `java.lang`.
    pub is_annotated: bool,
}

/// Entry of the exception table; positions are bytecode indices.
#[derive(Clone, Copy, Debug)]
pub struct HandlerInfo {
    /// First covered index.
    pub start: u16,
    /// End of the covered range, exclusive.
    pub end: u16,
    /// Bytecode index of the handler.
    pub handler: u16,
    /// Pool index of the caught class, 0 for all.
    pub catch: u16,
}

/// `Code` attribute.
#[derive(Clone, Debug)]
pub struct CodeInfo {
    /// Maximum depth of the operand stack, in words.
    pub max_stack: u16,
    /// Local variables, in words.
    pub max_locals: u16,
    /// The bytecode.
    pub code: ByteSpan,
    /// The exception table, in order.
    pub handlers: Vec<HandlerInfo>,
    /// The contents of the `LineNumberTable` attributes.
    pub lines: Vec<ByteSpan>,
}

/// Declared method.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// Access flags (JVMS table 4.6-A).
    pub flags: u16,
    /// Name.
    pub name: Sym,
    /// Descriptor.
    pub descriptor: Sym,
    /// Code; `None` if native or abstract.
    pub code: Option<CodeInfo>,
    /// Declared exceptions.
    pub exceptions: Vec<Sym>,
    /// Generic `Signature`.
    pub signature: Option<Sym>,
    /// Contents of `RuntimeVisibleAnnotations`, `RuntimeVisibleParameterAnnotations` and
    /// `AnnotationDefault`.
    pub annotations: [Option<ByteSpan>; 3],
    /// Content of `RuntimeVisibleTypeAnnotations`.
    pub type_annotations: Option<ByteSpan>,
    /// Content of `MethodParameters`.
    pub parameters: Option<ByteSpan>,
    /// Whether an annotation marks it as generated, as JaCoCo has it: its simple name contains
    /// `Generated`.
    pub is_generated: bool,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
}

/// Bootstrap method and its static arguments, as pool indices.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// `MethodHandle` entry.
    pub handle: u16,
    /// Loadable constants.
    pub arguments: Vec<u16>,
}

/// Entry of `InnerClasses`.
#[derive(Clone, Debug)]
pub struct InnerClassInfo {
    /// The nested class.
    pub inner: Sym,
    /// Class of which it is a member; `None` if local or anonymous.
    pub outer: Option<Sym>,
    /// Simple name; `None` if anonymous.
    pub name: Option<Sym>,
    /// Flags as written in the source.
    pub flags: u16,
}

/// Record component.
#[derive(Clone, Debug)]
pub struct ComponentInfo {
    /// Name.
    pub name: Sym,
    /// Descriptor.
    pub descriptor: Sym,
    /// Generic `Signature`.
    pub signature: Option<Sym>,
    /// Contents of `RuntimeVisibleAnnotations` and `RuntimeVisibleTypeAnnotations`.
    pub annotations: [Option<ByteSpan>; 2],
}

/// Parsed class file.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// Major version.
    pub major: u16,
    /// Access flags (JVMS table 4.1-B).
    pub flags: u16,
    /// Internal name.
    pub name: Sym,
    /// Superclass; only `java/lang/Object` has none.
    pub super_name: Option<Sym>,
    /// Direct superinterfaces.
    pub interfaces: Vec<Sym>,
    /// Constant pool, entry 0 included.
    pub pool: Vec<Constant>,
    /// Declared fields, in order.
    pub fields: Vec<FieldInfo>,
    /// Declared methods, in order.
    pub methods: Vec<MethodInfo>,
    /// `SourceFile`.
    pub source_file: Option<Sym>,
    /// `BootstrapMethods`.
    pub bootstraps: Vec<Bootstrap>,
    /// `InnerClasses`.
    pub inner_classes: Vec<InnerClassInfo>,
    /// `EnclosingMethod`: the class and, if any, the method's name and descriptor.
    pub enclosing: Option<(Sym, Option<(Sym, Sym)>)>,
    /// `NestHost`.
    pub nest_host: Option<Sym>,
    /// `NestMembers`.
    pub nest_members: Vec<Sym>,
    /// `Record`.
    pub record: Option<Vec<ComponentInfo>>,
    /// `PermittedSubclasses`.
    pub permitted: Option<Vec<Sym>>,
    /// Generic `Signature`.
    pub signature: Option<Sym>,
    /// Content of `RuntimeVisibleAnnotations`.
    pub annotations: Option<ByteSpan>,
    /// Content of `RuntimeVisibleTypeAnnotations`.
    pub type_annotations: Option<ByteSpan>,
    /// Whether an annotation marks it as generated, see [`MethodInfo::is_generated`].
    pub is_generated: bool,
    /// Whether Kotlin's compiler wrote it, which says so by an annotation.
    pub is_kotlin: bool,
    /// Content of `SourceDebugExtension`.
    pub debug_extension: Option<ByteSpan>,
}

/// Exported and open packages of a module descriptor, by internal name. Each has the list of
/// modules to which it is restricted; an empty list means all modules.
#[derive(Clone, Debug, Default)]
pub struct ModuleDescriptor {
    /// Whether all packages are open.
    pub is_open: bool,
    /// Exported packages.
    pub exports: Vec<(String, Vec<String>)>,
    /// Packages that are open to reflection.
    pub opens: Vec<(String, Vec<String>)>,
    /// Services that it provides, with the internal names of the providers.
    pub provides: Vec<(String, Vec<String>)>,
}

/// Reads a `module-info` class file (JVMS §4.7.25).
///
/// # Errors
/// The bytes are malformed or define no module.
pub fn parse_module(bytes: &[u8]) -> Result<ModuleDescriptor, ClassFileError> {
    const OPEN: u16 = 0x0020;
    let reader = Reader::new(bytes)?;
    let pool = reader.pool();
    let text = |index: cpool::Index<cpool::Utf8<'_>>| -> Result<String, ClassFileError> {
        Ok(pool.get(index)?.content.display().to_string())
    };
    for attribute in reader.attributes() {
        let attribute = attribute?;
        if pool.get(attribute.name())?.content.to_str() != Some("Module") {
            continue;
        }
        // JVMS §4.7.25: two bytes each. `noak` reads the version of a required module, which may
        // be 0, as an index.
        let mut words = Words(attribute.content());
        let [_name, module_flags, _version] = words.take()?;
        let [required] = words.take()?;
        for _ in 0..required {
            let [_name, _flags, _version] = words.take()?;
        }
        let mut packages = || -> Result<Vec<(String, Vec<String>)>, ClassFileError> {
            let [count] = words.take()?;
            let mut packages = Vec::new();
            for _ in 0..count {
                let [package, _flags, others] = words.take()?;
                let package: cpool::Index<cpool::Package<'_>> = cpool::Index::new(package)?;
                let mut to = Vec::new();
                for _ in 0..others {
                    let [module] = words.take()?;
                    let module: cpool::Index<cpool::Module<'_>> = cpool::Index::new(module)?;
                    to.push(text(pool.get(module)?.name)?);
                }
                packages.push((text(pool.get(package)?.name)?, to));
            }
            Ok(packages)
        };
        let (exports, opens) = (packages()?, packages()?);
        let class = |index: u16| -> Result<String, ClassFileError> {
            let class: cpool::Index<cpool::Class<'_>> = cpool::Index::new(index)?;
            text(pool.get(class)?.name)
        };
        let [used] = words.take()?;
        for _ in 0..used {
            let [_class] = words.take()?;
        }
        let [count] = words.take()?;
        let mut provides = Vec::new();
        for _ in 0..count {
            let [service, providers] = words.take()?;
            let mut with = Vec::new();
            for _ in 0..providers {
                let [provider] = words.take()?;
                with.push(class(provider)?);
            }
            provides.push((class(service)?, with));
        }
        return Ok(ModuleDescriptor {
            is_open: module_flags & OPEN != 0,
            exports,
            opens,
            provides,
        });
    }
    malformed("no Module attribute")
}

/// Rest of an attribute that consists of two-byte numbers.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u16; N], ClassFileError> {
        let mut words = [0; N];
        for word in &mut words {
            let Some((&bytes, rest)) = self.0.split_first_chunk() else {
                return malformed("attribute that ends too early");
            };
            *word = u16::from_be_bytes(bytes);
            self.0 = rest;
        }
        Ok(words)
    }
}

struct ClassFileParser<'a> {
    bytes: &'a [u8],
    reader: Reader<'a>,
    names: &'a mut Names,
}

/// Position of the number of entries of the constant pool.
const POOL: usize = 8;

/// Returns the positions of the entries of a class file's constant pool, 0 for those that are none, and
/// the position behind it. `None` if it is malformed.
pub(crate) fn pool_entries(bytes: &[u8]) -> Option<(Vec<usize>, usize)> {
    let word = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let count = word(POOL)?;
    let mut entries = vec![0; usize::from(count)];
    let (mut at, mut index) = (POOL + 2, 1);
    while index < usize::from(count) {
        entries[index] = at;
        let tag = *bytes.get(at)?;
        // JVMS table 4.4-A.
        at += match tag {
            1 => 3 + usize::from(word(at + 1)?),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    Some((entries, at))
}

/// Returns a well-formed class file under another name: its own entry of the pool gets a new text.
/// `None` if the pool is full.
pub(crate) fn renamed(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let (entries, at) = pool_entries(bytes)?;
    let count = u16::try_from(entries.len()).ok()?;
    let own = *entries.get(usize::from(word(at + 2)?))?;
    let mut made = bytes[..POOL].to_vec();
    made.extend(count.checked_add(1)?.to_be_bytes());
    made.extend(&bytes[POOL + 2..own + 1]);
    made.extend(count.to_be_bytes());
    made.extend(&bytes[own + 3..at]);
    made.push(1);
    made.extend(u16::try_from(name.len()).ok()?.to_be_bytes());
    made.extend(name.as_bytes());
    made.extend(&bytes[at..]);
    Some(made)
}

/// Parses a class file.
///
/// # Errors
/// The bytes are malformed or need a newer Java.
pub fn parse(bytes: &[u8], names: &mut Names) -> Result<ClassFile, ClassFileError> {
    if bytes.len() >= 8 && bytes[..4] == [0xCA, 0xFE, 0xBA, 0xBE] {
        let major = u16::from_be_bytes([bytes[6], bytes[7]]);
        if major > NEWEST_MAJOR {
            return Err(ClassFileError::TooNew(major));
        }
        if major < 45 {
            return malformed(&format!("version {major} is older than 45"));
        }
    }
    let reader = Reader::new(bytes)?;
    if reader.buffer_size() != bytes.len() {
        return malformed("bytes after the end of the class");
    }
    ClassFileParser {
        bytes,
        reader,
        names,
    }
    .class()
}

impl<'a> ClassFileParser<'a> {
    fn class(mut self) -> Result<ClassFile, ClassFileError> {
        let flags = self.reader.access_flags().bits();
        if flags & 0x8000 != 0 {
            return Err(ClassFileError::WrongClass(
                "a module, not a class".to_owned(),
            ));
        }
        let pool = self.pool();
        let name = self.class_name(self.reader.this_class())?;
        let super_name = match self.reader.super_class() {
            Some(index) => Some(self.class_name(index)?),
            None => None,
        };
        let mut interfaces = Vec::new();
        for interface in self.reader.interfaces() {
            interfaces.push(self.class_name(interface?)?);
        }
        let mut class = ClassFile {
            major: self.reader.version().major,
            flags,
            name,
            super_name,
            interfaces,
            pool,
            fields: Vec::new(),
            methods: Vec::new(),
            source_file: None,
            bootstraps: Vec::new(),
            inner_classes: Vec::new(),
            enclosing: None,
            nest_host: None,
            nest_members: Vec::new(),
            record: None,
            permitted: None,
            signature: None,
            annotations: None,
            type_annotations: None,
            is_generated: false,
            is_kotlin: false,
            debug_extension: None,
        };
        for field in self.reader.fields() {
            let field = self.field(&field?)?;
            class.fields.push(field);
        }
        for method in self.reader.methods() {
            let method = self.method(&method?)?;
            class.methods.push(method);
        }
        self.attributes(&mut class)?;
        Ok(class)
    }

    fn span(&self, part: &[u8]) -> ByteSpan {
        let start = part.as_ptr() as usize - self.bytes.as_ptr() as usize;
        ByteSpan {
            start: start as u32,
            length: part.len() as u32,
        }
    }

    fn pool(&self) -> Vec<Constant> {
        let mut pool = vec![Constant::Unused];
        for (index, item) in self.reader.pool().iter_indices() {
            pool.resize(index.as_u16() as usize, Constant::Unused);
            pool.push(match item {
                cpool::Item::Utf8(item) => Constant::Utf8(self.span(item.content.as_bytes())),
                cpool::Item::Integer(item) => Constant::Int(item.value),
                cpool::Item::Float(item) => Constant::Float(item.value.to_bits()),
                cpool::Item::Long(item) => Constant::Long(item.value),
                cpool::Item::Double(item) => Constant::Double(item.value.to_bits()),
                cpool::Item::Class(item) => Constant::Class(item.name.as_u16()),
                cpool::Item::String(item) => Constant::Str(item.string.as_u16()),
                cpool::Item::FieldRef(item) => Constant::Field {
                    class: item.class.as_u16(),
                    name_and_type: item.name_and_type.as_u16(),
                },
                cpool::Item::MethodRef(item) => Constant::Method {
                    class: item.class.as_u16(),
                    name_and_type: item.name_and_type.as_u16(),
                    interface: false,
                },
                cpool::Item::InterfaceMethodRef(item) => Constant::Method {
                    class: item.class.as_u16(),
                    name_and_type: item.name_and_type.as_u16(),
                    interface: true,
                },
                cpool::Item::NameAndType(item) => Constant::NameAndType {
                    name: item.name.as_u16(),
                    descriptor: item.descriptor.as_u16(),
                },
                cpool::Item::MethodHandle(item) => Constant::MethodHandle {
                    kind: handle_kind(item.kind),
                    reference: item.reference.as_u16(),
                },
                cpool::Item::MethodType(item) => Constant::MethodType(item.descriptor.as_u16()),
                cpool::Item::Dynamic(item) => Constant::Dynamic {
                    bootstrap: item.bootstrap_method_attr,
                    name_and_type: item.name_and_type.as_u16(),
                },
                cpool::Item::InvokeDynamic(item) => Constant::InvokeDynamic {
                    bootstrap: item.bootstrap_method_attr,
                    name_and_type: item.name_and_type.as_u16(),
                },
                cpool::Item::Module(_) | cpool::Item::Package(_) => Constant::Other,
            });
        }
        pool
    }

    fn text(&mut self, index: cpool::Index<cpool::Utf8<'a>>) -> Result<Sym, ClassFileError> {
        let content = self.reader.pool().get(index)?.content;
        Ok(match content.to_str() {
            Some(text) => self.names.intern(text),
            None => self.names.intern(&content.display().to_string()),
        })
    }

    fn class_name(&mut self, index: cpool::Index<cpool::Class<'a>>) -> Result<Sym, ClassFileError> {
        let name = self.reader.pool().get(index)?.name;
        self.text(name)
    }

    /// Visits the attributes of a class or member by name; unknown ones are ignored (JVMS
    /// §4.7.1).
    fn each_attribute(
        &mut self,
        attributes: DecodeMany<'a, Attribute<'a>, u16>,
        mut see: impl FnMut(&mut Self, &str, &Attribute<'a>) -> Result<(), ClassFileError>,
    ) -> Result<(), ClassFileError> {
        for attribute in attributes {
            let attribute = attribute?;
            let name = self.reader.pool().get(attribute.name())?.content;
            if let Some(name) = name.to_str() {
                see(self, name, &attribute)?;
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &noak::reader::Field<'a>) -> Result<FieldInfo, ClassFileError> {
        let mut info = FieldInfo {
            flags: field.access_flags().bits(),
            name: self.text(field.name())?,
            descriptor: self.text(field.descriptor())?,
            constant: None,
            signature: None,
            annotations: None,
            type_annotations: None,
            is_annotated: false,
        };
        if !crate::descriptor::is_field(self.names.text(info.descriptor)) {
            return malformed("a field without a field descriptor");
        }
        self.each_attribute(field.attributes(), |this, name, attribute| {
            match name {
                "ConstantValue" => info.constant = Some(index_content(attribute)?),
                "Signature" => info.signature = this.signature(attribute)?,
                "RuntimeVisibleAnnotations" => {
                    info.annotations = Some(this.span(attribute.content()));
                    info.is_annotated = this.has_annotation(name, attribute, |annotation| {
                        !annotation.starts_with("Ljava/lang/")
                    });
                }
                "RuntimeVisibleTypeAnnotations" => {
                    info.type_annotations = Some(this.span(attribute.content()));
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(info)
    }

    /// Whether an attribute has an annotation that marks code as generated.
    fn marks_generated(&self, name: &str, attribute: &Attribute<'a>) -> bool {
        self.has_annotation(name, attribute, |name| {
            let simple = name.rsplit(['/', '$', ';']).find(|part| !part.is_empty());
            simple.is_some_and(|simple| simple.contains("Generated"))
        })
    }

    /// Whether an attribute has an annotation whose descriptor fits.
    fn has_annotation(
        &self,
        name: &str,
        attribute: &Attribute<'a>,
        fits: impl Fn(&str) -> bool,
    ) -> bool {
        if !matches!(
            name,
            "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations"
        ) {
            return false;
        }
        let pool = self.reader.pool();
        let annotations = match attribute.read_content(pool) {
            Ok(AttributeContent::RuntimeVisibleAnnotations(all)) => all.annotations(),
            Ok(AttributeContent::RuntimeInvisibleAnnotations(all)) => all.annotations(),
            _ => return false,
        };
        let names = annotations.into_iter().flatten();
        let mut names = names.filter_map(|one| pool.retrieve(one.type_()).ok()?.to_str());
        names.any(fits)
    }

    fn signature(&mut self, attribute: &Attribute<'a>) -> Result<Option<Sym>, ClassFileError> {
        let index = cpool::Index::new(index_content(attribute)?)?;
        Ok(Some(self.text(index)?))
    }

    fn method(&mut self, method: &noak::reader::Method<'a>) -> Result<MethodInfo, ClassFileError> {
        let mut info = MethodInfo {
            flags: method.access_flags().bits(),
            name: self.text(method.name())?,
            descriptor: self.text(method.descriptor())?,
            code: None,
            exceptions: Vec::new(),
            signature: None,
            annotations: [None; 3],
            type_annotations: None,
            parameters: None,
            is_generated: false,
            is_deprecated: false,
        };
        if crate::descriptor::split_method(self.names.text(info.descriptor)).is_none() {
            return malformed("a method without a method descriptor");
        }
        self.each_attribute(method.attributes(), |this, name, attribute| {
            info.is_generated |= this.marks_generated(name, attribute);
            match name {
                "Code" => info.code = Some(this.code(attribute)?),
                "Deprecated" => info.is_deprecated = true,
                "Exceptions" => {
                    if let AttributeContent::Exceptions(list) =
                        attribute.read_content(this.reader.pool())?
                    {
                        for class in list.exceptions() {
                            info.exceptions.push(this.class_name(class?)?);
                        }
                    }
                }
                "Signature" => info.signature = this.signature(attribute)?,
                "RuntimeVisibleAnnotations" => {
                    info.annotations[0] = Some(this.span(attribute.content()))
                }
                "RuntimeVisibleParameterAnnotations" => {
                    info.annotations[1] = Some(this.span(attribute.content()));
                }
                "RuntimeVisibleTypeAnnotations" => {
                    info.type_annotations = Some(this.span(attribute.content()));
                }
                "MethodParameters" => info.parameters = Some(this.span(attribute.content())),
                "AnnotationDefault" => info.annotations[2] = Some(this.span(attribute.content())),
                _ => {}
            }
            Ok(())
        })?;
        let has_no_code = info.flags & (flags::NATIVE | flags::ABSTRACT) != 0;
        if has_no_code == info.code.is_some() {
            return malformed(&format!(
                "method {} {} code",
                self.names.text(info.name),
                if has_no_code {
                    "must not have"
                } else {
                    "has no"
                }
            ));
        }
        Ok(info)
    }

    fn code(&mut self, attribute: &Attribute<'a>) -> Result<CodeInfo, ClassFileError> {
        let AttributeContent::Code(code) = attribute.read_content(self.reader.pool())? else {
            return malformed("Code attribute");
        };
        let content = attribute.content();
        // `noak` has checked that the code lies within the attribute.
        let length = u32::from_be_bytes([content[4], content[5], content[6], content[7]]) as usize;
        if length == 0 || length > 65_535 {
            return malformed("code of a length out of range");
        }
        let mut lines = Vec::new();
        self.each_attribute(code.attributes(), |this, name, attribute| {
            if name == "LineNumberTable" {
                lines.push(this.span(attribute.content()));
            }
            Ok(())
        })?;
        let handlers = code.exception_handlers().map(|handler| HandlerInfo {
            start: handler.start().as_u32() as u16,
            end: handler.end().as_u32() as u16,
            handler: handler.handler().as_u32() as u16,
            catch: handler.catch_type().map_or(0, |class| class.as_u16()),
        });
        Ok(CodeInfo {
            max_stack: code.max_stack(),
            max_locals: code.max_locals(),
            code: self.span(&content[8..8 + length]),
            handlers: handlers.collect(),
            lines,
        })
    }

    fn attributes(&mut self, class: &mut ClassFile) -> Result<(), ClassFileError> {
        self.each_attribute(self.reader.attributes(), |this, name, attribute| {
            class.is_generated |= this.marks_generated(name, attribute);
            class.is_kotlin |=
                this.has_annotation(name, attribute, |name| name == "Lkotlin/Metadata;");
            let pool = this.reader.pool();
            match name {
                "SourceFile" => {
                    let index = cpool::Index::new(index_content(attribute)?)?;
                    class.source_file = Some(this.text(index)?);
                }
                "SourceDebugExtension" => {
                    class.debug_extension = Some(this.span(attribute.content()));
                }
                "Signature" => class.signature = this.signature(attribute)?,
                "RuntimeVisibleAnnotations" => {
                    class.annotations = Some(this.span(attribute.content()))
                }
                "RuntimeVisibleTypeAnnotations" => {
                    class.type_annotations = Some(this.span(attribute.content()));
                }
                "BootstrapMethods" => {
                    if let AttributeContent::BootstrapMethods(list) =
                        attribute.read_content(pool)?
                    {
                        for method in list.methods() {
                            let method = method?;
                            let mut arguments = Vec::new();
                            for argument in method.arguments() {
                                arguments.push(argument?.as_u16());
                            }
                            class.bootstraps.push(Bootstrap {
                                handle: method.method_ref().as_u16(),
                                arguments,
                            });
                        }
                    }
                }
                "InnerClasses" => {
                    if let AttributeContent::InnerClasses(list) = attribute.read_content(pool)? {
                        for inner in list.classes() {
                            let inner = inner?;
                            let entry = InnerClassInfo {
                                inner: this.class_name(inner.inner_class())?,
                                outer: inner
                                    .outer_class()
                                    .map(|outer| this.class_name(outer))
                                    .transpose()?,
                                name: inner.inner_name().map(|name| this.text(name)).transpose()?,
                                flags: inner.inner_access_flags().bits(),
                            };
                            class.inner_classes.push(entry);
                        }
                    }
                }
                "EnclosingMethod" => {
                    if let AttributeContent::EnclosingMethod(enclosing) =
                        attribute.read_content(pool)?
                    {
                        let outer = this.class_name(enclosing.class())?;
                        let method = match enclosing.method() {
                            Some(index) => {
                                let pair = this.reader.pool().get(index)?.clone();
                                Some((this.text(pair.name)?, this.text(pair.descriptor)?))
                            }
                            None => None,
                        };
                        class.enclosing = Some((outer, method));
                    }
                }
                "NestMembers" => {
                    if let AttributeContent::NestMembers(members) = attribute.read_content(pool)? {
                        for member in members.classes() {
                            class.nest_members.push(this.class_name(member?)?);
                        }
                    }
                }
                "NestHost" => {
                    if let AttributeContent::NestHost(host) = attribute.read_content(pool)? {
                        class.nest_host = Some(this.class_name(host.host_class())?);
                    }
                }
                "Record" => {
                    if let AttributeContent::Record(record) = attribute.read_content(pool)? {
                        let mut components = Vec::new();
                        for component in record.components() {
                            let component = component?;
                            let mut signature = None;
                            let mut annotations = [None; 2];
                            let entry = (
                                this.text(component.name())?,
                                this.text(component.descriptor())?,
                            );
                            this.each_attribute(
                                component.attributes(),
                                |this, name, attribute| {
                                    let span = Some(this.span(attribute.content()));
                                    match name {
                                        "Signature" => signature = this.signature(attribute)?,
                                        "RuntimeVisibleAnnotations" => annotations[0] = span,
                                        "RuntimeVisibleTypeAnnotations" => annotations[1] = span,
                                        _ => {}
                                    }
                                    Ok(())
                                },
                            )?;
                            components.push(ComponentInfo {
                                name: entry.0,
                                descriptor: entry.1,
                                signature,
                                annotations,
                            });
                        }
                        class.record = Some(components);
                    }
                }
                "PermittedSubclasses" => {
                    if let AttributeContent::PermittedSubclasses(list) =
                        attribute.read_content(pool)?
                    {
                        let mut permitted = Vec::new();
                        for subclass in list.classes() {
                            permitted.push(this.class_name(subclass?)?);
                        }
                        class.permitted = Some(permitted);
                    }
                }
                _ => {}
            }
            Ok(())
        })
    }
}

/// Reads an attribute whose content is one pool index.
fn index_content(attribute: &Attribute<'_>) -> Result<u16, ClassFileError> {
    match attribute.content() {
        [high, low] => Ok(u16::from_be_bytes([*high, *low])),
        _ => malformed("attribute of a wrong length"),
    }
}

fn handle_kind(kind: cpool::MethodKind) -> u8 {
    use cpool::MethodKind as Kind;
    match kind {
        Kind::GetField => 1,
        Kind::GetStatic => 2,
        Kind::PutField => 3,
        Kind::PutStatic => 4,
        Kind::InvokeVirtual => 5,
        Kind::InvokeStatic => 6,
        Kind::InvokeSpecial => 7,
        Kind::NewInvokeSpecial => 8,
        Kind::InvokeInterface => 9,
    }
}

/// Decodes modified UTF-8 to UTF-16, which may contain unpaired surrogates.
#[must_use]
pub fn utf16_of_mutf8(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        rest = match *rest {
            [a, ref tail @ ..] if a < 0x80 => {
                units.push(u16::from(a));
                tail
            }
            [a, b, ref tail @ ..] if a & 0xE0 == 0xC0 => {
                units.push(u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F));
                tail
            }
            [a, b, c, ref tail @ ..] => {
                units.push(
                    u16::from(a & 0x0F) << 12 | u16::from(b & 0x3F) << 6 | u16::from(c & 0x3F),
                );
                tail
            }
            _ => return units,
        };
    }
}

/// Access flags of classes, fields and methods.
pub mod flags {
    #![expect(
        missing_docs,
        reason = "the names of JVMS tables 4.1-B, 4.5-A and 4.6-A"
    )]
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VARARGS: u16 = 0x0080;
    pub const BRIDGE: u16 = 0x0040;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
}
