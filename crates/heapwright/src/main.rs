//! The command line of Heapwright.
fn main() {}
