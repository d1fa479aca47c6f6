//! Output of the writers, word for word.

use expect_test::{Expect, expect};
use heapwright_suite::junit::{JunitOptions, JunitVersion, write_junit};
use heapwright_suite::{Body, Structure, Suite, Value, jsonl};

use crate::model::{field, named, object, record};
use crate::suites;

fn check(suite: &Suite, options: &JunitOptions, expected: &Expect) {
    let output = write_junit(suite, options).unwrap();
    let text: String = output
        .files
        .iter()
        .map(|file| format!("=== {}\n{}", file.path, file.contents))
        .collect();
    expected.assert_eq(&text);
}

fn some(mut suite: Suite, cases: usize, calls: usize) -> Suite {
    suite.cases.truncate(cases);
    for case in &mut suite.cases {
        case.calls.truncate(calls);
    }
    suite
}

#[test]
fn methods_for_junit_5() {
    check(
        &some(suites::search_tree(), 3, 1),
        &JunitOptions::default(),
        &expect![[r#"
            === shelf/SearchTreeHeapwrightTest.java
            package shelf;

            import static org.junit.jupiter.api.Assertions.assertFalse;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.lang.invoke.MethodHandles;
            import java.lang.reflect.Constructor;
            import java.lang.reflect.Field;
            import org.junit.jupiter.api.Test;

            /** Behaviour of shelf.SearchTree, written by Heapwright. */
            class SearchTreeHeapwrightTest {
                @Test
                void insert_onSearchTree_with2_returnsTrue() throws Exception {
                    SearchTree searchTree = new SearchTree();
                    set(searchTree, "root", null);
                    set(searchTree, "size", 0);
                    assertTrue(searchTree.repOk());

                    assertTrue(searchTree.insert(2));
                    assertTrue(searchTree.repOk());
                }

                @Test
                void insert_on1Node_with2_returnsTrue() throws Exception {
                    SearchTree searchTree = new SearchTree();
                    Object node = allocate("shelf.SearchTree$Node");
                    set(searchTree, "root", node);
                    set(searchTree, "size", 1);
                    set(node, "value", 1);
                    assertTrue(searchTree.repOk());

                    assertTrue(searchTree.insert(2));
                    assertTrue(searchTree.repOk());
                }

                @Test
                void insert_on3Nodes_with2_returnsFalse() throws Exception {
                    SearchTree searchTree = new SearchTree();
                    Object node0 = allocate("shelf.SearchTree$Node");
                    Object node1 = allocate("shelf.SearchTree$Node");
                    Object node2 = allocate("shelf.SearchTree$Node");
                    set(searchTree, "root", node0);
                    set(searchTree, "size", 3);
                    set(node0, "left", node1);
                    set(node0, "right", node2);
                    set(node0, "value", 2);
                    set(node1, "value", 1);
                    set(node2, "value", 3);
                    assertTrue(searchTree.repOk());

                    assertFalse(searchTree.insert(2));
                    assertTrue(searchTree.repOk());
                }

                /** Makes an object without running a constructor of its class. */
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

                /** Sets a field, looked for in the object's class and then in its superclasses. */
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
            }
        "#]],
    );
}

#[test]
fn generic_methods_for_junit_5() {
    check(
        &some(suites::ring(), 2, 2),
        &JunitOptions::default(),
        &expect![[r#"
            === shelf/RingHeapwrightTest.java
            package shelf;

            import static org.junit.jupiter.api.Assertions.assertEquals;
            import static org.junit.jupiter.api.Assertions.assertThrows;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.lang.reflect.InvocationTargetException;
            import java.lang.reflect.Method;
            import java.util.NoSuchElementException;
            import org.junit.jupiter.api.Test;

            /** Behaviour of shelf.Ring, written by Heapwright. */
            @SuppressWarnings({"rawtypes", "unchecked"})
            class RingHeapwrightTest {
                @Test
                void first_on1Node_throwsNoSuchElement() throws Throwable {
                    Ring ring = new Ring();
                    Ring.Node node = new Ring.Node();
                    ring.header = node;
                    ring.size = 0;
                    node.item = null;
                    node.next = node;
                    node.previous = node;
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));

                    assertThrows(NoSuchElementException.class, () -> ring.first());
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));
                }

                @Test
                void remove_on1Node_with0_throwsIndexOutOfBounds() throws Throwable {
                    Ring ring = new Ring();
                    Ring.Node node = new Ring.Node();
                    ring.header = node;
                    ring.size = 0;
                    node.item = null;
                    node.next = node;
                    node.previous = node;
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));

                    assertThrows(IndexOutOfBoundsException.class, () -> ring.remove(0));
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));
                }

                @Test
                void first_on3Nodes_returns7() throws Throwable {
                    Ring ring = new Ring();
                    Ring.Node node0 = new Ring.Node();
                    Ring.Node node1 = new Ring.Node();
                    Ring.Node node2 = new Ring.Node();
                    Integer integer1 = Integer.valueOf(1000);
                    Object[] objects = new Object[3];
                    ring.header = node0;
                    ring.size = 2;
                    node0.item = null;
                    node0.next = node1;
                    node0.previous = node2;
                    node1.item = 7;
                    node1.next = node2;
                    node1.previous = node0;
                    node2.item = integer1;
                    node2.next = node0;
                    node2.previous = node1;
                    objects[0] = integer1;
                    objects[2] = ring;
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));

                    assertEquals(7, ring.first());
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));
                }

                @Test
                void remove_on3Nodes_with1000_returnsTrue() throws Throwable {
                    Ring ring = new Ring();
                    Ring.Node node0 = new Ring.Node();
                    Ring.Node node1 = new Ring.Node();
                    Ring.Node node2 = new Ring.Node();
                    Integer integer1 = Integer.valueOf(1000);
                    Object[] objects = new Object[3];
                    ring.header = node0;
                    ring.size = 2;
                    node0.item = null;
                    node0.next = node1;
                    node0.previous = node2;
                    node1.item = 7;
                    node1.next = node2;
                    node1.previous = node0;
                    node2.item = integer1;
                    node2.next = node0;
                    node2.previous = node1;
                    objects[0] = integer1;
                    objects[2] = ring;
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));

                    assertTrue(ring.remove((Object) Integer.valueOf(1000)));
                    assertTrue((boolean) invoke(ring, "shelf.Ring", "isRing()"));
                }

                /** Calls a method that cannot be called directly from here. */
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
            }
        "#]],
    );
}

