//! Integration tests of the testkit.

mod game;
