//! Safe wrappers of Z3's contexts, terms, solvers and models, with reference counts.
//!
//! All unsafe blocks here rely on the same invariants. A handle comes from the context it is used
//! with, since all handles are private and hold their context. It is counted (`…inc_ref`) before
//! any other call could free it, and released once, when dropped. A context is deleted after all
//! its holders. Contexts are neither `Send` nor `Sync`. Z3 does not unwind: without an error
//! handler it records an error code, which is checked wherever a call can fail.

use std::cell::OnceCell;
use std::ffi::{CStr, CString, c_int, c_uint};
use std::ptr;
use std::rc::Rc;

use super::functions::{
    Functions, RawAst, RawContext, RawModel, RawParams, RawSolver, RawSort, RawSymbol,
};
use super::memory::Lifted;
use super::{Library, Stopper};
use crate::smt::SolverError;
use crate::smt::decision::Satisfiability;
use crate::smt::op::{Format, Op, Rounding, TranslationTarget};

/// Z3's code of the error that its memory is used up (`Z3_MEMOUT_FAIL`).
const MEMORY_FAILURE: c_int = 7;

#[derive(Debug)]
struct Inner {
    functions: Functions,
    raw: *mut RawContext,
    /// Variables named by their indices here; all others are named by their numbers.
    ranks: Vec<u32>,
    /// Set once memory was used up. Dropped after the context is deleted.
    exhausted: OnceCell<Lifted>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let _lifted = Lifted::new(self.functions);
        // SAFETY: nothing is left that holds the context.
        unsafe { (self.functions.del_context)(self.raw) }
    }
}

impl Inner {
    /// Error recorded by Z3 since the last successful call.
    fn error(&self) -> Option<SolverError> {
        // SAFETY: see the module; the message lives until the next call.
        unsafe {
            let code = (self.functions.get_error_code)(self.raw);
            if code == 0 {
                return None;
            }
            let message = (self.functions.get_error_msg)(self.raw, code);
            Some(match code {
                MEMORY_FAILURE => {
                    self.exhausted.get_or_init(|| Lifted::new(self.functions));
                    SolverError::Memory
                }
                _ => SolverError::Z3(text(message)),
            })
        }
    }

    fn check(&self) -> Result<(), SolverError> {
        self.error().map_or(Ok(()), Err)
    }

    fn failure(&self) -> SolverError {
        let silent = || SolverError::Z3("no result".to_owned());
        self.error().unwrap_or_else(silent)
    }
}

/// # Safety
/// `text` is null or a C string.
unsafe fn text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// Context with its own memory, in which terms are created.
#[derive(Clone, Debug)]
pub(in crate::smt) struct Context(Rc<Inner>);

/// Term of a context.
#[derive(Debug)]
pub(in crate::smt) struct Ast {
    context: Rc<Inner>,
    raw: *mut RawAst,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        // SAFETY: see the module.
        unsafe { (self.context.functions.inc_ref)(self.context.raw, self.raw) }
        Ast {
            context: Rc::clone(&self.context),
            raw: self.raw,
        }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // SAFETY: see the module.
        unsafe { (self.context.functions.dec_ref)(self.context.raw, self.raw) }
    }
}

impl Context {
    pub(in crate::smt) fn new(library: Library, ranks: Vec<u32>) -> Result<Context, SolverError> {
        let functions = library.functions;
        // SAFETY: the configuration is deleted once the context is made, as Z3 allows.
        let raw = unsafe {
            let config = (functions.mk_config)();
            let raw = (functions.mk_context_rc)(config);
            (functions.del_config)(config);
            if raw.is_null() {
                return Err(SolverError::Z3("no context".to_owned()));
            }
            (functions.set_error_handler)(raw, None);
            raw
        };
        Ok(Context(Rc::new(Inner {
            functions,
            raw,
            ranks,
            exhausted: OnceCell::new(),
        })))
    }

    fn counted(&self, raw: *mut RawAst) -> Result<Ast, SolverError> {
        if raw.is_null() {
            return Err(self.0.failure());
        }
        // SAFETY: see the module; nothing was called since `raw` was made.
        unsafe { (self.0.functions.inc_ref)(self.0.raw, raw) }
        Ok(Ast {
            context: Rc::clone(&self.0),
            raw,
        })
    }

