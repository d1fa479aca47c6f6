//! The instruction set of the register code.
//!
//! A method's registers are its local variables followed by its operand stack, numbered in words
//! as the class file counts them; a long or double lives in the first of its two. Each bytecode
//! instruction becomes one instruction here (the `dup` family becomes moves), so that a position
//! of one is a position of the other. `d` is the register written, `a`, `b`, `c` those read, `to`
//! a distance in instructions.
//!
//! A form named `…Pending` names a constant-pool entry and rewrites itself once that is resolved;
//! a form named `…Checked` still looks whether its class is initialised, because that goes back.

/// A register of the running frame.
pub type Reg = u16;

/// An instruction; 8 bytes.
#[expect(
    missing_docs,
    reason = "the names of the JVM's instructions, JVMS §6.5"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    Nop,
    /// Notes that the run came by, see [`crate::probes`].
    Probe {
        point: u32,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    // Constants.
    Int {
        d: Reg,
        value: i32,
    },
    Wide {
        d: Reg,
        index: u32,
    },
    Object {
        d: Reg,
        object: u32,
    },
    /// The string of a literal, which is put into the table of strings when it is first loaded;
    /// `cell` is where the arena keeps it.
    Literal {
        d: Reg,
        cell: u32,
    },
    LdcPending {
        d: Reg,
        index: u16,
    },
    // int arithmetic.
    IAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ISub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IRem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    INeg {
        d: Reg,
        a: Reg,
    },
    IShl {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IShr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IUshr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IAnd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IOr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IXor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IAddConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    IMulConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    IAndConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    IShlConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    IShrConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    IUshrConst {
        d: Reg,
        a: Reg,
        value: i16,
    },
    // long arithmetic.
    LAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LRem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LNeg {
        d: Reg,
        a: Reg,
    },
    LShl {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LShr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LUshr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LAnd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LOr {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LXor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LCmp {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    // float and double arithmetic.
    FAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FRem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FNeg {
        d: Reg,
        a: Reg,
    },
    FCmpL {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FCmpG {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DRem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DNeg {
        d: Reg,
        a: Reg,
    },
    DCmpL {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DCmpG {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    // Conversions.
    I2L {
        d: Reg,
        a: Reg,
    },
    I2F {
        d: Reg,
        a: Reg,
    },
    I2D {
        d: Reg,
        a: Reg,
    },
    I2B {
        d: Reg,
        a: Reg,
    },
    I2C {
        d: Reg,
        a: Reg,
    },
    I2S {
        d: Reg,
        a: Reg,
    },
    I2Z {
        d: Reg,
        a: Reg,
    },
    L2I {
        d: Reg,
        a: Reg,
    },
    L2F {
        d: Reg,
        a: Reg,
    },
    L2D {
        d: Reg,
        a: Reg,
    },
    F2I {
        d: Reg,
        a: Reg,
    },
    F2L {
        d: Reg,
        a: Reg,
    },
    F2D {
        d: Reg,
        a: Reg,
    },
    D2I {
        d: Reg,
        a: Reg,
    },
    D2L {
        d: Reg,
        a: Reg,
    },
    D2F {
        d: Reg,
        a: Reg,
    },
    // Branches.
    Goto {
        to: i32,
    },
    IfEq {
        a: Reg,
        to: i32,
    },
    IfNe {
        a: Reg,
        to: i32,
    },
    IfLt {
        a: Reg,
        to: i32,
    },
    IfGe {
        a: Reg,
        to: i32,
    },
    IfGt {
        a: Reg,
        to: i32,
    },
    IfLe {
        a: Reg,
        to: i32,
    },
    IfNull {
        a: Reg,
        to: i32,
    },
    IfNonNull {
        a: Reg,
        to: i32,
    },
    IfICmpEq {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfICmpNe {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfICmpLt {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfICmpGe {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfICmpGt {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfICmpLe {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfACmpEq {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfACmpNe {
        a: Reg,
        b: Reg,
        to: i16,
    },
    IfConstEq {
        a: Reg,
        value: i16,
        to: i16,
    },
    IfConstNe {
        a: Reg,
        value: i16,
        to: i16,
    },
    IfConstLt {
        a: Reg,
        value: i16,
        to: i16,
    },
    IfConstGe {
        a: Reg,
        value: i16,
        to: i16,
    },
    IfConstGt {
        a: Reg,
        value: i16,
        to: i16,
    },
    IfConstLe {
        a: Reg,
        value: i16,
        to: i16,
    },
    Switch {
        a: Reg,
        table: u32,
    },
    Jsr {
        d: Reg,
        to: i32,
    },
    JsrReturn {
        a: Reg,
    },
    // Arrays.
    ByteLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    CharLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShortLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IntLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LongLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RefLoad {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ByteStore {
        a: Reg,
        b: Reg,
        c: Reg,
    },
    ShortStore {
        a: Reg,
        b: Reg,
        c: Reg,
    },
    IntStore {
        a: Reg,
        b: Reg,
        c: Reg,
    },
    LongStore {
        a: Reg,
        b: Reg,
        c: Reg,
    },
    RefStore {
        a: Reg,
        b: Reg,
        c: Reg,
    },
    ArrayLength {
        d: Reg,
        a: Reg,
    },
    /// The length is in `d`, which receives the array.
    NewArray {
        d: Reg,
        class: u32,
    },
    ANewArrayPending {
        d: Reg,
        index: u16,
    },
    /// The lengths start in `d`, which receives the array.
    MultiANewArray {
        d: Reg,
        index: u16,
        dimensions: u8,
    },
    // Objects.
    NewPending {
        d: Reg,
        index: u16,
    },
    NewChecked {
        d: Reg,
        class: u32,
    },
    New {
        d: Reg,
        class: u32,
    },
    GetFieldPending {
        d: Reg,
        a: Reg,
        index: u16,
    },
    GetField {
        d: Reg,
        a: Reg,
        word: u16,
    },
    PutFieldPending {
        a: Reg,
        b: Reg,
        index: u16,
    },
    PutField {
        a: Reg,
        b: Reg,
        word: u16,
    },
    PutFieldBoolean {
        a: Reg,
        b: Reg,
        word: u16,
    },
    PutFieldByte {
        a: Reg,
        b: Reg,
        word: u16,
    },
    PutFieldChar {
        a: Reg,
        b: Reg,
        word: u16,
    },
    PutFieldShort {
        a: Reg,
        b: Reg,
        word: u16,
    },
    StaticPending {
        a: Reg,
        index: u16,
        put: bool,
    },
    GetStaticChecked {
        d: Reg,
        site: u32,
    },
    PutStaticChecked {
        a: Reg,
        site: u32,
    },
    GetStatic {
        d: Reg,
        at: u32,
    },
    PutStatic {
        a: Reg,
        at: u32,
    },
    CheckCastPending {
        a: Reg,
        index: u16,
    },
    CheckCast {
        a: Reg,
        class: u32,
    },
    /// The object is in `d`, which receives the answer.
    InstanceOfPending {
        d: Reg,
        index: u16,
    },
    InstanceOf {
        d: Reg,
        class: u32,
    },
    MonitorEnter {
        a: Reg,
    },
    MonitorExit {
        a: Reg,
    },
    // Calls: the arguments start in `a`, which receives the result.
    InvokePending {
        a: Reg,
        index: u16,
        call: Call,
    },
    InvokeStaticChecked {
        a: Reg,
        method: u32,
    },
    InvokeStatic {
        a: Reg,
        method: u32,
    },
    InvokeSpecial {
        a: Reg,
        method: u32,
    },
    InvokeVirtual {
        a: Reg,
        method: u32,
    },
    InvokeInterface {
        a: Reg,
        method: u32,
    },
    ReturnVoid,
    Return {
        a: Reg,
    },
    Throw {
        a: Reg,
    },
    /// Of code made by the engine: throws `IncompatibleClassChangeError`, as falling off the end
    /// of a switch over an enum or a sealed type would.
    Unreachable,
}

/// The distance that a branch holds.
enum Distance<'a> {
    Far(&'a mut i32),
    Near(&'a mut i16),
}

impl Instr {
    fn branch(&mut self) -> Option<Distance<'_>> {
        match self {
            Instr::Goto { to }
            | Instr::IfEq { to, .. }
            | Instr::IfNe { to, .. }
            | Instr::IfLt { to, .. }
            | Instr::IfGe { to, .. }
            | Instr::IfGt { to, .. }
            | Instr::IfLe { to, .. }
            | Instr::IfNull { to, .. }
            | Instr::IfNonNull { to, .. }
            | Instr::Jsr { to, .. } => Some(Distance::Far(to)),
            Instr::IfICmpEq { to, .. }
            | Instr::IfICmpNe { to, .. }
            | Instr::IfICmpLt { to, .. }
            | Instr::IfICmpGe { to, .. }
            | Instr::IfICmpGt { to, .. }
            | Instr::IfICmpLe { to, .. }
            | Instr::IfACmpEq { to, .. }
            | Instr::IfACmpNe { to, .. }
            | Instr::IfConstEq { to, .. }
            | Instr::IfConstNe { to, .. }
            | Instr::IfConstLt { to, .. }
            | Instr::IfConstGe { to, .. }
            | Instr::IfConstGt { to, .. }
            | Instr::IfConstLe { to, .. } => Some(Distance::Near(to)),
            _ => None,
        }
    }

    /// How many instructions a branch goes on; `None` of what is no branch. A switch holds its
    /// distances in its table.
    #[must_use]
    pub fn distance(&self) -> Option<i32> {
        let mut instr = *self;
        Some(match instr.branch()? {
            Distance::Far(to) => *to,
            Distance::Near(to) => i32::from(*to),
        })
    }

    /// Makes a branch go on so many instructions; a near one at most 32,767.
    pub fn set_distance(&mut self, distance: i32) {
        match self.branch() {
            Some(Distance::Far(to)) => *to = distance,
            Some(Distance::Near(to)) => {
                *to = i16::try_from(distance).expect("far branches are long ones");
            }
            None => unreachable!("not a branch"),
        }
    }
}

/// The bytecode instructions that call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `invokevirtual`
    Virtual,
    /// `invokespecial`
    Special,
    /// `invokestatic`
    Static,
    /// `invokeinterface`
    Interface,
    /// `invokedynamic`
    Dynamic,
}

const _: () = assert!(size_of::<Instr>() == 8);

/// Where a switch goes; distances are counted from the switch itself.
#[derive(Clone, Debug)]
pub enum SwitchTable {
    /// `tableswitch`: targets of `low`, `low + 1`, ….
    Dense {
        /// The key of the first target.
        low: i32,
        /// The targets.
        targets: Vec<i32>,
        /// The target of all other keys.
        default: i32,
    },
    /// `lookupswitch`: keys ascending.
    Sparse {
        /// The keys.
        keys: Vec<i32>,
        /// Their targets.
        targets: Vec<i32>,
        /// The target of all other keys.
        default: i32,
    },
}

impl SwitchTable {
    /// The distance to go for a key.
    #[must_use]
    pub fn target(&self, key: i32) -> i32 {
        match self {
            SwitchTable::Dense {
                low,
                targets,
                default,
            } => {
                let index = i64::from(key) - i64::from(*low);
                usize::try_from(index)
                    .ok()
                    .and_then(|index| targets.get(index))
                    .copied()
                    .unwrap_or(*default)
            }
            SwitchTable::Sparse {
                keys,
                targets,
                default,
            } => keys
                .binary_search(&key)
                .map_or(*default, |index| targets[index]),
        }
    }
}
