//! Number formats of English and of the root locale, without the library's search for providers,
//! which takes a million instructions. The JDK's own code serves other locales.

use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::MethodId;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/text/DecimalFormatSymbols.initialize(Ljava/util/Locale;)V",
        initialize_symbols,
    ),
    (
        "java/text/DecimalFormatSymbols.initializeCurrency(Ljava/util/Locale;)V",
        initialize_currency,
    ),
    (
        "java/text/DecimalFormatSymbols.getCurrency()Ljava/util/Currency;",
        currency,
    ),
    (
        "java/text/DecimalFormatSymbols.getInstance(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;",
        symbols_instance,
    ),
    (
        "java/text/NumberFormat.getInstance(Ljava/util/Locale;Ljava/text/NumberFormat$Style;I)Ljava/text/NumberFormat;",
        number_format_instance,
    ),
];

const SYMBOLS: &str = "java/text/DecimalFormatSymbols";
const FIND_CURRENCY: &str = "(Ljava/lang/String;)Ljava/util/Currency;";

/// Countries whose English number formats are those of the United States.
const ENGLISH: [&str; 7] = ["", "US", "GB", "CA", "AU", "NZ", "IE"];

/// Returns language and country of a `Locale`.
fn language_and_country(vm: &Vm, locale: Ref) -> Result<(String, String), Fault> {
    let field = |object: Ref, name: &str| -> Result<Ref, Fault> {
        let word = vm.word_of(vm.heap.class_of(object), name)?;
        Ok(Ref::from_slot(vm.read_slot(object.0 + word)?))
    };
    let base = field(locale, "baseLocale")?;
    Ok((
        vm.string_text(field(base, "language")?),
        vm.string_text(field(base, "region")?),
    ))
}

/// Country of a locale whose number formats are known; `None` for other locales, whose data the
/// JDK's own code reads.
fn known_country(vm: &Vm, locale: Ref) -> Result<Option<String>, Fault> {
    let (language, country) = language_and_country(vm, locale)?;
    let is_known = match language.as_str() {
        "" => country.is_empty(),
        "en" => ENGLISH.contains(&country.as_str()),
        _ => false,
    };
    Ok(is_known.then_some(country))
}

/// Name and symbol of a locale's currency, if they are known.
fn known_currency(vm: &Vm, locale: Ref) -> Result<Option<(&'static str, &'static str)>, Fault> {
    Ok(match known_country(vm, locale)?.as_deref() {
        Some("") => Some(("XXX", "\u{A4}")),
        Some("US") => Some(("USD", "$")),
        _ => None,
    })
}

fn initialize_symbols(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let symbols = vm.arg_object(args, 0)?;
    let locale = vm.arg_object(args, 1)?;
    if known_country(vm, locale)?.is_none() {
        return Err(vm.own_bytecode(args, SYMBOLS, "initialize", "(Ljava/util/Locale;)V"));
    }
    vm.put(symbols, "locale", locale.slot());
    for (field, character) in [
        ("decimalSeparator", '.'),
        ("groupingSeparator", ','),
        ("patternSeparator", ';'),
        ("percent", '%'),
        ("zeroDigit", '0'),
        ("digit", '#'),
        ("minusSign", '-'),
        ("exponential", 'E'),
        ("perMill", '\u{2030}'),
        ("monetarySeparator", '.'),
        ("monetaryGroupingSeparator", ','),
    ] {
        vm.put(symbols, field, u64::from(u32::from(character)));
    }
    for (field, text) in [
        ("percentText", "%"),
        ("minusSignText", "-"),
        ("exponentialSeparator", "E"),
        ("perMillText", "\u{2030}"),
        ("infinity", "\u{221E}"),
        ("NaN", "NaN"),
    ] {
        put_literal(vm, symbols, field, text)?;
    }
    Ok(0)
}

fn put_literal(vm: &mut Vm, object: Ref, field: &str, text: &str) -> Result<(), Fault> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let literal = vm.interned_literal(&units)?;
    vm.put(object, field, literal.slot());
    Ok(())
}

/// Sets the currency without a `Currency` object, which would read a file.
fn initialize_currency(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let symbols = vm.arg_object(args, 0)?;
    let locale = vm.arg_object(args, 1)?;
    let Some((name, symbol)) = known_currency(vm, locale)? else {
        let descriptor = "(Ljava/util/Locale;)V";
        return Err(vm.own_bytecode(args, SYMBOLS, "initializeCurrency", descriptor));
    };
    let done = vm
        .find_field(vm.heap.class_of(symbols), "currencyInitialized")
        .map(|field| field.word);
    if done.is_none_or(|word| vm.heap.field(symbols, word) == 0) {
        put_literal(vm, symbols, "intlCurrencySymbol", name)?;
        put_literal(vm, symbols, "currencySymbol", symbol)?;
        vm.put(symbols, "currencyInitialized", 1);
    }
    Ok(0)
}

