//! Z3's functions, as declared in its header.

use std::ffi::{c_char, c_int, c_uint};

macro_rules! handles {
    ($($name:ident)*) => {
        $(
            /// One of Z3's own objects.
            #[repr(C)]
            #[derive(Debug)]
            pub(in crate::smt::z3) struct $name {
                opaque: [u8; 0],
            }
        )*
    };
}

handles!(RawConfig RawContext RawAst RawSort RawSymbol RawSolver RawModel RawParams RawStats);

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Z3's functions, without the prefix `Z3_`.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            pub(super) fn of(library: &'static libloading::Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    $(
                        // SAFETY: the declaration below is that of Z3's header, unchanged from
                        // the oldest version that is accepted on.
                        $name: unsafe {
                            *library.get(concat!("Z3_", stringify!($name), "\0").as_bytes())?
                        },
                    )*
                })
            }
        }
    };
}

type Config = *mut RawConfig;
type Context = *mut RawContext;
type Ast = *mut RawAst;
type Sort = *mut RawSort;
type Symbol = *mut RawSymbol;
type Solver = *mut RawSolver;
type Model = *mut RawModel;
type Params = *mut RawParams;
type Stats = *mut RawStats;
type ErrorHandler = Option<unsafe extern "C" fn(Context, c_int)>;

