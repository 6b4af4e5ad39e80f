use crate::{args::SqlArgs, output, text};
use datafusion::{
    error::{DataFusionError, Result},
    execution::context::SessionContext,
    sql::parser::{DFParser, Statement},
};
use sortid_ballista::{Extensions, cancellations};
use std::{
    collections::VecDeque,
    io::{self, IsTerminal},
    time::Duration,
};

/// Runs all statements, and prints their results.
pub(crate) async fn run(args: SqlArgs, extensions: &Extensions) -> std::result::Result<(), String> {
    let statements = read(&args)?;
    let statements = DFParser::parse_sql(&statements).map_err(text)?;
    if statements.is_empty() {
        return Err(
            "expected a statement, found none: write SQL as an argument, to --file or to standard input"
                .into(),
        );
    }
    let context = match &args.cluster {
        Some(url) => extensions.connect(url).await.map_err(text)?,
        None => extensions.local().map_err(text)?,
    };
    // `FROM 'file.parquet'`. A scheduler reads the dot as the end of the name of a schema.
    let context = if args.cluster.is_none() { context.enable_url_table() } else { context };
    tokio::select! {
        result = execute(&context, statements, &args) => result.map_err(|error| message(&error)),
        _ = tokio::signal::ctrl_c() => {
            // The dropped result cancels the query on the cluster, if the scheduler answers.
            let _ = tokio::time::timeout(Duration::from_secs(10), cancellations()).await;
            Err("interrupted".into())
        }
    }
}

/// The text of the statements.
fn read(args: &SqlArgs) -> std::result::Result<String, String> {
    match &args.file {
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        }
        None if !args.queries.is_empty() => Ok(args.queries.join(";\n")),
        None => {
            let input = io::stdin();
            if input.is_terminal() {
                eprintln!("Write SQL statements. End them with Ctrl-D.");
            }
            io::read_to_string(input).map_err(|error| format!("cannot read standard input: {error}"))
        }
    }
}

/// The text of an error, without the words of DataFusion before a message of a function or of the planner.
fn message(error: &DataFusionError) -> String {
    match error {
        DataFusionError::Execution(text) | DataFusionError::Plan(text) => text.clone(),
        DataFusionError::Shared(error) => message(error),
        DataFusionError::Diagnostic(_, error) => message(error),
        _ => error.strip_backtrace(),
    }
}

async fn execute(context: &SessionContext, statements: VecDeque<Statement>, args: &SqlArgs) -> Result<()> {
    for statement in statements {
        let plan = context.state().statement_to_plan(statement).await?;
        let frame = context.execute_logical_plan(plan).await?;
        // Statements such as CREATE have no result.
        if frame.schema().fields().is_empty() {
            frame.collect().await?;
        } else {
            output::print(frame, args.format).await?;
        }
    }
    Ok(())
}
