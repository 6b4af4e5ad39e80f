use datafusion::{
    arrow::array::RecordBatch,
    prelude::{SessionConfig, SessionContext},
};

#[tokio::test]
async fn show_functions_lists_every_function_with_its_documentation() {
    let ctx = SessionContext::new_with_config(SessionConfig::new().with_information_schema(true));
    sortid_datafusion::register_all(&ctx);
    for function in sortid_datafusion::scalar_functions() {
        let name = function.name();
        let shown = ctx.sql(&format!("SHOW FUNCTIONS LIKE '{name}'")).await.unwrap();
        let shown = shown.collect().await.unwrap();
        let types = function.signature().type_signature.get_example_types().len();
        assert_eq!(shown.iter().map(RecordBatch::num_rows).sum::<usize>(), types, "{name}");
        let shown = datafusion::arrow::util::pretty::pretty_format_batches(&shown).unwrap().to_string();
        let documentation = function.documentation().unwrap();
        assert!(shown.contains(&documentation.description), "{name}: {shown}");
        assert!(shown.contains(&documentation.syntax_example), "{name}: {shown}");
    }
}

#[tokio::test]
async fn every_example_has_a_result() {
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    let functions = sortid_datafusion::scalar_functions();
    assert_eq!(functions.len(), 5 * 11 + 4 + 7 + 4 + 5 + 4);
    for function in functions {
        let example = function.documentation().unwrap().sql_example.clone().unwrap();
        let query = example.trim_start_matches("```sql").trim_end_matches("```");
        let result = ctx.sql(query).await.unwrap().collect().await.unwrap();
        // An EUID without an extension has none.
        assert_eq!(result[0].column(0).null_count() == 0, function.name() != "euid_extension", "{query}");
    }
}