/// Returns the currency that was set, or the one with the symbols' name.
fn currency(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let symbols = vm.arg_object(args, 0)?;
    let field = |vm: &Vm, name: &str| -> Result<u64, Fault> {
        vm.read_slot(symbols.0 + vm.word_of(vm.heap.class_of(symbols), name)?)
    };
    let (set, name) = (field(vm, "currency")?, field(vm, "intlCurrencySymbol")?);
    if set != 0 {
        return Ok(set);
    }
    let name = match (
        name,
        known_currency(vm, Ref::from_slot(field(vm, "locale")?))?,
    ) {
        (0, Some((name, _))) => {
            let units: Vec<u16> = name.encode_utf16().collect();
            vm.interned_literal(&units)?.slot()
        }
        (0, None) => {
            return Err(vm.own_bytecode(args, SYMBOLS, "getCurrency", "()Ljava/util/Currency;"));
        }
        (name, _) => name,
    };
    let find = vm.once("currency by name", SYMBOLS, FIND_CURRENCY, |vm, code| {
        let find = vm.method_named("java/util/Currency", "getInstance", FIND_CURRENCY)?;
        code.push(Instr::InvokeStaticChecked {
            a: 0,
            method: find.0,
        });
        code.push(Instr::Return { a: 0 });
        Ok(())
    })?;
    Err(Fault::Call(find, vec![name]))
}

impl Vm {
    /// Returns the static method with this key, generated by `emit` at the first call.
    pub(crate) fn once(
        &mut self,
        key: &str,
        class: &str,
        descriptor: &str,
        emit: impl FnOnce(&mut Vm, &mut Assembler) -> Result<(), Fault>,
    ) -> Result<MethodId, Fault> {
        if let Some(&known) = self.synthetic.get(key) {
            return Ok(known);
        }
        let mut code = Assembler::default();
        emit(self, &mut code)?;
        let class = self
            .load_class(class)
            .map_err(|error| self.load_fault(error))?;
        let descriptor = self.names.intern(descriptor);
        let method = self.add_hidden(class, "new", descriptor, code);
        self.synthetic.insert(key.to_owned(), method);
        Ok(method)
    }
}

fn symbols_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const CLASS: &str = SYMBOLS;
    const SHAPE: &str = "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;";
    let locale = vm.arg_object(args, 0)?;
    if known_country(vm, locale)?.is_none() {
        return Err(vm.own_bytecode(args, CLASS, "getInstance", SHAPE));
    }
    let make = vm.once(CLASS, CLASS, SHAPE, |vm, code| {
        let init = vm.method_named(CLASS, "<init>", "(Ljava/util/Locale;)V")?;
        let class = vm.method(init).class;
        code.push(Instr::NewChecked {
            d: 1,
            class: class.0,
        });
        code.push(Instr::Move { d: 2, a: 1 });
        code.push(Instr::Move { d: 3, a: 0 });
        code.push(Instr::InvokeSpecial {
            a: 2,
            method: init.0,
        });
        code.push(Instr::Return { a: 1 });
        Ok(())
    })?;
    Err(Fault::Call(make, vec![locale.slot()]))
}

fn number_format_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const CLASS: &str = "java/text/DecimalFormat";
    const SHAPE: &str = "(Ljava/util/Locale;)Ljava/text/NumberFormat;";
    const NUMBER: i32 = 0;
    const PERCENT: i32 = 2;
    const INTEGER: i32 = 4;
    let locale = vm.arg_object(args, 0)?;
    let style = vm.arg_int(args, 2);
    let pattern = match (style, known_country(vm, locale)?) {
        (NUMBER | INTEGER, Some(_)) => "#,##0.###",
        (PERCENT, Some(_)) => "#,##0%",
        _ => {
            const DESCRIPTOR: &str =
                "(Ljava/util/Locale;Ljava/text/NumberFormat$Style;I)Ljava/text/NumberFormat;";
            return Err(vm.own_bytecode(args, "java/text/NumberFormat", "getInstance", DESCRIPTOR));
        }
    };
    let make = vm.once(&format!("{CLASS} {style}"), CLASS, SHAPE, |vm, code| {
        let init = vm.method_named(
            CLASS,
            "<init>",
            "(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V",
        )?;
        let class = vm.method(init).class;
        let symbols = vm.method_named(
            "java/text/DecimalFormatSymbols",
            "getInstance",
            "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;",
        )?;
        let units: Vec<u16> = pattern.encode_utf16().collect();
        let pattern = vm.literal(&units)?;
        code.push(Instr::NewChecked {
            d: 1,
            class: class.0,
        });
        code.push(Instr::Move { d: 4, a: 0 });
        code.push(Instr::InvokeStaticChecked {
            a: 4,
            method: symbols.0,
        });
        code.push(Instr::Move { d: 2, a: 1 });
        code.push(Instr::Object {
            d: 3,
            object: pattern.0,
        });
        code.push(Instr::InvokeSpecial {
            a: 2,
            method: init.0,
        });
        if style == INTEGER {
            for (name, descriptor, value) in [
                ("setMaximumFractionDigits", "(I)V", 0),
                ("setDecimalSeparatorAlwaysShown", "(Z)V", 0),
                ("setParseIntegerOnly", "(Z)V", 1),
            ] {
                let method = vm.method_named(CLASS, name, descriptor)?;
                code.push(Instr::Move { d: 2, a: 1 });
                code.push(Instr::Int { d: 3, value });
                code.push(Instr::InvokeSpecial {
                    a: 2,
                    method: method.0,
                });
            }
        }
        code.push(Instr::Return { a: 1 });
        Ok(())
    })?;
    Err(Fault::Call(make, vec![locale.slot()]))
}
