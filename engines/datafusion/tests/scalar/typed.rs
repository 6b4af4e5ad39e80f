//! Texts with a prefix.

use crate::{
    arrays::*,
    specs::{Tested, every_specification, ids},
};
use datafusion::{
    arrow::array::{Array, ArrayRef, StringArray},
    common::ScalarValue,
    prelude::SessionContext,
};
use std::sync::Arc;

/// The texts of these rows with a prefix.
fn typed_texts<I: Tested>(rows: &[Option<I>], prefix: &str) -> ArrayRef {
    let text = |id: &I| format!("{prefix}_{id}");
    Arc::new(rows.iter().map(|id| id.as_ref().map(text)).collect::<StringArray>())
}

#[test]
fn texts_have_the_prefix_in_every_type() {
    fn check<I: Tested>() {
        let ids: Vec<I> = ids().into_iter().rev().take(2000).collect();
        let rows: Vec<_> = ids.iter().enumerate().map(|(i, id)| (i % 3 > 0).then_some(*id)).collect();
        let (values, texts) = (id_arrays(&rows), typed_texts(&rows, PREFIX));
        let function = |name| function(&format!("{}_{name}", I::PREFIX));
        for argument in values.iter().chain([&texts]) {
            assert_eq!(&call(&function("typed_text"), argument).unwrap(), &texts, "{}", I::PREFIX);
        }
        let used = dictionary_rows(&rows);
        for name in ["typed_parse", "typed_try_parse"] {
            assert_eq!(&call(&function(name), &texts).unwrap(), &values[0], "{}", I::PREFIX);
            assert_eq!(&call(&function(name), &texts.slice(40, 99)).unwrap(), &values[0].slice(40, 99));
            let found = call(&function(name), &dictionary(&texts)).unwrap();
            assert_eq!(&found, &id_arrays(&used).swap_remove(0));
            let found = call_scalar(&function(name), ScalarValue::try_from_array(&texts, 1).unwrap());
            assert_eq!(found.unwrap(), ScalarValue::try_from_array(&values[0], 1).unwrap());
        }
        for other in [text_arrays(&rows).swap_remove(0), typed_texts(&rows, "user")] {
            let found = call(&function("typed_try_parse"), &other).unwrap();
            assert_eq!(found.null_count(), rows.len(), "{}", I::PREFIX);
            call(&function("typed_parse"), &other).unwrap_err();
            call(&function("typed_text"), &other).unwrap_err();
        }
    }
    every_specification!(Id => check::<Id>());
}

#[tokio::test]
async fn an_error_says_what_was_expected_instead_of_the_prefix_or_the_text() {
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    ctx.sql("CREATE TABLE t AS VALUES ('order', 'order_1HZP2F3TARAH1VEXW8BDJPEKP44')")
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    let prefix = "expected a prefix of 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends";
    for (query, expected) in [
        (
            "euid_typed_parse('order', 'order_1HZP2F3TARAH1VEXW8BDJPEKP45')",
            "euid_typed_parse: \"order_1HZP2F3TARAH1VEXW8BDJPEKP45\" is not the text of an EUID with the prefix \"order\": the check is 5, expected 4. euid_typed_try_parse gives NULL instead",
        ),
        (
            "euid_typed_parse('order', 'user_1HZP2F3TARAH1VEXW8BDJPEKP44')",
            "the text starts with \"user_1HZP2F3TARAH1VEXW8B…\", expected the prefix \"order_\". euid_typed_try_parse gives NULL instead",
        ),
        (
            "euid_typed_parse('order', 'order_0c7f613c-7a56-1510-eddd-e216d959d3b1')",
            "expected 27 characters after \"order_\", found 36",
        ),
        ("ulid_flake_typed_text('order', -1)", "ulid_flake_typed_text: expected a Ulid-Flake, found -1"),
        ("euid_typed_parse('Order', 'x')", &format!("euid_typed_parse: {prefix}, found \"Order\"")),
        ("euid_typed_text('', X'00')", &format!("euid_typed_text: {prefix}, found \"\"")),
        ("euid_typed_parse(5, 'x')", "euid_typed_parse: expected a prefix, which is a text, found Int64"),
        ("euid_typed_parse('x')", "euid_typed_parse: expected 2 arguments, a prefix and another, found 1"),
        ("euid_typed_parse('order', X'00')", "euid_typed_parse: expected a text, found Binary"),
        (
            "euid_typed_parse(column1, column2)",
            "euid_typed_parse: expected a constant prefix, found a column",
        ),
    ] {
        let error = match ctx.sql(&format!("SELECT {query} FROM t")).await {
            Ok(frame) => frame.collect().await.unwrap_err(),
            Err(error) => error,
        };
        let error = error.to_string();
        assert!(error.contains(expected), "{query}: {error}");
    }
    for null in ["euid_typed_parse(NULL, column2)", "euid_typed_text('order', NULL)"] {
        let found = ctx.sql(&format!("SELECT {null} FROM t")).await.unwrap().collect().await.unwrap();
        assert_eq!(found[0].column(0).null_count(), 1, "{null}");
    }
    let found = ctx.sql("SELECT euid_typed_text('user', euid_typed_parse('order', column2)) FROM t");
    let found = found.await.unwrap().collect().await.unwrap();
    assert_eq!(
        ScalarValue::try_from_array(found[0].column(0), 0).unwrap().to_string(),
        "user_1HZP2F3TARAH1VEXW8BDJPEKP44"
    );
}
