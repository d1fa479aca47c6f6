//! Helper methods that are generated into a test's own source, only where they are used.
//!
//! They need only the JDK, no `--add-opens` and no command-line flag. Neither javac nor JDKs up
//! to 25 warn about them (JDK 26 warns about final fields set by reflection).

use std::collections::BTreeSet;

/// Helper method; declared in the order of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Allocate,
    Construct,
    NewArray,
    Constant,
    Set,
    SetDeclared,
    Get,
    Invoke,
    ConstructHidden,
    Outcome,
    Content,
    MapOf,
}

impl Helper {
    /// Source of the method, indented as a member.
    fn source(self) -> &'static str {
        match self {
            Helper::Allocate => ALLOCATE,
            Helper::Construct => CONSTRUCT,
            Helper::NewArray => NEW_ARRAY,
            Helper::Constant => CONSTANT,
            Helper::Set => SET,
            Helper::SetDeclared => SET_DECLARED,
            Helper::Get => GET,
            Helper::Invoke => INVOKE,
            Helper::ConstructHidden => CONSTRUCT_HIDDEN,
            Helper::Outcome => OUTCOME,
            Helper::Content => CONTENT,
            Helper::MapOf => MAP_OF,
        }
    }

    /// Types that the source names, except those of `java.lang`.
    fn imports(self) -> &'static [&'static str] {
        match self {
            Helper::Allocate => &[
                "java.lang.invoke.MethodHandles",
                "java.lang.reflect.Constructor",
            ],
            Helper::ConstructHidden => &[
                "java.lang.reflect.Constructor",
                "java.lang.reflect.InvocationTargetException",
            ],
            Helper::Construct => &[
                "java.lang.reflect.Constructor",
                "java.lang.reflect.RecordComponent",
            ],
            Helper::NewArray => &["java.lang.reflect.Array"],
            Helper::Constant | Helper::Outcome => &[],
            Helper::Set | Helper::SetDeclared | Helper::Get => &["java.lang.reflect.Field"],
            Helper::MapOf => &["java.util.LinkedHashMap", "java.util.Map"],
            Helper::Invoke => &[
                "java.lang.reflect.InvocationTargetException",
                "java.lang.reflect.Method",
            ],
            Helper::Content => &[
                "java.util.ArrayList",
                "java.util.Arrays",
                "java.util.Iterator",
                "java.util.LinkedHashMap",
                "java.util.LinkedHashSet",
                "java.util.List",
                "java.util.Map",
                "java.util.PriorityQueue",
                "java.util.Set",
                "java.util.SortedMap",
                "java.util.SortedSet",
            ],
        }
    }
}

/// Sources of the helpers, with an empty line before each.
pub(super) fn sources(helpers: &BTreeSet<Helper>) -> String {
    helpers
        .iter()
        .map(|helper| format!("\n{}", helper.source()))
        .collect()
}

/// Types that the helpers name.
pub(super) fn imports(helpers: &BTreeSet<Helper>) -> BTreeSet<String> {
    helpers
        .iter()
        .flat_map(|helper| helper.imports())
        .map(|&name| name.to_owned())
        .collect()
}

const ALLOCATE: &str = r#"    /** Makes an object without running a constructor of its class. */
    private static Object allocate(String className) throws Exception {
        ClassLoader loader = MethodHandles.lookup().lookupClass().getClassLoader();
        Class<?> type = Class.forName(className, false, loader);
        Class<?> above = type.getSuperclass();
        // It may refer to the class: initialized after it, it would find it half made.
        if (above != null) {
            Class.forName(above.getName(), true, loader);
        }
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object constructor = factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(
                        factory.getMethod("getReflectionFactory").invoke(null),
                        type,
                        Object.class.getDeclaredConstructor());
        return ((Constructor<?>) constructor).newInstance();
    }
"#;

