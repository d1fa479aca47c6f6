//! Tests of `heapwright` whose stubs are mocks of Mockito.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, compile, files, project};
use heapwright_testkit::jars::resolved;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;

use crate::common::{program, text};

/// A release for Java 11 and later.
const MOCKITO: &str = "org.mockito:mockito-core:5.14.2";

/// A class that takes what mocks are made of: an interface with a default method, a class with a
/// constructor, an interface with type parameters, and overloads.
const MOCKED: &str = "package sequences;
    import java.util.List;
    public final class Mocked {
        public interface Meter {
            int reading(long at, String unit);
            int reading(long at, StringBuilder unit);
            default boolean isHigh() { return reading(1L, \"a\") > 100; }
        }
        public abstract static class Gauge {
            private final int limit;
            protected Gauge(int limit) { this.limit = limit; }
            protected abstract int level();
            public int left() { return limit - level(); }
        }
        public abstract static class Early {
            private final boolean isOpen;
            protected Early() { isOpen = opens(); }
            protected abstract boolean opens();
        }
        public interface Codec<A, B> {
            B encode(A value);
            List<B> all();
        }
        public static int isHigh(Meter meter) { return meter.isHigh() ? 1 : 0; }
        public static boolean isEmpty(Gauge gauge) { return gauge.left() == 7; }
        public static int isOpen(Early early) { return early.isOpen ? 1 : 0; }
        public static int encoded(Codec<String, Integer> codec) {
            return codec.all() == null ? codec.encode(\"\") : -1;
        }
        public static int spread(Spread spread) { return spread.of(1, \"a\") == 5 ? 1 : 0; }
        public interface Spread {
            int of(int number, Object... further);
            int size();
        }
    }";

/// A class whose structures calls with stubs build.
const METERS: &str = "package sequences;
    public final class Meters {
        private int sum;
        public interface Source { int next(); }
        public void addNext(Source source) { sum = sum + source.next() & 1; }
        public int sum() { return sum; }
    }";

/// The fixtures, compiled.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let source = project().join("fixtures/src/sequences/Scripted.java");
        Fixture::new(&["-g", "--release", "17"])
            .package("sequences")
            .text("Mocked", MOCKED)
            .text("Meters", METERS)
            .file(source)
            .classes()
    })
}

/// The jars of Mockito as a class path.
fn mockito() -> String {
    let jars = resolved(MOCKITO);
    let joined = std::env::join_paths(jars).unwrap();
    joined.into_string().unwrap()
}

fn run(class: &str, arguments: &[&str]) -> Output {
    program()
        .args(["sequences", "--no-config", "--stubs", "mockito", "-p"])
        .arg(classes())
        // Loops on stubs may not end.
        .args(["--max-steps", "100000"])
        .args(["-c", &format!("sequences.{class}"), "--jdk"])
        .arg(&jdks()[0].home)
        .args(arguments)
        .output()
        .unwrap()
}

/// Tests of a class with mocks, which the program has tried.
fn write(folder: &Path, class: &str, arguments: &[&str]) -> String {
    let mockito = mockito();
    let common = ["--test-classpath", &mockito, "-o", folder.to_str().unwrap()];
    let output = run(class, &[&common, arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let written = files(folder, "java");
    assert_eq!(written.len(), 1, "{output:?}");
    std::fs::read_to_string(&written[0]).unwrap()
}

/// Compiles tests without a warning and runs them with JUnit and Mockito; returns their number.
fn pass(folder: &Path) -> usize {
    let built = folder.join("built");
    let mut further = resolved(MOCKITO);
    further.push(classes().to_owned());
    let class_path = [&further[..], &[junit::jars().console]].concat();
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    compile(
        &compilers()[0],
        &files(folder, "java"),
        &class_path,
        &built,
        &options,
    );
    let java = compilers()[0].home.join("bin/java");
    let report = junit::run_console_with(&java, std::slice::from_ref(&built), &further);
    assert_eq!(report.failed, 0, "{}", report.output);
    report.succeeded
}

#[test]
#[ignore = "servers: Mockito"]
fn mocks_replace_anonymous_classes_where_they_do_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "Mocked", &[]);
    let (source, _) = source.split_once("// Checksum").unwrap();
    expect![[r#"
        package sequences;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertFalse;
        import static org.junit.jupiter.api.Assertions.assertNotNull;
        import static org.junit.jupiter.api.Assertions.assertTrue;
        import static org.mockito.ArgumentMatchers.any;
        import static org.mockito.ArgumentMatchers.anyLong;
        import static org.mockito.ArgumentMatchers.eq;
        import static org.mockito.Mockito.CALLS_REAL_METHODS;
        import static org.mockito.Mockito.mock;
        import static org.mockito.Mockito.verify;
        import static org.mockito.Mockito.when;
        import static org.mockito.Mockito.withSettings;

        import java.util.ArrayList;
        import java.util.Arrays;
        import java.util.List;
        import org.junit.jupiter.api.DisplayName;
        import org.junit.jupiter.api.Nested;
        import org.junit.jupiter.api.Test;

        /** Behaviour of sequences.Mocked, written by Heapwright. */
        class MockedHeapwrightTest {
            @Nested
            @DisplayName("new Mocked()")
            class NewMocked {
                @Test
                @DisplayName("new Mocked succeeds")
                void newMocked_returns() {
                    assertNotNull(new Mocked());
                }
            }

            @Nested
            @DisplayName("isHigh(Meter)")
            class IsHigh {
                @Test
                @DisplayName("isHigh with a meter returns 0")
                void isHigh_withMeter_returns0() {
                    Mocked.Meter meter = mock(Mocked.Meter.class, CALLS_REAL_METHODS);

                    assertEquals(0, Mocked.isHigh(meter));
                    verify(meter).reading(1L, "a");
                }

                @Test
                @DisplayName("isHigh with a meter returns 1")
                void isHigh_withMeter_returns1() {
                    Mocked.Meter meter = mock(Mocked.Meter.class, CALLS_REAL_METHODS);
                    when(meter.reading(anyLong(), (String) any())).thenReturn(101);

                    assertEquals(1, Mocked.isHigh(meter));
                    verify(meter).reading(1L, "a");
                }
            }

            @Nested
            @DisplayName("isEmpty(Gauge)")
            class IsEmpty {
                @Test
                @DisplayName("isEmpty with a gauge returns false")
                void isEmpty_withGauge_returnsFalse() {
                    Mocked.Gauge gauge = mock(Mocked.Gauge.class,
                            withSettings().useConstructor(0).defaultAnswer(CALLS_REAL_METHODS));

                    assertFalse(Mocked.isEmpty(gauge));
                }

                @Test
                @DisplayName("isEmpty with a gauge returns true")
                void isEmpty_withGauge_returnsTrue() {
                    Mocked.Gauge gauge = mock(Mocked.Gauge.class,
                            withSettings().useConstructor(7).defaultAnswer(CALLS_REAL_METHODS));

                    assertTrue(Mocked.isEmpty(gauge));
                }
            }

            @Nested
            @DisplayName("isOpen(Early)")
            class IsOpen {
                @Test
                @DisplayName("isOpen with an early returns 0")
                void isOpen_withEarly_returns0() {
                    Mocked.Early early = mock(Mocked.Early.class,
                            withSettings().useConstructor().defaultAnswer(CALLS_REAL_METHODS));

                    assertEquals(0, Mocked.isOpen(early));
                }
            }

            @Nested
            @DisplayName("encoded(Codec)")
            class Encoded {
                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("encoded with a codec returns 0")
                void encoded_withCodec_returns0() {
                    Mocked.Codec<String, Integer> codec = mock(Mocked.Codec.class);
                    when(codec.encode("")).thenReturn(0);
                    when(codec.all()).thenReturn(null);

                    assertEquals(0, Mocked.encoded(codec));
                    verify(codec).encode("");
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("encoded with a codec returns -1")
                void encoded_withCodec_returnsMinus1() {
                    List<Integer> list = new ArrayList<>();
                    Mocked.Codec<String, Integer> codec = mock(Mocked.Codec.class);
                    when(codec.all()).thenReturn(list);

                    assertEquals(-1, Mocked.encoded(codec));
                }
            }

            @Nested
            @DisplayName("spread(Spread)")
            class SpreadSpread {
                @Test
                @DisplayName("spread with a spread returns 0")
                void spread_withSpread_returns0() {
                    Mocked.Spread spread = mock(Mocked.Spread.class);

                    assertEquals(0, Mocked.spread(spread));
                    verify(spread).of(eq(1), any());
                }

                @Test
                @DisplayName("spread with a spread returns 1")
                void spread_withSpread_returns1() {
                    List<List<Object>> ofCalls = new ArrayList<>();
                    Mocked.Spread spread = new Mocked.Spread() {
                        @Override
                        public int of(int a, Object... b) {
                            ofCalls.add(Arrays.asList(a, b));
                            return 5;
                        }

                        @Override
                        public int size() {
                            return 0;
                        }
                    };

                    assertEquals(1, Mocked.spread(spread));
                    assertEquals(1, (int) ofCalls.get(0).get(0));
                }
            }
        }
    "#]]
    .assert_eq(source);
    assert_eq!(pass(folder.path()), source.matches("@Test").count());
}

#[test]
#[ignore = "servers: Mockito"]
fn mocks_follow_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let methods = [
        "-m", "drain", "-m", "guarded", "-m", "isRising", "-m", "isSame",
    ];
    let source = write(folder.path(), "Scripted", &methods);
    for lines in [
        "Scripted.Port port = mock(Scripted.Port.class);
when(port.read()).thenReturn(1).thenThrow(new IOException());

assertEquals(-1, Scripted.drain(port));
",
        "Function<Scripted.Account, Scripted.Account> function = mock(Function.class);
when(function.apply(any())).thenReturn(account);
",
        "Scripted.Source mockSource = mock(Scripted.Source.class);

assertFalse(Scripted.isRising(mockSource));
",
    ] {
        let plain: Vec<&str> = source.lines().map(str::trim).collect();
        assert!(plain.join("\n").contains(lines), "{source}");
    }
    assert!(!source.contains("new Scripted.Port() {"), "{source}");
    assert_eq!(pass(folder.path()), source.matches("@Test").count());
}

#[test]
#[ignore = "servers: Mockito"]
fn mocks_need_mockito() {
    let folder = tempfile::tempdir().unwrap();
    let output = run("Mocked", &["-o", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "heapwright: --stubs mockito: mockito-core, byte-buddy, byte-buddy-agent, objenesis not on the \
         class path of tests: add the jars with --test-classpath\n"
    );
    assert!(files(folder.path(), "java").is_empty());
}

/// Stubs among the arguments of calls on structures.
#[test]
#[ignore = "servers: Mockito"]
fn tests_of_structures_have_mocks() {
    let folder = tempfile::tempdir().unwrap();
    let output = program()
        .args(["enumerate", "--from", "api", "--no-config", "--scope", "2"])
        .args(["--stubs", "mockito", "--test-classpath", &mockito(), "-p"])
        .arg(classes())
        .args(["-c", "sequences.Meters", "--format", "junit", "-o"])
        .arg(folder.path())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let source = std::fs::read_to_string(&files(folder.path(), "java")[0]).unwrap();
    let test = "        Meters.Source mockSource = mock(Meters.Source.class);
        when(mockSource.next()).thenReturn(1);
        Meters meters = new Meters();

        meters.addNext(mockSource);
";
    assert!(source.contains(test), "{source}");
    assert!(pass(folder.path()) > 0);
}
