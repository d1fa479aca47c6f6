//! Requests of a client: the list of tools, and calls of them.

use std::convert::Infallible;
use std::future::pending;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};

use super::inputs::{
    CheckInput, ExplainInput, GenerateInput, MeasureInput, OutputFolder, ToolInput, VerifyInput,
};
use super::outputs::{Outcome, ToolOutput, output_schema};
use super::runs::Run;
use crate::report::explain::suggest;
use crate::verbs::schema::SummaryOf;

/// Interval between two notifications of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

const INSTRUCTIONS: &str = "Tests for compiled Java classes, by exploring every behaviour within bounds. Compile \
    the project first. check finds counterexamples; generate writes JUnit tests; measure says what existing tests \
    miss; verify says whether any inputs of a program violate a property; explain says what a class is like and why goals are not covered. Nothing that the code under test does \
    reaches the disk or the network, but for the trial of generated tests on a JVM.";

const GENERATE: &str = "Generates a small JUnit suite for compiled Java classes that covers their branches and \
    notices small changes of their code (mutants). Tests are compiled and run on the JDK before they are returned, \
    and state what the code does now. summary.failing_behaviours lists behaviour that looks wrong, each with the \
    calls that lead to it; these are in no regression test. summary.goals_not_covered names each branch without a \
    test, and the reason; summary.mutants_alive the changes that no test notices.";

const CHECK: &str = "Calls every method of a compiled Java class on every object structure within bounds, with every \
    argument within bounds, and reports each broken invariant, unexpected exception, endless call, broken contract \
    (equals, hashCode, compareTo) and failed oracle as a smallest counterexample: summary.counterexamples has the \
    method, the arguments, the object before and after, and the reason. Without counterexamples and with status \
    complete the class is right within the bounds. With an output folder each counterexample becomes a JUnit test \
    that fails for the same reason.";

const MEASURE: &str = "Runs existing compiled JUnit or TestNG tests and measures, without a JVM and in seconds, what \
    they cover (instructions, branches, lines, as JaCoCo counts) and which small changes of the code (mutants, as \
    PIT makes them) no test notices: summary.mutants_alive has class, method, line and change of each, which are \
    missing tests or assertions. summary.failing lists tests that fail, with the exception.";

const VERIFY: &str = "Says whether any inputs of a compiled Java program violate a property. The program asks for its \
    inputs by the methods of a library for verification (org.sosy_lab.sv_benchmarks.Verifier, org.cprover.CProver, \
    gov.nasa.jpf.vm.Verify, gov.nasa.jpf.symbc.Debug and others, which need not be on the class path); or a method \
    is verified, whose arguments are open. summary.verdict is true (no inputs do, all paths were searched), false \
    (summary.violation has the inputs in order, and the exception with its trace), or unknown; \
    summary.rounds says what was cut off or refused.";

const EXPLAIN: &str = "Explains a compiled Java class before tests are written for it, or after: members lists its \
    constructors and methods with the fields that each writes and reads; summary.goals_not_covered answers why a \
    branch (or other goal) is not covered: infeasible, with the reason; reached only where an assertion fails; not \
    reached up to a number of calls; or reached, but in no test that can state the outcome. summary.cut counts by \
    bound what the search left out. Writes no files.";

/// Server of the tools.
pub struct Server {
    tools: Vec<Tool>,
    /// One run at a time: each uses all cores.
    turn: Semaphore,
}

impl Server {
    /// Creates the server.
    ///
    /// # Errors
    /// A schema is no object, which is a fault.
    pub fn new() -> anyhow::Result<Server> {
        let writes = || ToolAnnotations::new().destructive(false).open_world(false);
        let reads = || ToolAnnotations::new().read_only(true).open_world(false);
        let tools = vec![
            tool::<GenerateInput>("generate", GENERATE, SummaryOf::Generate, writes())?,
            tool::<CheckInput>("check", CHECK, SummaryOf::Check, writes())?,
            tool::<MeasureInput>("measure", MEASURE, SummaryOf::Measure, reads())?,
            tool::<VerifyInput>("verify", VERIFY, SummaryOf::Verify, reads())?,
            tool::<ExplainInput>("explain", EXPLAIN, SummaryOf::Generate, reads())?,
        ];
        Ok(Server {
            tools,
            turn: Semaphore::new(1),
        })
    }