#[test]
fn methods_for_junit_4() {
    let options = JunitOptions {
        version: JunitVersion::Four,
        ..JunitOptions::default()
    };
    check(
        &suites::heap_array(),
        &options,
        &expect![[r#"
        === HeapArrayHeapwrightTest.java
        import static org.junit.Assert.assertEquals;
        import static org.junit.Assert.assertNotNull;
        import static org.junit.Assert.assertSame;
        import static org.junit.Assert.assertTrue;

        import org.junit.Test;

        /** Behaviour of HeapArray, written by Heapwright. */
        public class HeapArrayHeapwrightTest {
            @Test
            public void top_onHeapArray_throwsArrayIndexOutOfBounds() {
                HeapArray heapArray = new HeapArray();
                int[] ints = {};
                heapArray.array = ints;
                heapArray.size = 0;
                assertTrue(heapArray.repOk());

                Throwable thrown = null;
                try {
                    heapArray.top();
                } catch (Throwable throwable) {
                    thrown = throwable;
                }
                assertNotNull(thrown);
                assertEquals(ArrayIndexOutOfBoundsException.class, thrown.getClass());
                assertTrue(heapArray.repOk());
            }

            @Test
            public void top_onHeapArray_returns9() {
                HeapArray heapArray = new HeapArray();
                int[] ints = {9, 5, Integer.MIN_VALUE};
                heapArray.array = ints;
                heapArray.size = 3;
                assertTrue(heapArray.repOk());

                assertEquals(9, heapArray.top());
                assertTrue(heapArray.repOk());
            }

            @Test
            public void elements_onHeapArray_returnsInts() {
                HeapArray heapArray = new HeapArray();
                int[] ints = {9, 5, Integer.MIN_VALUE};
                heapArray.array = ints;
                heapArray.size = 3;
                assertTrue(heapArray.repOk());

                assertSame(ints, heapArray.elements());
                assertTrue(heapArray.repOk());
            }

            @Test
            public void top_onHeapArray_returns1000000() {
                HeapArray heapArray = new HeapArray();
                int[] ints = {1000000, 999999, 999998, 999997, 999996, 999995, 999994, 999993, 999992,
                        999991, 999990, 999989, 999988, 999987, 999986, 999985, 999984, 999983, 999982,
                        999981, 999980, 999979, 999978, 999977, 999976, 999975, 999974, 999973, 999972,
                        999971, 999970, 999969, 999968, 999967, 999966, 999965, 999964, 999963, 999962,
                        999961};
                heapArray.array = ints;
                heapArray.size = 40;
                assertTrue(heapArray.repOk());

                assertEquals(1000000, heapArray.top());
                assertTrue(heapArray.repOk());
            }
        }
    "#]],
    );
}

#[test]
fn every_kind_of_value_in_a_method() {
    check(
        &some(suites::everything(), 1, 1),
        &JunitOptions::default(),
        &expect![[r#"
            === shelf/IntHeapwrightTest.java
            package shelf;

            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.lang.invoke.MethodHandles;
            import java.lang.reflect.Array;
            import java.lang.reflect.Constructor;
            import java.lang.reflect.Field;
            import java.lang.reflect.RecordComponent;
            import org.junit.jupiter.api.Test;

            /** Behaviour of shelf.Int, written by Heapwright. */
            @SuppressWarnings({"deprecation", "removal"})
            class IntHeapwrightTest {
                @Test
                void truth_on6Objects_returnsTrue() throws Exception {
                    Int int0 = (Int) allocate("shelf.Int");
                    String string0 = "tab\tquote\"\u2028";
                    Int.Method method = new Int.Method();
                    Object cell = allocate("shelf.Int$Cell");
                    int[][] ints0 = new int[2][];
                    int[] ints1 = {1, 2};
                    String[] strings = new String[3];
                    double[] doubles = {Double.POSITIVE_INFINITY, Double.NaN, 5e-324};
                    char[] chars = {'\n', '\\', ' '};
                    boolean[] booleans = {true, false};
                    Object[] objects = new Object[3];
                    Object object = new Object();
                    Int.Inner inner = (Int.Inner) allocate("shelf.Int$Inner");
                    Object[] cells = newArray("shelf.Int$Cell", 2);
                    String string1 = new String("tab\tquote\"\u2028");
                    Int.Point point = new Int.Point(-1, int0, null);
                    Object secret = construct("shelf.Int$Secret", point);
                    setDeclared(int0, "shelf.Base", "next", int0);
                    setDeclared(int0, "shelf.Base", "letter", '\'');
                    int0.truth = true;
                    int0.small = (byte) -128;
                    int0.medium = (short) -3;
                    int0.letter = '\ud800';
                    int0.number = Integer.MIN_VALUE;
                    int0.large = Long.MAX_VALUE;
                    int0.single = Float.NaN;
                    int0.real = -0.0;
                    int0.next = string0;
                    int0.text = string0;
                    int0.box = 123456;
                    int0.comparable = 0.1;
                    int0.colour = Int.Colour.GREEN;
                    set(int0, "hidden", constant("shelf.Int$Hidden", "TWO"));
                    int0.point = point;
                    set(int0, "secret", secret);
                    int0.method = method;
                    set(int0, "cell", cell);
                    int0.grid = ints0;
                    int0.words = strings;
                    int0.reals = doubles;
                    int0.letters = chars;
                    int0.truths = booleans;
                    int0.objects = objects;
                    set(int0, "fixed", object);
                    int0.inner = inner;
                    int0.gr\u00f6\u00dfe = 5;
                    method.$ = 11;
                    set(cell, "content", objects);
                    set(cell, "cells", cells);
                    ints0[1] = ints1;
                    strings[1] = string0;
                    strings[2] = string1;
                    objects[0] = ints0;
                    objects[1] = cell;
                    objects[2] = '\u00e9';
                    set(inner, "this$0", int0);
                    cells[0] = cell;

                    assertTrue(int0.truth());
                }

                /** Makes an object without running a constructor of its class. */
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

                /** Makes a record from its components. */
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

                /** Makes an array of references to a class that cannot be named here. */
                private static Object[] newArray(String elementClass, int length) throws Exception {
                    return (Object[]) Array.newInstance(Class.forName(elementClass), length);
                }

                /** Gives a constant of an enum that cannot be named here. */
                private static Object constant(String className, String name) throws Exception {
                    for (Object constant : Class.forName(className).getEnumConstants()) {
                        if (((Enum<?>) constant).name().equals(name)) {
                            return constant;
                        }
                    }
                    throw new NoSuchFieldException(className + "." + name);
                }

                /** Sets a field, looked for in the object's class and then in its superclasses. */
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

                /** Sets a field of the class that declares it. */
                private static void setDeclared(Object object, String className, String name, Object value)
                        throws Exception {
                    Field field = Class.forName(className).getDeclaredField(name);
                    field.setAccessible(true);
                    field.set(object, value);
                }
            }
        "#]],
    );
}

#[test]
fn data_lines() {
    let options = JunitOptions {
        max_structures_in_source: 0,
        ..JunitOptions::default()
    };
    let mut lines = String::new();
    for suite in [suites::search_tree(), suites::ring(), suites::everything()] {
        let output = write_junit(&suite, &options).unwrap();
        let data = &output.files[1].contents;
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            lines.push_str(line);
            lines.push('\n');
        }
    }
    expect![[r#"
        @0=SearchTree | insert(int) 2 -> true | insert(int) -7 -> true | min() -> throws:java.lang.IllegalStateException | max() -> throws:SearchTree$Empty | clear() -> void
        @0=SearchTree root=@1 size=1 ; @1=SearchTree$Node value=1 | insert(int) 2 -> true | insert(int) -7 -> true | min() -> 1 | max() -> 1 | clear() -> void broken
        @0=SearchTree root=@1 size=3 ; @1=SearchTree$Node left=@2 right=@3 value=2 ; @2=SearchTree$Node value=1 ; @3=SearchTree$Node value=3 | insert(int) 2 -> false | insert(int) -7 -> true | min() -> 1 | max() -> 3 | clear() -> void broken
        @0=SearchTree root=@1 size=3 ; @1=SearchTree$Node left=@2 value=3 ; @2=SearchTree$Node right=@3 value=1 ; @3=SearchTree$Node value=2 | insert(int) 2 -> false | insert(int) -7 -> true | min() -> 1 | max() -> 3 | clear() -> void broken
        @0=SearchTree root=@1 size=1 ; @1=SearchTree$Node value=5
        @0=Ring header=@1 ; @1=Ring$Node next=@1 previous=@1 | first() -> throws:java.util.NoSuchElementException | remove(int) 0 -> throws:java.lang.IndexOutOfBoundsException | remove(java.lang.Object) Integer:0 -> false | remove(java.lang.Object) null -> false | addAll([Ljava.lang.Object;) null -> throws:java.io.IOException | add(java.lang.Object) null -> void | add(java.lang.Object) "a \"b\"\n\u00e9" -> void | self() -> @0 | header() -> @1 | isHeader(shelf.Ring$Node) @1 -> true | show() -> object:java.lang.StringBuilder | show() -> object | twice(int) -2147483648 -> -4294967296
        @0=Ring header=@1 size=2 ; @1=Ring$Node next=@2 previous=@3 ; @2=Ring$Node item=@4 next=@3 previous=@1 ; @3=Ring$Node item=@5 next=@1 previous=@2 ; @4=Integer:7 ; @5=Integer:1000 ; @6=java.lang.Object[3] @5 null @0 | first() -> Integer:7 | remove(java.lang.Object) Integer:1000 -> true | remove(java.lang.Object) @5 -> true | remove(int) 1 -> false | addAll([Ljava.lang.Object;) @6 -> 5
        @0=Ring header=@1 size=3 ; @1=Ring$Node next=@2 previous=@4 ; @2=Ring$Node item=@5 next=@3 previous=@1 ; @3=Ring$Node item=@6 next=@4 previous=@2 ; @4=Ring$Node item=@7 next=@1 previous=@3 ; @5="a b;|\\ 'c" ; @6="" ; @7="\ud83d\ude00\u0000" | first() -> "a b;|\\ 'c" | remove(java.lang.Object) "\ud83d\ude00\u0000" -> true
        @0=Int Base#next=@0 Base#letter='\'' truth=true small=-128 medium=-3 letter='\ud800' number=-2147483648 large=9223372036854775807 single=NaN real=-0.0 next=@1 text=@1 box=@2 comparable=@3 colour=@4 hidden=@5 point=@6 secret=@7 method=@8 cell=@9 grid=@10 words=@12 reals=@13 letters=@14 truths=@15 objects=@16 fixed=@17 inner=@18 gr\u00f6\u00dfe=5 ; @1="tab\tquote\"\u2028" ; @2=Integer:123456 ; @3=Double:0.1 ; @4=enum:Int$Colour:GREEN ; @5=enum:Int$Hidden:TWO ; @8=Int$Method $=11 ; @9=Int$Cell content=@16 cells=@19 ; @10=int[][2] null @11 ; @11=int[2] 1 2 ; @12=java.lang.String[3] null @1 @20 ; @13=double[3] Infinity NaN 5e-324 ; @14=char[3] '\n' '\\' ' ' ; @15=boolean[2] true false ; @16=java.lang.Object[3] @10 @9 @21 ; @17=java.lang.Object ; @18=Int$Inner this$0=@0 ; @19=Int$Cell[2] @9 null ; @20="tab\tquote\"\u2028" ; @21=Character:'\u00e9' ; @6=Int$Point x=-1 owner=@0 name=null ; @7=Int$Secret inner=@6 | truth() -> true | small() -> -128 | medium() -> -3 | character() -> '\ud800' | number() -> -2147483648 | large() -> 9223372036854775807 | single() -> NaN | real() -> -0.0 | text() -> "tab\tquote\"\u2028" | text() -> @1 | box() -> Integer:123456 | comparable() -> Double:0.1 | colour() -> enum:Int$Colour:GREEN | hidden() -> "TWO" | x() -> -1 | isOwner() -> true | secret() -> object:Int$Secret | dollar() -> 11 | next() -> @1 | fixed() -> @17 | gr\u00f6\u00dfe() -> 5 | isSelf() -> true | legacy() -> true | overflow() -> throws:java.lang.StackOverflowError | fail() -> throws:java.lang.Exception | Base#letter() -> '\'' | Base#baseNext() -> @0 | isOwn(shelf.Int$Inner) @18 -> true | word(int) 0 -> null | word(int) 1 -> "tab\tquote\"\u2028" | word(int) 3 -> throws:java.lang.ArrayIndexOutOfBoundsException | real(int) 0 -> Infinity | real(int) 1 -> NaN | real(int) 2 -> 5e-324 | letter(int) 0 -> '\n' | letter(int) 1 -> '\\' | letter(int) 2 -> ' ' | object(int) 0 -> @10 | object(int) 2 -> Character:'\u00e9' | cell(int,int) 1 0 -> 1 | isSame(java.lang.Object,java.lang.Object) @9 @9 -> true | describe(byte,short,char,float,double,shelf.Int$Hidden,java.lang.Object) 1 -2 '"' 1.5 1e300 enum:Int$Hidden:ONE Long:-9223372036854775808 -> "1 -2 \" 1.5 1.0E300 ONE -9223372036854775808" | weight(shelf.Int$Colour) enum:Int$Colour:GREEN -> 2 | weight(shelf.Int$Colour) enum:Int$Colour:RED -> 1 | weight(shelf.Int$Colour) null -> throws:java.lang.NullPointerException | count([Ljava.lang.Object;) @16 -> 3
    "#]].assert_eq(&lines);
}

#[test]
fn a_data_driven_test_class() {
    let options = JunitOptions {
        max_structures_in_source: 0,
        ..JunitOptions::default()
    };
    let output = write_junit(&suites::search_tree(), &options).unwrap();
    let source = &output.files[0].contents;
    let own_part = source
        .split("    private static Object[] build")
        .next()
        .unwrap();
    expect![[r#"
        package shelf;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertNotNull;
        import static org.junit.jupiter.api.Assertions.assertSame;

        import java.io.BufferedReader;
        import java.io.FileNotFoundException;
        import java.io.IOException;
        import java.io.InputStream;
        import java.io.InputStreamReader;
        import java.lang.invoke.MethodHandles;
        import java.lang.reflect.Array;
        import java.lang.reflect.Constructor;
        import java.lang.reflect.Field;
        import java.lang.reflect.InvocationTargetException;
        import java.lang.reflect.Method;
        import java.lang.reflect.RecordComponent;
        import java.nio.charset.StandardCharsets;
        import java.util.ArrayList;
        import java.util.List;
        import org.junit.jupiter.params.ParameterizedTest;
        import org.junit.jupiter.params.provider.MethodSource;

        /**
         * Behaviour of shelf.SearchTree, written by Heapwright: every line of
         * <code>SearchTreeHeapwrightTest.structures.txt</code> is a structure and the calls to make on it.
         */
        class SearchTreeHeapwrightTest {
            private static final String FILE = "SearchTreeHeapwrightTest.structures.txt";
            private static final String PACKAGE = "shelf.";

            @ParameterizedTest(name = "{0}")
            @MethodSource("read")
            void behaviour(String name, List<String> structure, List<String> call)
                    throws Throwable {
                Object[] objects = build(structure);
                assertEquals(true, holds(objects[0]));
                if (!call.isEmpty()) {
                    check(call, objects);
                    assertEquals(!call.contains("broken"), holds(objects[0]));
                }
            }

            /** What the invariant says. */
            private static boolean holds(Object root) throws Throwable {
                Method method = Class.forName("shelf.SearchTree").getDeclaredMethod("repOk");
                method.setAccessible(true);
                return (boolean) method.invoke(root);
            }

    "#]].assert_eq(own_part);
}

fn some_inputs() -> Vec<Structure> {
    let suites = [
        some(suites::search_tree(), 3, 0),
        some(suites::ring(), 2, 0),
        some(suites::heap_array(), 2, 0),
        suites::everything(),
    ];
    let cases = suites.into_iter().flat_map(|suite| suite.cases);
    cases.map(|case| case.input).collect()
}

#[test]
fn json_lines() {
    let inputs = some_inputs();
    let lines = jsonl::lines(&inputs);
    for line in lines.lines() {
        let read: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(read["objects"].is_array());
    }
    expect![[r#"
        {"objects":[{"class":"shelf.SearchTree","fields":{"root":null,"size":0}}]}
        {"objects":[{"class":"shelf.SearchTree","fields":{"root":{"ref":1},"size":1}},{"class":"shelf.SearchTree$Node","fields":{"left":null,"right":null,"value":1}}]}
        {"objects":[{"class":"shelf.SearchTree","fields":{"root":{"ref":1},"size":3}},{"class":"shelf.SearchTree$Node","fields":{"left":{"ref":2},"right":{"ref":3},"value":2}},{"class":"shelf.SearchTree$Node","fields":{"left":null,"right":null,"value":1}},{"class":"shelf.SearchTree$Node","fields":{"left":null,"right":null,"value":3}}]}
        {"objects":[{"class":"shelf.Ring","fields":{"header":{"ref":1},"size":0}},{"class":"shelf.Ring$Node","fields":{"item":null,"next":{"ref":1},"previous":{"ref":1}}}]}
        {"objects":[{"class":"shelf.Ring","fields":{"header":{"ref":1},"size":2}},{"class":"shelf.Ring$Node","fields":{"item":null,"next":{"ref":2},"previous":{"ref":3}}},{"class":"shelf.Ring$Node","fields":{"item":{"ref":4},"next":{"ref":3},"previous":{"ref":1}}},{"class":"shelf.Ring$Node","fields":{"item":{"ref":5},"next":{"ref":1},"previous":{"ref":2}}},{"class":"java.lang.Integer","value":7},{"class":"java.lang.Integer","value":1000},{"class":"[Ljava.lang.Object;","elements":[{"ref":5},null,{"ref":0}]}]}
        {"objects":[{"class":"HeapArray","fields":{"array":{"ref":1},"size":0}},{"class":"[I","elements":[]}]}
        {"objects":[{"class":"HeapArray","fields":{"array":{"ref":1},"size":3}},{"class":"[I","elements":[9,5,-2147483648]}]}
        {"objects":[{"class":"shelf.Int","fields":{"shelf.Base.next":{"ref":0},"shelf.Base.letter":"'","truth":true,"small":-128,"medium":-3,"letter":{"char":55296},"number":-2147483648,"large":9223372036854775807,"single":"NaN","real":-0.0,"next":{"ref":1},"text":{"ref":1},"box":{"ref":2},"comparable":{"ref":3},"colour":{"ref":4},"hidden":{"ref":5},"point":{"ref":6},"secret":{"ref":7},"method":{"ref":8},"cell":{"ref":9},"grid":{"ref":10},"words":{"ref":12},"reals":{"ref":13},"letters":{"ref":14},"truths":{"ref":15},"objects":{"ref":16},"fixed":{"ref":17},"inner":{"ref":18},"größe":5}},{"class":"java.lang.String","value":"tab\tquote\" "},{"class":"java.lang.Integer","value":123456},{"class":"java.lang.Double","value":0.1},{"class":"shelf.Int$Colour","constant":"GREEN"},{"class":"shelf.Int$Hidden","constant":"TWO"},{"class":"shelf.Int$Point","fields":{"x":-1,"owner":{"ref":0},"name":null}},{"class":"shelf.Int$Secret","fields":{"inner":{"ref":6}}},{"class":"shelf.Int$Method","fields":{"$":11}},{"class":"shelf.Int$Cell","fields":{"content":{"ref":16},"cells":{"ref":19}}},{"class":"[[I","elements":[null,{"ref":11}]},{"class":"[I","elements":[1,2]},{"class":"[Ljava.lang.String;","elements":[null,{"ref":1},{"ref":20}]},{"class":"[D","elements":["Infinity","NaN",5e-324]},{"class":"[C","elements":["\n","\\"," "]},{"class":"[Z","elements":[true,false]},{"class":"[Ljava.lang.Object;","elements":[{"ref":10},{"ref":9},{"ref":21}]},{"class":"java.lang.Object","fields":{}},{"class":"shelf.Int$Inner","fields":{"this$0":{"ref":0}}},{"class":"[Lshelf.Int$Cell;","elements":[{"ref":9},null]},{"class":"java.lang.String","value":"tab\tquote\" "},{"class":"java.lang.Character","value":"é"}]}
    "#]].assert_eq(&lines);
}

#[test]
fn one_line_texts() {
    let texts: Vec<String> = some_inputs().iter().map(Structure::to_string).collect();
    expect![[r#"
        SearchTree{size: 0}
        SearchTree{root: Node{value: 1}, size: 1}
        SearchTree{root: Node{left: Node{value: 1}, right: Node{value: 3}, value: 2}, size: 3}
        Ring{header: #1 Node{next: #1, previous: #1}, size: 0}
        #0 Ring{header: #1 Node{next: #2 Node{item: 7, next: #3 Node{item: #5 1000, next: #1, previous: #2}, previous: #1}, previous: #3}, size: 2}; other: Object[]{#5, null, #0}
        HeapArray{array: int[]{}, size: 0}
        HeapArray{array: int[]{9, 5, -2147483648}, size: 3}
        #0 Int{Base.next: #0, Base.letter: '\'', truth: true, small: -128, medium: -3, letter: '\ud800', number: -2147483648, large: 9223372036854775807, single: NaN, real: -0.0, next: #1 "tab\tquote\"\u2028", text: #1, box: 123456, comparable: 0.1, colour: GREEN, hidden: TWO, point: #6 Point{x: -1, owner: #0}, secret: Secret{inner: #6}, method: Method{$: 11}, cell: #9 Cell{content: #16 Object[]{#10 int[][]{null, int[]{1, 2}}, #9, '\u00e9'}, cells: Cell[]{#9, null}}, grid: #10, words: String[]{null, #1, "tab\tquote\"\u2028"}, reals: double[]{Infinity, NaN, 5e-324}, letters: char[]{'\n', '\\', ' '}, truths: boolean[]{true, false}, objects: #16, fixed: Object{}, inner: Inner{this$0: #0}, größe: 5}"#]].assert_eq(&texts.join("\n"));
}

#[test]
fn a_long_list_is_written_without_recursion() {
    let class = named("Node", "Node");
    let last = 200_000;
    let objects = (0..=last).map(|index| {
        let next = if index < last {
            Value::Ref(index + 1)
        } else {
            Value::Null
        };
        object(
            &class,
            Body::Fields(vec![field("Node", "package LNode; next", next)]),
        )
    });
    let list = Structure {
        objects: objects.collect(),
    };
    assert!(
        list.to_string().contains("Node{}}"),
        "the last node is the innermost"
    );
    assert!(jsonl::line(&list).ends_with("{\"next\":null}}]}"));
}

#[test]
fn what_no_test_can_make_is_said() {
    let mut suite = suites::ring();
    let list = named("java.util.ArrayList", "java.util.ArrayList");
    let fields = vec![field(
        "java.util.ArrayList",
        "private I size",
        Value::Int(0),
    )];
    suite.cases[1]
        .input
        .objects
        .push(object(&list, Body::Fields(fields)));
    let point = record("shelf.Int$Point", Some("shelf.Int.Point"), true);
    let last = suite.cases[2].input.objects.len();
    let own = field(
        "shelf.Int$Point",
        "private final Lshelf/Int$Point; owner",
        Value::Ref(last),
    );
    suite.cases[2]
        .input
        .objects
        .push(object(&point, Body::Fields(vec![own])));
    let output = write_junit(&suite, &JunitOptions::default()).unwrap();
    assert_eq!(output.tests(), suite.cases[0].calls.len());
    let skipped: Vec<(usize, &str)> = output
        .skipped
        .iter()
        .map(|skipped| (skipped.case, skipped.reason.as_str()))
        .collect();
    assert_eq!(
        skipped,
        [
            (
                1,
                "fields of java.util.ArrayList belong to the JDK and cannot be set from outside"
            ),
            (2, "records cannot refer to each other in a cycle"),
        ]
    );
}