    /// Returns a sort with its counted handle.
    fn sort(&self, raw: *mut RawSort) -> Result<(Ast, *mut RawSort), SolverError> {
        // SAFETY: see the module; a sort is a term too.
        let ast = unsafe { (self.0.functions.sort_to_ast)(self.0.raw, raw) };
        Ok((self.counted(ast)?, raw))
    }

    fn bit_vectors(&self, width: u32) -> Result<(Ast, *mut RawSort), SolverError> {
        // SAFETY: see the module.
        self.sort(unsafe { (self.0.functions.mk_bv_sort)(self.0.raw, width) })
    }

    fn integers(&self) -> Result<(Ast, *mut RawSort), SolverError> {
        // SAFETY: see the module.
        self.sort(unsafe { (self.0.functions.mk_int_sort)(self.0.raw) })
    }

    /// Creates a variable of a sort, whose handle the caller holds.
    fn named(&self, number: u32, raw: *mut RawSort) -> Result<Ast, SolverError> {
        let rank = self.0.ranks.binary_search(&number);
        let number = rank.unwrap_or(number as usize);
        // SAFETY: see the module; symbols need no counting.
        self.counted(unsafe {
            let symbol = (self.0.functions.mk_int_symbol)(self.0.raw, number as c_int);
            (self.0.functions.mk_const)(self.0.raw, symbol, raw)
        })
    }

    fn floating(&self, format: Format) -> Result<(Ast, *mut RawSort), SolverError> {
        let functions = &self.0.functions;
        // SAFETY: see the module.
        self.sort(unsafe {
            match format {
                Format::Single => (functions.mk_fpa_sort_32)(self.0.raw),
                Format::Double => (functions.mk_fpa_sort_64)(self.0.raw),
            }
        })
    }
}

impl TranslationTarget for Context {
    type Term = Ast;

    fn truth(&mut self, value: bool) -> Result<Ast, SolverError> {
        let functions = &self.0.functions;
        let make = if value {
            functions.mk_true
        } else {
            functions.mk_false
        };
        // SAFETY: see the module.
        self.counted(unsafe { make(self.0.raw) })
    }

    fn bits(&mut self, width: u32, bits: u64) -> Result<Ast, SolverError> {
        let (_sort, raw) = self.bit_vectors(width)?;
        // SAFETY: see the module.
        self.counted(unsafe { (self.0.functions.mk_unsigned_int64)(self.0.raw, bits, raw) })
    }

    fn variable(&mut self, number: u32, width: u32) -> Result<Ast, SolverError> {
        let (_sort, raw) = self.bit_vectors(width)?;
        self.named(number, raw)
    }

    fn integer(&mut self, value: i128) -> Result<Ast, SolverError> {
        let (_sort, raw) = self.integers()?;
        let digits = CString::new(value.to_string()).unwrap_or_default();
        // SAFETY: see the module; the digits are copied.
        self.counted(unsafe { (self.0.functions.mk_numeral)(self.0.raw, digits.as_ptr(), raw) })
    }

    fn integer_variable(&mut self, number: u32) -> Result<Ast, SolverError> {
        let (_sort, raw) = self.integers()?;
        self.named(number, raw)
    }

    fn apply(&mut self, op: Op, operands: &[&Ast]) -> Result<Ast, SolverError> {
        match *operands {
            [a] => self.apply_one(op, a),
            [a, b] => self.apply_two(op, a, b),
            [a, b, c] => {
                let functions = &self.0.functions;
                // SAFETY: see the module.
                self.counted(unsafe { (functions.mk_ite)(self.0.raw, a.raw, b.raw, c.raw) })
            }
            _ => unreachable!("{op:?} of {} operands", operands.len()),
        }
    }

    fn ieee_bits(&mut self, _format: Format, number: &Ast) -> Result<Ast, SolverError> {
        // SAFETY: see the module.
        self.counted(unsafe { (self.0.functions.mk_fpa_to_ieee_bv)(self.0.raw, number.raw) })
    }
}

