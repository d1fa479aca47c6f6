//! Locale data of English and of the root locale. It replaces the library's search for providers,
//! which reads files and bundles. Data of other locales is refused.

use super::{Args, Entry};
use crate::assembler::Assembler;
use crate::class::MethodId;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[Entry] = &[
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
    (
        "sun/util/locale/provider/LocaleProviderAdapter.getAdapter(Ljava/lang/Class;Ljava/util/Locale;)Lsun/util/locale/provider/LocaleProviderAdapter;",
        refuse_adapter,
    ),
    (
        "sun/util/locale/provider/LocaleServiceProviderPool.getPool(Ljava/lang/Class;)Lsun/util/locale/provider/LocaleServiceProviderPool;",
        refuse_pool,
    ),
];

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

/// Country of a locale whose data is known; a fault for other locales.
fn known_country(vm: &Vm, locale: Ref, what: &str) -> Result<String, Fault> {
    let (language, country) = language_and_country(vm, locale)?;
    let is_known = match language.as_str() {
        "" => country.is_empty(),
        "en" => ENGLISH.contains(&country.as_str()),
        _ => false,
    };
    if is_known {
        Ok(country)
    } else {
        Err(Fault::unsupported(format!(
            "{what} of locale {language}_{country}: locale data is not read"
        )))
    }
}

fn initialize_symbols(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let symbols = vm.arg_object(args, 0)?;
    let locale = vm.arg_object(args, 1)?;
    known_country(vm, locale, "number format")?;
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
    let country = known_country(vm, locale, "currency")?;
    let (name, symbol) = match country.as_str() {
        "" => ("XXX", "\u{A4}"),
        "US" => ("USD", "$"),
        _ => {
            return Err(Fault::unsupported(format!(
                "currency of country {country}: locale data is not read"
            )));
        }
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

/// Returns the currency that was set.
fn currency(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let symbols = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(symbols), "currency")?;
    match vm.read_slot(symbols.0 + word)? {
        0 => Err(Fault::unsupported(
            "java.text.DecimalFormatSymbols.getCurrency: locale data is not read",
        )),
        set => Ok(set),
    }
}

impl Vm {
    /// Returns the static method with this key, generated by `emit` at the first call.
    fn once(
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
    const CLASS: &str = "java/text/DecimalFormatSymbols";
    const SHAPE: &str = "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;";
    let locale = vm.arg_object(args, 0)?;
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
    let pattern = match style {
        NUMBER | INTEGER => "#,##0.###",
        PERCENT => "#,##0%",
        _ => {
            return Err(Fault::unsupported(
                "currency and compact number formats: locale data is not read",
            ));
        }
    };
    known_country(vm, locale, "number format")?;
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

fn refuse_adapter(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let provider = vm.arg_class(args, 0)?;
    let locale = vm.arg_object(args, 1)?;
    let (language, country) = language_and_country(vm, locale)?;
    let provider = vm.binary_name(provider);
    Err(Fault::unsupported(format!(
        "{provider} of locale {language}_{country}: locale data is not read"
    )))
}

fn refuse_pool(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let provider = vm.arg_class(args, 0)?;
    Err(Fault::unsupported(format!(
        "{}: locale data is not read",
        vm.binary_name(provider)
    )))
}
