//! Messages on standard error, which it is no fault not to read: where the standard library's macros end the
//! program by a panic, nothing is written.

/// As the standard library's, but that nobody need read it.
macro_rules! eprint {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::write!(::std::io::stderr(), $($text)*);
    }};
}

/// As the standard library's, but that nobody need read it.
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stderr(), $($text)*);
    }};
}
