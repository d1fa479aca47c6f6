//! `heapwright mcp`: a server of the Model Context Protocol on standard input and output.
//!
//! A tool is a verb: its input becomes a command line of this program, which runs as a child
//! process with `--json`. So limits hold, and whatever ends a run leaves the server alive.

mod inputs;
mod outputs;
mod runs;
mod server;

use std::io::{IsTerminal, stdin};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use rmcp::ServiceExt;
use rmcp::transport::stdio_pipes;
use tokio::sync::Notify;

use server::Server;

/// Serves a client until it closes standard input, or until a signal. Runs that are under way then
/// end, too.
///
/// # Errors
/// Standard input has no client of the protocol.
pub fn run() -> anyhow::Result<ExitCode> {
    if stdin().is_terminal() {
        notice!("waiting for a client of the Model Context Protocol on standard input");
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("failed to start the server")?;
    let served = runtime.block_on(serve());
    // A read of standard input may be pending; it must not delay the end.
    runtime.shutdown_background();
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve() -> anyhow::Result<()> {
    let signalled = Arc::new(Notify::new());
    let signal = Arc::clone(&signalled);
    ctrlc::set_handler(move || signal.notify_one()).context("failed to listen to Ctrl-C")?;
    let serving = async {
        let service = Server::new()?.serve(stdio_pipes()).await;
        let service = service.context("no client of the Model Context Protocol")?;
        service.waiting().await.context("failed to serve")?;
        Ok(())
    };
    tokio::select! {
        served = serving => served,
        () = signalled.notified() => Ok(()),
    }
}
