//! `[values]` of the settings file: tests have the values that a user gives for classes and names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, files};
use heapwright_testkit::jdk::jdks;

use crate::common::{program, text};

/// A class of checked texts, one with parameters of names, and what has fields that a container fills.
const SOURCE: &str = r#"
package bank;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;

public class Transfers {
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Setting { }

    /** An account number with a check sum. */
    public static final class Iban {
        private final String code;

        private Iban(String code) {
            this.code = code;
        }

        public static Iban parse(String code) {
            if (code.length() < 15 || !isValid(code.substring(4) + code.substring(0, 4))) {
                throw new IllegalArgumentException("no IBAN: " + code);
            }
            return new Iban(code);
        }

        private static boolean isValid(String turned) {
            int rest = 0;
            for (char letter : turned.toCharArray()) {
                int digit = Character.digit(letter, 36);
                if (digit < 0) {
                    return false;
                }
                rest = (rest * (digit > 9 ? 100 : 10) + digit) % 97;
            }
            return rest == 1;
        }

        public String country() {
            return code.substring(0, 2);
        }
    }

    public enum Kind { NORMAL, INSTANT }

    public interface Ledger {
        void book(String country, String purpose, BigDecimal amount);
    }

    private final Ledger ledger;
    @Setting private String sender;

    public Transfers(Ledger ledger) {
        this.ledger = ledger;
    }

    public String send(Iban to, String email, int days, BigDecimal amount) {
        if (amount.signum() <= 0) {
            throw new IllegalArgumentException("nothing to send");
        }
        ledger.book(to.country(), sender + " in " + days, amount);
        return email.toLowerCase();
    }
}
"#;

const VALUES: &str = r#"
[values]
bank.Transfers.Iban = ["DE89370400440532013000"]
"java.math.BigDecimal" = ["12.50"]
email = ["Zoe@Bank.example"]
"bank.Transfers.sender" = ["Savings"]
days = [14, 30]
"#;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let options = ["-g", "-parameters", "--release", "17", "-nowarn"];
    CLASSES.get_or_init(|| Fixture::new(&options).text("Transfers", SOURCE).classes())
}

/// Runs `generate` in a folder with settings.
fn generate(folder: &Path, settings: &str) -> Output {
    fs::write(folder.join("heapwright.toml"), settings).unwrap();
    program()
        .current_dir(folder)
        .args([
            "generate",
            "-o",
            "tests",
            "-j",
            "1",
            "--junit-check",
            "none",
        ])
        .args(["--time-per-class", "60s", "-c", "bank.Transfers", "-p"])
        .arg(classes())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .output()
        .unwrap()
}

#[test]
#[ignore = "long"]
fn tests_have_the_values_of_a_user() {
    let folder = tempfile::tempdir().unwrap();
    let output = generate(folder.path(), VALUES);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = files(&folder.path().join("tests"), "java");
    let tests = fs::read_to_string(&written[0]).unwrap();
    for written in [
        "Transfers.Iban iban = Transfers.Iban.parse(\"DE89370400440532013000\");",
        "setDeclared(transfers, \"bank.Transfers\", \"sender\", \"Savings\");",
        "assertEquals(\"zoe@bank.example\", transfers.send(iban, \"Zoe@Bank.example\", 30, bigDecimal));",
        "List.of(\"DE\", \"Savings in 30\", new BigDecimal(\"1\"))",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
}

#[test]
fn values_that_fit_nothing_are_refused() {
    let lines = [
        r#"bank.Transfers.Ibn = ["DE89"]"#,
        r#"Iban = ["DE89"]"#,
        r#""bank.Transfers.Iban" = [12]"#,
        r#""bank.Transfers.Kind" = ["NORMAL"]"#,
        r#""bank.Transfers.sendr" = ["Savings"]"#,
        r#""bank.Transfers.days" = ["soon"]"#,
        r#""java.lang.String" = [1]"#,
        r#""an email" = ["a"]"#,
        r#"int = [1]"#,
        r#"email = "a""#,
        r#"email = []"#,
        r#"email = [["a"]]"#,
    ];
    let messages = lines.map(|line| {
        let folder = tempfile::tempdir().unwrap();
        let output = generate(folder.path(), &format!("[values]\n{line}\n"));
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(!folder.path().join("tests").join("bank").exists());
        let folder = folder.path().canonicalize().unwrap();
        let message = text(&output.stderr).replace(&format!("{}/", folder.display()), "");
        message.lines().next().unwrap_or_default().to_owned()
    });
    expect![[r#"
        heapwright: heapwright.toml:2: bank.Transfers.Ibn: class bank.Transfers.Ibn not found on the class path; did you mean bank.Transfers$Iban, bank.Transfers, bank.Transfers$Kind?
        heapwright: heapwright.toml:2: Iban: class Iban not found on the class path
        heapwright: heapwright.toml:2: bank.Transfers.Iban: no constructor and no static method of, valueOf, parse, from… or create makes one of each of these values alone
        heapwright: heapwright.toml:2: bank.Transfers.Kind: it is an enum, of which all constants are tried
        heapwright: heapwright.toml:2: bank.Transfers.sendr: class bank.Transfers has no parameter or field sendr; did you mean sender?
        heapwright: heapwright.toml:2: bank.Transfers.days: "soon" is no int
        heapwright: heapwright.toml:2: java.lang.String: 1 is no java.lang.String
        heapwright: heapwright.toml:2: an email: values are for a class, a parameter or field of a class, or a name, as pkg.Iban, pkg.User.email or email
        heapwright: heapwright.toml:2: int: values of a primitive type are for parameters by their names; `values = ["int=…"]` of a verb restricts the type
        heapwright: heapwright.toml:2: email: a list of values is wanted, as ["one", "two"]
        heapwright: heapwright.toml:2: email: it is a list of one or more texts, numbers or booleans
        heapwright: heapwright.toml:2: email: it is a list of one or more texts, numbers or booleans
    "#]]
    .assert_eq(&(messages.join("\n") + "\n"));
}