impl Context {
    fn apply_one(&self, op: Op, a: &Ast) -> Result<Ast, SolverError> {
        let (z3, context, a) = (&self.0.functions, self.0.raw, a.raw);
        let (_kept, sort) = match op {
            Op::FpOfBits(format) | Op::FpOfFp(format) | Op::FpOfSigned(format) => {
                let (kept, sort) = self.floating(format)?;
                (Some(kept), sort)
            }
            _ => (None, ptr::null_mut()),
        };
        // SAFETY: see the module; `sort` is kept, rounding modes are counted as `rounding` says.
        let made = unsafe {
            match op {
                Op::Not => (z3.mk_not)(context, a),
                Op::IntNeg => (z3.mk_unary_minus)(context, a),
                Op::IntToBits(width) => (z3.mk_int2bv)(context, width, a),
                Op::BitsToInt => (z3.mk_bv2int)(context, a, false),
                Op::BvNeg => (z3.mk_bvneg)(context, a),
                Op::Low(width) => (z3.mk_extract)(context, width - 1, 0, a),
                Op::SignExtend(more) => (z3.mk_sign_ext)(context, more, a),
                Op::ZeroExtend(more) => (z3.mk_zero_ext)(context, more, a),
                Op::FpNeg => (z3.mk_fpa_neg)(context, a),
                Op::FpAbs => (z3.mk_fpa_abs)(context, a),
                Op::FpSqrt => (z3.mk_fpa_sqrt)(context, self.nearest()?.raw, a),
                Op::FpRound(rounding) => {
                    let mode = self.counted(match rounding {
                        Rounding::Floor => (z3.mk_fpa_rtn)(context),
                        Rounding::Ceil => (z3.mk_fpa_rtp)(context),
                        Rounding::NearestEven => (z3.mk_fpa_rne)(context),
                    })?;
                    (z3.mk_fpa_round_to_integral)(context, mode.raw, a)
                }
                Op::FpIsNan => (z3.mk_fpa_is_nan)(context, a),
                Op::FpIsNegative => (z3.mk_fpa_is_negative)(context, a),
                Op::FpOfBits(_) => (z3.mk_fpa_to_fp_bv)(context, a, sort),
                Op::FpOfFp(_) => (z3.mk_fpa_to_fp_float)(context, self.nearest()?.raw, a, sort),
                Op::FpOfSigned(_) => {
                    (z3.mk_fpa_to_fp_signed)(context, self.nearest()?.raw, a, sort)
                }
                Op::FpToSigned(width) => {
                    let mode = self.counted((z3.mk_fpa_rtz)(context))?;
                    (z3.mk_fpa_to_sbv)(context, mode.raw, a, width)
                }
                _ => unreachable!("{op:?} of one operand"),
            }
        };
        self.counted(made)
    }

    fn apply_two(&self, op: Op, a: &Ast, b: &Ast) -> Result<Ast, SolverError> {
        let (z3, context, a, b) = (&self.0.functions, self.0.raw, a.raw, b.raw);
        let make = match op {
            Op::Xor => z3.mk_xor,
            Op::Equal => z3.mk_eq,
            Op::BvAdd => z3.mk_bvadd,
            Op::BvSub => z3.mk_bvsub,
            Op::BvMul => z3.mk_bvmul,
            Op::BvSdiv => z3.mk_bvsdiv,
            Op::BvSrem => z3.mk_bvsrem,
            Op::BvAnd => z3.mk_bvand,
            Op::BvOr => z3.mk_bvor,
            Op::BvXor => z3.mk_bvxor,
            Op::BvShl => z3.mk_bvshl,
            Op::BvLshr => z3.mk_bvlshr,
            Op::BvAshr => z3.mk_bvashr,
            Op::BvSlt => z3.mk_bvslt,
            Op::BvSle => z3.mk_bvsle,
            Op::BvUlt => z3.mk_bvult,
            Op::BvUle => z3.mk_bvule,
            Op::IntDiv => z3.mk_div,
            Op::IntMod => z3.mk_mod,
            Op::IntLt => z3.mk_lt,
            Op::IntLe => z3.mk_le,
            Op::FpRemainder => z3.mk_fpa_rem,
            Op::FpLt => z3.mk_fpa_lt,
            Op::FpLe => z3.mk_fpa_leq,
            Op::FpEq => z3.mk_fpa_eq,
            Op::And | Op::Or | Op::IntAdd | Op::IntSub | Op::IntMul => {
                let make = match op {
                    Op::And => z3.mk_and,
                    Op::Or => z3.mk_or,
                    Op::IntAdd => z3.mk_add,
                    Op::IntSub => z3.mk_sub,
                    _ => z3.mk_mul,
                };
                // SAFETY: see the module; two operands are read from the array.
                return self.counted(unsafe { make(context, 2, [a, b].as_ptr()) });
            }
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => {
                let make = match op {
                    Op::FpAdd => z3.mk_fpa_add,
                    Op::FpSub => z3.mk_fpa_sub,
                    Op::FpMul => z3.mk_fpa_mul,
                    _ => z3.mk_fpa_div,
                };
                let mode = self.nearest()?;
                // SAFETY: see the module.
                return self.counted(unsafe { make(context, mode.raw, a, b) });
            }
            _ => unreachable!("{op:?} of two operands"),
        };
        // SAFETY: see the module.
        self.counted(unsafe { make(context, a, b) })
    }

