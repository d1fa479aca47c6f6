//! The table of the instruction set, with one row for each instruction.
//!
//! A row has the instruction's name, its operands and, in some families, its operation after `=`.
//! The type of an operand is its role, see [`crate::instr::operand`]. Operands have this order:
//! registers, constants, target. The families are
//!
//! - `values`: moves and constants;
//! - `computations`: an operation on numbers, `= kind operation` ([`crate::Operation`]);
//! - `comparisons`: a branch on two ints, of which the second may be omitted for 0,
//!   `= comparison`;
//! - `identities`: a branch on two references, of which the second may be omitted for null,
//!   `= Same` or `= Other`;
//! - `control`: other instructions whose successor is not just the next one, `= flow`
//!   ([`crate::instr::Flow`]);
//! - `loads` and `stores`: accesses of array elements;
//! - `arrays`, `objects`, `fields` and `calls`.

/// Calls the macro `$then` with its context, in brackets, and the table.
macro_rules! for_each_instr {
    ($then:ident! [$($context:tt)*]) => {
        $then! {
            [$($context)*]
            values {
                Nop;
                /// Reports that the run reaches a probe, see [`crate::probes`].
                Probe { point: u32 };
                /// Notes the first `words` registers, the arguments of a call, see
                /// [`crate::prologues`].
                NoteCall { words: u32 };
                Move { d: Write, a: Read };
                Int { d: Write, value: i32 };
                Wide { d: Write, index: u32 };
                Object { d: Write, object: u32 };
                /// Loads the string of a literal, which is interned at its first load; `cell` is
                /// the arena word that holds it.
                Literal { d: Write, cell: u32 };
                LdcPending { d: Write, index: Entry };
            }
            computations {
                // int arithmetic.
                IAdd { d: Write, a: Read, b: Read } = Int Add;
                ISub { d: Write, a: Read, b: Read } = Int Sub;
                IMul { d: Write, a: Read, b: Read } = Int Mul;
                IDiv { d: Write, a: Read, b: Read } = Int Div;
                IRem { d: Write, a: Read, b: Read } = Int Rem;
                INeg { d: Write, a: Read } = Int Neg;
                IShl { d: Write, a: Read, b: Read } = Int Shl;
                IShr { d: Write, a: Read, b: Read } = Int Shr;
                IUshr { d: Write, a: Read, b: Read } = Int Ushr;
                IAnd { d: Write, a: Read, b: Read } = Int And;
                IOr { d: Write, a: Read, b: Read } = Int Or;
                IXor { d: Write, a: Read, b: Read } = Int Xor;
                IAddConst { d: Write, a: Read, value: i16 } = Int Add;
                IMulConst { d: Write, a: Read, value: i16 } = Int Mul;
                IAndConst { d: Write, a: Read, value: i16 } = Int And;
                IShlConst { d: Write, a: Read, value: i16 } = Int Shl;
                IShrConst { d: Write, a: Read, value: i16 } = Int Shr;
                IUshrConst { d: Write, a: Read, value: i16 } = Int Ushr;
                // long arithmetic; shift distances are ints.
                LAdd { d: Write, a: Read, b: Read } = Long Add;
                LSub { d: Write, a: Read, b: Read } = Long Sub;
                LMul { d: Write, a: Read, b: Read } = Long Mul;
                LDiv { d: Write, a: Read, b: Read } = Long Div;
                LRem { d: Write, a: Read, b: Read } = Long Rem;
                LNeg { d: Write, a: Read } = Long Neg;
                LShl { d: Write, a: Read, b: Read } = Long Shl;
                LShr { d: Write, a: Read, b: Read } = Long Shr;
                LUshr { d: Write, a: Read, b: Read } = Long Ushr;
                LAnd { d: Write, a: Read, b: Read } = Long And;
                LOr { d: Write, a: Read, b: Read } = Long Or;
                LXor { d: Write, a: Read, b: Read } = Long Xor;
                LCmp { d: Write, a: Read, b: Read } = Long Sign;
                // float and double arithmetic.
                FAdd { d: Write, a: Read, b: Read } = Float Add;
                FSub { d: Write, a: Read, b: Read } = Float Sub;
                FMul { d: Write, a: Read, b: Read } = Float Mul;
                FDiv { d: Write, a: Read, b: Read } = Float Div;
                FRem { d: Write, a: Read, b: Read } = Float Rem;
                FNeg { d: Write, a: Read } = Float Neg;
                FCmpL { d: Write, a: Read, b: Read } = Float Sign;
                FCmpG { d: Write, a: Read, b: Read } = Float SignUp;
                DAdd { d: Write, a: Read, b: Read } = Double Add;
                DSub { d: Write, a: Read, b: Read } = Double Sub;
                DMul { d: Write, a: Read, b: Read } = Double Mul;
                DDiv { d: Write, a: Read, b: Read } = Double Div;
                DRem { d: Write, a: Read, b: Read } = Double Rem;
                DNeg { d: Write, a: Read } = Double Neg;
                DCmpL { d: Write, a: Read, b: Read } = Double Sign;
                DCmpG { d: Write, a: Read, b: Read } = Double SignUp;
                // Conversions; `I2Z` keeps the lowest bit.
                I2L { d: Write, a: Read } = Int Convert(Long);
                I2F { d: Write, a: Read } = Int Convert(Float);
                I2D { d: Write, a: Read } = Int Convert(Double);
                I2B { d: Write, a: Read } = Int Convert(Byte);
                I2C { d: Write, a: Read } = Int Convert(Char);
                I2S { d: Write, a: Read } = Int Convert(Short);
                I2Z { d: Write, a: Read } = Int Convert(Boolean);
                L2I { d: Write, a: Read } = Long Convert(Int);
                L2F { d: Write, a: Read } = Long Convert(Float);
                L2D { d: Write, a: Read } = Long Convert(Double);
                F2I { d: Write, a: Read } = Float Convert(Int);
                F2L { d: Write, a: Read } = Float Convert(Long);
                F2D { d: Write, a: Read } = Float Convert(Double);
                D2I { d: Write, a: Read } = Double Convert(Int);
                D2L { d: Write, a: Read } = Double Convert(Long);
                D2F { d: Write, a: Read } = Double Convert(Float);
            }
            comparisons {
                IfEq { a: Read, to: Far } = Eq;
                IfNe { a: Read, to: Far } = Ne;
                IfLt { a: Read, to: Far } = Lt;
                IfGe { a: Read, to: Far } = Ge;
                IfGt { a: Read, to: Far } = Gt;
                IfLe { a: Read, to: Far } = Le;
                IfICmpEq { a: Read, b: Read, to: Near } = Eq;
                IfICmpNe { a: Read, b: Read, to: Near } = Ne;
                IfICmpLt { a: Read, b: Read, to: Near } = Lt;
                IfICmpGe { a: Read, b: Read, to: Near } = Ge;
                IfICmpGt { a: Read, b: Read, to: Near } = Gt;
                IfICmpLe { a: Read, b: Read, to: Near } = Le;
                IfConstEq { a: Read, value: i16, to: Near } = Eq;
                IfConstNe { a: Read, value: i16, to: Near } = Ne;
                IfConstLt { a: Read, value: i16, to: Near } = Lt;
                IfConstGe { a: Read, value: i16, to: Near } = Ge;
                IfConstGt { a: Read, value: i16, to: Near } = Gt;
                IfConstLe { a: Read, value: i16, to: Near } = Le;
            }
            identities {
                IfNull { a: Read, to: Far } = Same;
                IfNonNull { a: Read, to: Far } = Other;
                IfACmpEq { a: Read, b: Read, to: Near } = Same;
                IfACmpNe { a: Read, b: Read, to: Near } = Other;
            }
            control {
                Goto { to: Far } = Jump;
                Switch { a: Read, table: Table } = Switch;
                Jsr { d: Fixed, to: Far } = Subroutine;
                JsrReturn { a: Fixed } = SubroutineReturn;
                ReturnVoid = Return;
                Return { a: Read } = Return;
                Throw { a: Read } = Throw;
                /// Throws `IncompatibleClassChangeError`, only in generated code, where no case
                /// of a switch over an enum or a sealed type matches.
                Unreachable = Throw;
            }
            loads {
                ByteLoad { d: Write, a: Read, b: Read };
                CharLoad { d: Write, a: Read, b: Read };
                ShortLoad { d: Write, a: Read, b: Read };
                IntLoad { d: Write, a: Read, b: Read };
                LongLoad { d: Write, a: Read, b: Read };
                RefLoad { d: Write, a: Read, b: Read };
            }
            stores {
                ByteStore { a: Read, b: Read, c: Read };
                ShortStore { a: Read, b: Read, c: Read };
                IntStore { a: Read, b: Read, c: Read };
                LongStore { a: Read, b: Read, c: Read };
                RefStore { a: Read, b: Read, c: Read };
            }
            arrays {
                ArrayLength { d: Write, a: Read };
                /// Register `d` has the length and receives the array.
                NewArray { d: Fixed, class: Class };
                ANewArrayPending { d: Fixed, index: Entry };
                /// The lengths start in `d`, which receives the array.
                MultiANewArray { d: Fixed, index: Entry, dimensions: u8 };
            }
            objects {
                NewPending { d: Write, index: Entry };
                NewChecked { d: Write, class: Class };
                New { d: Write, class: Class };
                CheckCastPending { a: Read, index: Entry };
                CheckCast { a: Read, class: Class };
                /// Register `d` has the object and receives the result.
                InstanceOfPending { d: Fixed, index: Entry };
                InstanceOf { d: Fixed, class: Class };
                MonitorEnter { a: Read };
                MonitorExit { a: Read };
            }
            fields {
                GetFieldPending { d: Write, a: Read, index: Entry };
                GetField { d: Write, a: Read, word: u16 };
                PutFieldPending { a: Read, b: Read, index: Entry };
                PutField { a: Read, b: Read, word: u16 };
                PutFieldBoolean { a: Read, b: Read, word: u16 };
                PutFieldByte { a: Read, b: Read, word: u16 };
                PutFieldChar { a: Read, b: Read, word: u16 };
                PutFieldShort { a: Read, b: Read, word: u16 };
                GetStaticPending { d: Write, index: Entry };
                PutStaticPending { a: Read, index: Entry };
                GetStaticChecked { d: Write, site: u32 };
                PutStaticChecked { a: Read, site: u32 };
                GetStatic { d: Write, at: u32 };
                PutStatic { a: Read, at: u32 };
            }
            calls {
                // The arguments start in `a`, which receives the result.
                InvokePending { a: Fixed, index: Entry, call: InvokeKind };
                InvokeStaticChecked { a: Fixed, method: Method };
                InvokeStatic { a: Fixed, method: Method };
                InvokeSpecial { a: Fixed, method: Method };
                InvokeVirtual { a: Fixed, method: Method };
                InvokeInterface { a: Fixed, method: Method };
            }
        }
    };
}

pub(crate) use for_each_instr;
