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

type Z3Config = *mut RawConfig;
type Z3Context = *mut RawContext;
type Z3Ast = *mut RawAst;
type Z3Sort = *mut RawSort;
type Symbol = *mut RawSymbol;
type Z3Solver = *mut RawSolver;
type Z3Model = *mut RawModel;
type Params = *mut RawParams;
type Stats = *mut RawStats;
type ErrorHandler = Option<unsafe extern "C" fn(Z3Context, c_int)>;

functions! {
    global_param_set(*const c_char, *const c_char);
    mk_config() -> Z3Config;
    del_config(Z3Config);
    mk_context_rc(Z3Config) -> Z3Context;
    del_context(Z3Context);
    set_error_handler(Z3Context, ErrorHandler);
    get_error_code(Z3Context) -> c_int;
    get_error_msg(Z3Context, c_int) -> *const c_char;
    inc_ref(Z3Context, Z3Ast);
    dec_ref(Z3Context, Z3Ast);
    mk_int_symbol(Z3Context, c_int) -> Symbol;
    mk_string_symbol(Z3Context, *const c_char) -> Symbol;
    mk_const(Z3Context, Symbol, Z3Sort) -> Z3Ast;
    sort_to_ast(Z3Context, Z3Sort) -> Z3Ast;
    mk_bv_sort(Z3Context, c_uint) -> Z3Sort;
    mk_int_sort(Z3Context) -> Z3Sort;
    mk_fpa_sort_32(Z3Context) -> Z3Sort;
    mk_fpa_sort_64(Z3Context) -> Z3Sort;
    mk_true(Z3Context) -> Z3Ast;
    mk_false(Z3Context) -> Z3Ast;
    mk_not(Z3Context, Z3Ast) -> Z3Ast;
    mk_and(Z3Context, c_uint, *const Z3Ast) -> Z3Ast;
    mk_or(Z3Context, c_uint, *const Z3Ast) -> Z3Ast;
    mk_xor(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_ite(Z3Context, Z3Ast, Z3Ast, Z3Ast) -> Z3Ast;
    mk_eq(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_unsigned_int64(Z3Context, u64, Z3Sort) -> Z3Ast;
    mk_numeral(Z3Context, *const c_char, Z3Sort) -> Z3Ast;
    mk_unary_minus(Z3Context, Z3Ast) -> Z3Ast;
    mk_add(Z3Context, c_uint, *const Z3Ast) -> Z3Ast;
    mk_sub(Z3Context, c_uint, *const Z3Ast) -> Z3Ast;
    mk_mul(Z3Context, c_uint, *const Z3Ast) -> Z3Ast;
    mk_div(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_mod(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_lt(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_le(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_int2bv(Z3Context, c_uint, Z3Ast) -> Z3Ast;
    mk_bv2int(Z3Context, Z3Ast, bool) -> Z3Ast;
    mk_bvneg(Z3Context, Z3Ast) -> Z3Ast;
    mk_bvadd(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvsub(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvmul(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvsdiv(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvsrem(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvand(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvor(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvxor(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvshl(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvlshr(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvashr(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvslt(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvsle(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvult(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_bvule(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_extract(Z3Context, c_uint, c_uint, Z3Ast) -> Z3Ast;
    mk_sign_ext(Z3Context, c_uint, Z3Ast) -> Z3Ast;
    mk_zero_ext(Z3Context, c_uint, Z3Ast) -> Z3Ast;
    mk_fpa_rne(Z3Context) -> Z3Ast;
    mk_fpa_rtz(Z3Context) -> Z3Ast;
    mk_fpa_rtp(Z3Context) -> Z3Ast;
    mk_fpa_rtn(Z3Context) -> Z3Ast;
    mk_fpa_neg(Z3Context, Z3Ast) -> Z3Ast;
    mk_fpa_abs(Z3Context, Z3Ast) -> Z3Ast;
    mk_fpa_add(Z3Context, Z3Ast, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_sub(Z3Context, Z3Ast, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_mul(Z3Context, Z3Ast, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_div(Z3Context, Z3Ast, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_rem(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_sqrt(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_round_to_integral(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_lt(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_leq(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_eq(Z3Context, Z3Ast, Z3Ast) -> Z3Ast;
    mk_fpa_is_nan(Z3Context, Z3Ast) -> Z3Ast;
    mk_fpa_is_negative(Z3Context, Z3Ast) -> Z3Ast;
    mk_fpa_to_fp_bv(Z3Context, Z3Ast, Z3Sort) -> Z3Ast;
    mk_fpa_to_fp_float(Z3Context, Z3Ast, Z3Ast, Z3Sort) -> Z3Ast;
    mk_fpa_to_fp_signed(Z3Context, Z3Ast, Z3Ast, Z3Sort) -> Z3Ast;
    mk_fpa_to_sbv(Z3Context, Z3Ast, Z3Ast, c_uint) -> Z3Ast;
    mk_fpa_to_ieee_bv(Z3Context, Z3Ast) -> Z3Ast;
    interrupt(Z3Context);
    mk_simple_solver(Z3Context) -> Z3Solver;
    mk_solver(Z3Context) -> Z3Solver;
    solver_inc_ref(Z3Context, Z3Solver);
    solver_dec_ref(Z3Context, Z3Solver);
    solver_set_params(Z3Context, Z3Solver, Params);
    solver_push(Z3Context, Z3Solver);
    solver_pop(Z3Context, Z3Solver, c_uint);
    solver_assert(Z3Context, Z3Solver, Z3Ast);
    solver_check(Z3Context, Z3Solver) -> c_int;
    solver_get_model(Z3Context, Z3Solver) -> Z3Model;
    solver_get_statistics(Z3Context, Z3Solver) -> Stats;
    model_inc_ref(Z3Context, Z3Model);
    model_dec_ref(Z3Context, Z3Model);
    model_eval(Z3Context, Z3Model, Z3Ast, bool, *mut Z3Ast) -> bool;
    get_numeral_uint64(Z3Context, Z3Ast, *mut u64) -> bool;
    get_numeral_int64(Z3Context, Z3Ast, *mut i64) -> bool;
    mk_params(Z3Context) -> Params;
    params_inc_ref(Z3Context, Params);
    params_dec_ref(Z3Context, Params);
    params_set_bool(Z3Context, Params, Symbol, bool);
    params_set_uint(Z3Context, Params, Symbol, c_uint);
    stats_inc_ref(Z3Context, Stats);
    stats_dec_ref(Z3Context, Stats);
    stats_size(Z3Context, Stats) -> c_uint;
    stats_get_key(Z3Context, Stats, c_uint) -> *const c_char;
    stats_is_uint(Z3Context, Stats, c_uint) -> bool;
    stats_get_uint_value(Z3Context, Stats, c_uint) -> c_uint;
}