    fn nearest(&self) -> Result<Ast, SolverError> {
        // SAFETY: see the module.
        self.counted(unsafe { (self.0.functions.mk_fpa_rne)(self.0.raw) })
    }
}

/// Solver of a context, with scopes.
#[derive(Debug)]
pub(in crate::smt) struct Solver {
    context: Rc<Inner>,
    raw: *mut RawSolver,
}

impl Drop for Solver {
    fn drop(&mut self) {
        let _lifted = Lifted::new(self.context.functions);
        // SAFETY: see the module.
        unsafe { (self.context.functions.solver_dec_ref)(self.context.raw, self.raw) }
    }
}

impl Solver {
    /// Creates a solver for many queries (`incremental`) or for one.
    pub(in crate::smt) fn new(context: &Context, incremental: bool) -> Result<Solver, SolverError> {
        let context = Rc::clone(&context.0);
        let z3 = &context.functions;
        let make = if incremental {
            z3.mk_simple_solver
        } else {
            z3.mk_solver
        };
        // SAFETY: see the module.
        let raw = unsafe { make(context.raw) };
        if raw.is_null() {
            return Err(context.failure());
        }
        // SAFETY: see the module; nothing was called since.
        unsafe { (z3.solver_inc_ref)(context.raw, raw) }
        Ok(Solver { context, raw })
    }

    /// Sets the work limit of each check.
    pub(in crate::smt) fn limit(&self, work: u32) -> Result<(), SolverError> {
        self.set(c"rlimit", work)?;
        // There are no quantifiers, so relevancy is not needed.
        self.set(c"relevancy", 0)?;
        self.set(c"random_seed", 0)?;
        // The program handles the signal and stops queries itself.
        self.set_flag(c"ctrl_c", false)
    }

    fn set_flag(&self, name: &CStr, value: bool) -> Result<(), SolverError> {
        let set = self.context.functions.params_set_bool;
        // SAFETY: see the module.
        self.set_by(name, |context, params, symbol| unsafe {
            set(context, params, symbol, value);
        })
    }

    fn set(&self, name: &CStr, value: u32) -> Result<(), SolverError> {
        let set = self.context.functions.params_set_uint;
        // SAFETY: see the module.
        self.set_by(name, |context, params, symbol| unsafe {
            set(context, params, symbol, value);
        })
    }

    fn set_by(
        &self,
        name: &CStr,
        set: impl FnOnce(*mut RawContext, *mut RawParams, *mut RawSymbol),
    ) -> Result<(), SolverError> {
        let (z3, context) = (&self.context.functions, self.context.raw);
        // SAFETY: see the module.
        unsafe {
            let params: *mut RawParams = (z3.mk_params)(context);
            (z3.params_inc_ref)(context, params);
            let symbol = (z3.mk_string_symbol)(context, name.as_ptr());
            set(context, params, symbol);
            (z3.solver_set_params)(context, self.raw, params);
            (z3.params_dec_ref)(context, params);
        }
        self.context.check()
    }

    /// Opens a scope; `Stopped` if that is stopped. What was asserted before is prepared for queries
    /// meanwhile, which may take long.
    pub(in crate::smt) fn push(&self, stopper: &Stopper) -> Result<(), SolverError> {
        let (z3, context) = (self.context.functions, self.context.raw);
        // SAFETY: see the module.
        let push = || unsafe { (z3.solver_push)(context, self.raw) };
        match stopper.watch(z3, context, push) {
            Some(()) => self.context.check(),
            None => Err(SolverError::Stopped),
        }
    }

    /// Pops this many scopes, which must exist.
    pub(in crate::smt) fn pop(&self, scopes: usize) -> Result<(), SolverError> {
        let scopes = scopes as c_uint;
        // SAFETY: see the module; Z3 notes an error where there are fewer scopes.
        unsafe { (self.context.functions.solver_pop)(self.context.raw, self.raw, scopes) }
        self.context.check()
    }