    /// Calls a tool by its name.
    async fn call(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        latest: &Mutex<String>,
    ) -> anyhow::Result<ToolOutput> {
        let _turn = self.turn.acquire().await?;
        match &*tool.name {
            "generate" => run(&input::<GenerateInput>(tool, arguments)?, latest).await,
            "check" => run(&input::<CheckInput>(tool, arguments)?, latest).await,
            "measure" => run(&input::<MeasureInput>(tool, arguments)?, latest).await,
            "verify" => run(&input::<VerifyInput>(tool, arguments)?, latest).await,
            _ => explain(&input(tool, arguments)?, latest).await,
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let own = Implementation::new("heapwright", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.get_tool(&request.name) else {
            let message = format!("there is no tool {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let latest = Mutex::default();
        let arguments = request.arguments.unwrap_or_default();
        let output = tokio::select! {
            output = self.call(&tool, arguments, &latest) => output,
            never = report_progress(&context, &latest) => match never {},
            () = context.ct.cancelled() => Err(anyhow!("the request was cancelled")),
        };
        let result = match output {
            Ok(output) => result(&output, context.protocol_version()),
            Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(format!(
                "{error:#}"
            ))])),
        };
        let result = result.map_err(|error| ErrorData::internal_error(error.to_string(), None));
        result.map(CallToolResponse::from)
    }
}

/// Describes a tool.
fn tool<T: ToolInput>(
    name: &'static str,
    description: &'static str,
    summary: SummaryOf,
    annotations: ToolAnnotations,
) -> anyhow::Result<Tool> {
    let input = schema_for_input::<T>().map_err(|error| anyhow!("{name}: {error}"))?;
    let mut input = (*input).clone();
    input.insert("additionalProperties".to_owned(), false.into());
    Ok(Tool::new(name, description, input)
        .with_raw_output_schema(output_schema(summary)?)
        .with_annotations(annotations))
}

/// Parses the input of a tool.
///
/// # Errors
/// A key is unknown or missing, or a value has another type.
fn input<T: ToolInput>(tool: &Tool, arguments: JsonObject) -> anyhow::Result<T> {
    let known = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let known: Vec<String> = known
        .map(|keys| keys.keys().cloned().collect())
        .unwrap_or_default();
    if let Some(key) = arguments.keys().find(|key| !known.contains(key)) {
        bail!(
            "{} has no argument {key}{}",
            tool.name,
            suggest(key, &known)
        );
    }
    let parsed = serde_json::from_value(Value::Object(arguments));
    parsed.with_context(|| format!("wrong arguments of {}", tool.name))
}

/// Runs the verb of a tool.
async fn run(input: &impl ToolInput, latest: &Mutex<String>) -> anyhow::Result<ToolOutput> {
    let temporary = match input.output() {
        OutputFolder::Temporary => Some(tempfile::tempdir().context("failed to make a folder")?),
        OutputFolder::None | OutputFolder::Named(_) => None,
    };
    // Tests that fail are beside the others.
    let tests = temporary.as_ref().map(|folder| folder.path().join("tests"));
    let line = match (&tests, input.output()) {
        (Some(folder), _) => input.command(Some(folder)),
        (None, OutputFolder::Named(folder)) => input.command(Some(&folder)),
        (None, _) => input.command(None),
    };
    let run = Run::execute(&line, &["--json"], input.project(), latest).await?;
    let mut output = ToolOutput::of(run)?;
    if input.includes_sources() {
        output.add_sources(input.project().directory(), tests.as_deref())?;
    }
    if let Some(folder) = &temporary {
        output.forget_folder(folder.path());
    }
    Ok(output)
}

/// Runs the search for tests without writing any, and adds the members of the class.
async fn explain(input: &ExplainInput, latest: &Mutex<String>) -> anyhow::Result<ToolOutput> {
    let members = Run::execute(&input.members(), &[], input.project(), latest).await?;
    if members.code != 0 {
        bail!("{}", members.messages.join("\n"));
    }
    let mut output = run(input, latest).await?;
    output.members = Some(members.output);
    Ok(output)
}

/// Notifies the client of the time that a request takes and of the newest message, if it has asked
/// for that.
async fn report_progress(
    context: &RequestContext<RoleServer>,
    latest: &Mutex<String>,
) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else {
        return pending().await;
    };
    let start = Instant::now();
    let mut ticks = interval(PROGRESS_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let message = latest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let seconds = start.elapsed().as_secs_f64();
        let mut progress = ProgressNotificationParam::new(token.clone(), seconds);
        progress.message = (!message.is_empty()).then_some(message);
        // A client that has gone needs no progress.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// Result for the client: structured content and a short text. Clients of versions that know no
/// structured content get it as text, too.
fn result(output: &ToolOutput, version: Option<ProtocolVersion>) -> anyhow::Result<CallToolResult> {
    let structured = serde_json::to_value(output)?;
    let mut content = vec![ContentBlock::text(output.text())];
    if version.is_some_and(|version| version < ProtocolVersion::V_2025_06_18) {
        content.push(ContentBlock::text(structured.to_string()));
    }
    let mut result = match output.outcome {
        Outcome::Fault => CallToolResult::error(content),
        _ => CallToolResult::success(content),
    };
    result.structured_content = Some(structured);
    Ok(result)
}