functions! {
    mk_config() -> Config;
    del_config(Config);
    mk_context_rc(Config) -> Context;
    del_context(Context);
    set_error_handler(Context, ErrorHandler);
    get_error_code(Context) -> c_int;
    get_error_msg(Context, c_int) -> *const c_char;
    inc_ref(Context, Ast);
    dec_ref(Context, Ast);
    mk_int_symbol(Context, c_int) -> Symbol;
    mk_string_symbol(Context, *const c_char) -> Symbol;
    mk_const(Context, Symbol, Sort) -> Ast;
    sort_to_ast(Context, Sort) -> Ast;
    mk_bv_sort(Context, c_uint) -> Sort;
    mk_int_sort(Context) -> Sort;
    mk_fpa_sort_32(Context) -> Sort;
    mk_fpa_sort_64(Context) -> Sort;
    mk_true(Context) -> Ast;
    mk_false(Context) -> Ast;
    mk_not(Context, Ast) -> Ast;
    mk_and(Context, c_uint, *const Ast) -> Ast;
    mk_or(Context, c_uint, *const Ast) -> Ast;
    mk_xor(Context, Ast, Ast) -> Ast;
    mk_ite(Context, Ast, Ast, Ast) -> Ast;
    mk_eq(Context, Ast, Ast) -> Ast;
    mk_unsigned_int64(Context, u64, Sort) -> Ast;
    mk_numeral(Context, *const c_char, Sort) -> Ast;
    mk_unary_minus(Context, Ast) -> Ast;
    mk_add(Context, c_uint, *const Ast) -> Ast;
    mk_sub(Context, c_uint, *const Ast) -> Ast;
    mk_mul(Context, c_uint, *const Ast) -> Ast;
    mk_div(Context, Ast, Ast) -> Ast;
    mk_mod(Context, Ast, Ast) -> Ast;
    mk_lt(Context, Ast, Ast) -> Ast;
    mk_le(Context, Ast, Ast) -> Ast;
    mk_int2bv(Context, c_uint, Ast) -> Ast;
    mk_bv2int(Context, Ast, bool) -> Ast;
    mk_bvneg(Context, Ast) -> Ast;
    mk_bvadd(Context, Ast, Ast) -> Ast;
    mk_bvsub(Context, Ast, Ast) -> Ast;
    mk_bvmul(Context, Ast, Ast) -> Ast;
    mk_bvsdiv(Context, Ast, Ast) -> Ast;
    mk_bvsrem(Context, Ast, Ast) -> Ast;
    mk_bvand(Context, Ast, Ast) -> Ast;
    mk_bvor(Context, Ast, Ast) -> Ast;
    mk_bvxor(Context, Ast, Ast) -> Ast;
    mk_bvshl(Context, Ast, Ast) -> Ast;
    mk_bvlshr(Context, Ast, Ast) -> Ast;
    mk_bvashr(Context, Ast, Ast) -> Ast;
    mk_bvslt(Context, Ast, Ast) -> Ast;
    mk_bvsle(Context, Ast, Ast) -> Ast;
    mk_bvult(Context, Ast, Ast) -> Ast;
    mk_bvule(Context, Ast, Ast) -> Ast;
    mk_extract(Context, c_uint, c_uint, Ast) -> Ast;
    mk_sign_ext(Context, c_uint, Ast) -> Ast;
    mk_zero_ext(Context, c_uint, Ast) -> Ast;
    mk_fpa_rne(Context) -> Ast;
    mk_fpa_rtz(Context) -> Ast;
    mk_fpa_rtp(Context) -> Ast;
    mk_fpa_rtn(Context) -> Ast;
    mk_fpa_neg(Context, Ast) -> Ast;
    mk_fpa_abs(Context, Ast) -> Ast;
    mk_fpa_add(Context, Ast, Ast, Ast) -> Ast;
    mk_fpa_sub(Context, Ast, Ast, Ast) -> Ast;
    mk_fpa_mul(Context, Ast, Ast, Ast) -> Ast;
    mk_fpa_div(Context, Ast, Ast, Ast) -> Ast;
    mk_fpa_rem(Context, Ast, Ast) -> Ast;
    mk_fpa_sqrt(Context, Ast, Ast) -> Ast;
    mk_fpa_round_to_integral(Context, Ast, Ast) -> Ast;
    mk_fpa_lt(Context, Ast, Ast) -> Ast;
    mk_fpa_leq(Context, Ast, Ast) -> Ast;
    mk_fpa_eq(Context, Ast, Ast) -> Ast;
    mk_fpa_is_nan(Context, Ast) -> Ast;
    mk_fpa_is_negative(Context, Ast) -> Ast;
    mk_fpa_to_fp_bv(Context, Ast, Sort) -> Ast;
    mk_fpa_to_fp_float(Context, Ast, Ast, Sort) -> Ast;
    mk_fpa_to_fp_signed(Context, Ast, Ast, Sort) -> Ast;
    mk_fpa_to_sbv(Context, Ast, Ast, c_uint) -> Ast;
    mk_fpa_to_ieee_bv(Context, Ast) -> Ast;
    interrupt(Context);
    mk_simple_solver(Context) -> Solver;
    mk_solver(Context) -> Solver;
    solver_inc_ref(Context, Solver);
    solver_dec_ref(Context, Solver);
    solver_set_params(Context, Solver, Params);
    solver_push(Context, Solver);
    solver_pop(Context, Solver, c_uint);
    solver_assert(Context, Solver, Ast);
    solver_check(Context, Solver) -> c_int;
    solver_get_model(Context, Solver) -> Model;
    solver_get_statistics(Context, Solver) -> Stats;
    model_inc_ref(Context, Model);
    model_dec_ref(Context, Model);
    model_eval(Context, Model, Ast, bool, *mut Ast) -> bool;
    get_numeral_uint64(Context, Ast, *mut u64) -> bool;
    get_numeral_int64(Context, Ast, *mut i64) -> bool;
    mk_params(Context) -> Params;
    params_inc_ref(Context, Params);
    params_dec_ref(Context, Params);
    params_set_bool(Context, Params, Symbol, bool);
    params_set_uint(Context, Params, Symbol, c_uint);
    stats_inc_ref(Context, Stats);
    stats_dec_ref(Context, Stats);
    stats_size(Context, Stats) -> c_uint;
    stats_get_key(Context, Stats, c_uint) -> *const c_char;
    stats_is_uint(Context, Stats, c_uint) -> bool;
    stats_get_uint_value(Context, Stats, c_uint) -> c_uint;
}