    pub(in crate::smt) fn assert(&self, condition: &Ast) -> Result<(), SolverError> {
        let z3 = &self.context.functions;
        // SAFETY: see the module.
        unsafe { (z3.solver_assert)(self.context.raw, self.raw, condition.raw) }
        self.context.check()
    }

    /// Checks the assertions; `Stopped` if the query is stopped.
    pub(in crate::smt) fn check(&self, stopper: &Stopper) -> Result<Satisfiability, SolverError> {
        let (z3, context) = (self.context.functions, self.context.raw);
        // SAFETY: see the module. What goes wrong, a limit above all, is Z3's `undef`.
        let check = || unsafe { (z3.solver_check)(context, self.raw) };
        match stopper.watch(z3, context, check) {
            Some(1) => Ok(Satisfiability::Sat),
            Some(-1) => Ok(Satisfiability::Unsat),
            _ if stopper.is_stopped() => Err(SolverError::Stopped),
            _ => match self.context.error() {
                Some(SolverError::Memory) => Err(SolverError::Memory),
                _ => Ok(Satisfiability::Unknown),
            },
        }
    }

    /// Returns the model of the preceding check.
    pub(in crate::smt) fn model(&self) -> Result<Model, SolverError> {
        let z3 = &self.context.functions;
        // SAFETY: see the module.
        let raw = unsafe { (z3.solver_get_model)(self.context.raw, self.raw) };
        if raw.is_null() {
            return Err(self.context.failure());
        }
        // SAFETY: see the module; nothing was called since.
        unsafe { (z3.model_inc_ref)(self.context.raw, raw) }
        Ok(Model {
            context: Rc::clone(&self.context),
            raw,
        })
    }

    /// Units of work done in this context since its creation.
    pub(in crate::smt) fn work(&self) -> Result<u64, SolverError> {
        let (z3, context) = (&self.context.functions, self.context.raw);
        // SAFETY: see the module; the key is a C string that lives as long as the statistics.
        unsafe {
            let stats = (z3.solver_get_statistics)(context, self.raw);
            if stats.is_null() {
                return Err(self.context.failure());
            }
            (z3.stats_inc_ref)(context, stats);
            let size = (z3.stats_size)(context, stats);
            let place = (0..size).rev().find(|&place| {
                (z3.stats_is_uint)(context, stats, place)
                    && CStr::from_ptr((z3.stats_get_key)(context, stats, place)) == c"rlimit count"
            });
            let work = place.map_or(0, |place| (z3.stats_get_uint_value)(context, stats, place));
            (z3.stats_dec_ref)(context, stats);
            Ok(work.into())
        }
    }
}

/// Model of a solver.
#[derive(Debug)]
pub(in crate::smt) struct Model {
    context: Rc<Inner>,
    raw: *mut RawModel,
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: see the module.
        unsafe { (self.context.functions.model_dec_ref)(self.context.raw, self.raw) }
    }
}

impl Model {
    /// Value of a bit-vector term; 0 if it is unconstrained.
    pub(in crate::smt) fn bits(&self, term: &Ast) -> Result<u64, SolverError> {
        let mut bits = 0;
        let read = self.context.functions.get_numeral_uint64;
        // SAFETY: see the module.
        self.value(term, |context, value| unsafe {
            read(context, value, &mut bits)
        })?;
        Ok(bits)
    }

    /// Value of a mathematical integer in the range of `long`; 0 if it is unconstrained.
    pub(in crate::smt) fn integer(&self, term: &Ast) -> Result<i64, SolverError> {
        let mut integer = 0;
        let read = self.context.functions.get_numeral_int64;
        // SAFETY: see the module.
        self.value(term, |context, value| unsafe {
            read(context, value, &mut integer)
        })?;
        Ok(integer)
    }

    /// Reads the value of a term; `read` returns whether it succeeded.
    fn value(
        &self,
        term: &Ast,
        read: impl FnOnce(*mut RawContext, *mut RawAst) -> bool,
    ) -> Result<(), SolverError> {
        let (z3, context) = (&self.context.functions, self.context.raw);
        let mut value = ptr::null_mut();
        // SAFETY: see the module; the value is counted before it is read.
        unsafe {
            if !(z3.model_eval)(context, self.raw, term.raw, true, &mut value) || value.is_null() {
                return Err(self.context.failure());
            }
            (z3.inc_ref)(context, value);
            let is_number = read(context, value);
            (z3.dec_ref)(context, value);
            if !is_number {
                return Err(self.context.failure());
            }
        }
        Ok(())
    }
}