const CONSTRUCT: &str = r#"    /** Makes a record from its components. */
    private static Object construct(String className, Object... components) throws Exception {
        Class<?> type = Class.forName(className);
        RecordComponent[] declared = type.getRecordComponents();
        Class<?>[] types = new Class<?>[declared.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = declared[i].getType();
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(components);
    }
"#;

const NEW_ARRAY: &str = r#"    /** Makes an array of references to a class that cannot be named here. */
    private static Object[] newArray(String elementClass, int length) throws Exception {
        return (Object[]) Array.newInstance(Class.forName(elementClass), length);
    }
"#;

const CONSTANT: &str = r#"    /** Gives a constant of an enum that cannot be named here. */
    private static Object constant(String className, String name) throws Exception {
        for (Object constant : Class.forName(className).getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new NoSuchFieldException(className + "." + name);
    }
"#;

const SET: &str = r#"    /** Sets a field, looked for in the object's class and then in its superclasses. */
    private static void set(Object object, String name, Object value) throws Exception {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    field.set(object, value);
                    return;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
"#;

const SET_DECLARED: &str = r#"    /** Sets a field of the class that declares it. */
    private static void setDeclared(Object object, String className, String name, Object value)
            throws Exception {
        Field field = Class.forName(className).getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
"#;

const GET: &str = r#"    /** Reads a field of the class that declares it. */
    private static Object get(Object object, String className, String name) throws Exception {
        Field field = Class.forName(className).getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
"#;

const INVOKE: &str = r#"    /** Calls a method that cannot be called directly from here. */
    private static Object invoke(
            Object receiver, String className, String signature, Object... arguments)
            throws Throwable {
        for (Method method : Class.forName(className).getDeclaredMethods()) {
            StringBuilder found = new StringBuilder(method.getName()).append('(');
            for (Class<?> type : method.getParameterTypes()) {
                found.append(found.charAt(found.length() - 1) == '(' ? "" : ",");
                found.append(type.getName());
            }
            found.append(')');
            if (!method.isBridge() && found.toString().equals(signature)
                    || signature.equals(found + ":" + method.getReturnType().getName())) {
                method.setAccessible(true);
                try {
                    return method.invoke(receiver, arguments);
                } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                }
            }
        }
        throw new NoSuchMethodException(className + "." + signature);
    }
"#;

const CONSTRUCT_HIDDEN: &str = r#"    /** Calls a constructor that cannot be called directly from here. */
    private static Object constructHidden(
            String className, String signature, Object... arguments)
            throws Throwable {
        for (Constructor<?> constructor : Class.forName(className).getDeclaredConstructors()) {
            StringBuilder found = new StringBuilder("<init>(");
            for (Class<?> type : constructor.getParameterTypes()) {
                found.append(found.charAt(found.length() - 1) == '(' ? "" : ",");
                found.append(type.getName());
            }
            if (found.append(')').toString().equals(signature)) {
                constructor.setAccessible(true);
                try {
                    return constructor.newInstance(arguments);
                } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                }
            }
        }
        throw new NoSuchMethodException(className + "." + signature);
    }
"#;

const OUTCOME: &str = r#"    /** A call. */
    private interface Run {
        Object run() throws Throwable;
    }

    /** What a call returns, or the class of what it throws. */
    private static Object outcome(Run call) {
        try {
            return call.run();
        } catch (Throwable thrown) {
            return thrown.getClass();
        }
    }
"#;

/// Same source as in the class that compares on the engine.
const CONTENT: &str = r#"    /** What a value holds: arrays, and whatever has an order, as lists. */
    private static Object content(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        if (value instanceof Object[]) {
            return contents(Arrays.asList((Object[]) value).iterator());
        }
        if (value != null && value.getClass().isArray()) {
            return Arrays.deepToString(new Object[] {value});
        }
        if (value instanceof SortedMap || value instanceof LinkedHashMap) {
            return contents(((Map<?, ?>) value).entrySet().iterator());
        }
        if (value instanceof PriorityQueue<?>) {
            PriorityQueue<?> copy = new PriorityQueue<>((PriorityQueue<?>) value);
            List<Object> inOrder = new ArrayList<>();
            while (!copy.isEmpty()) {
                inOrder.add(content(copy.poll()));
            }
            return inOrder;
        }
        boolean isSorted = value instanceof SortedSet || value instanceof LinkedHashSet;
        if (value instanceof Iterable<?> && (isSorted || !(value instanceof Set))) {
            return contents(((Iterable<?>) value).iterator());
        }
        return value instanceof Iterator<?> ? contents((Iterator<?>) value) : value;
    }

    private static List<Object> contents(Iterator<?> values) {
        List<Object> contents = new ArrayList<>();
        while (values.hasNext()) {
            contents.add(content(values.next()));
        }
        return contents;
    }
"#;

const MAP_OF: &str = r#"    /** Makes a map of keys, each with its value behind it. */
    @SuppressWarnings("unchecked")
    private static <K, V> Map<K, V> mapOf(Object... content) {
        Map<K, V> map = new LinkedHashMap<>();
        for (int i = 0; i < content.length; i += 2) {
            map.put((K) content[i], (V) content[i + 1]);
        }
        return map;
    }
"#;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// A reproducer compares contents by the same code as the engine.
    #[test]
    fn contents_are_those_of_the_engine() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let source = crates.join("heapwright-techniques/java/heapwright/Contents.java");
        let source = std::fs::read_to_string(source).unwrap();
        assert!(source.contains(super::CONTENT));
    }
}
