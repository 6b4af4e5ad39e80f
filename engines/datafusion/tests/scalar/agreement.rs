use crate::{
    arrays::*,
    specs::{Tested, every_specification, ids},
};
use datafusion::{
    arrow::array::{Array, ArrayRef, AsArray, BooleanArray, new_empty_array, new_null_array},
    common::ScalarValue,
    prelude::SessionContext,
};
use std::sync::Arc;

/// The functions of an ID, and their results.
fn readers<I: Tested>(rows: &[Option<I>]) -> Vec<(String, ArrayRef)> {
    let mut readers = vec![
        (format!("{}_time", I::PREFIX), expected_times(rows)),
        (format!("{}_text", I::PREFIX), expected_texts(rows)),
    ];
    for field in I::READS {
        readers.push((format!("{}_{}", I::PREFIX, field.name), expected_fields(field.name, rows)));
    }
    readers
}

/// The functions of a text, and their results.
fn parsers<I: Tested>(rows: &[Option<I>]) -> Vec<(String, ArrayRef)> {
    let parsed = id_arrays(rows).swap_remove(0);
    let valid = BooleanArray::from_iter(rows.iter().map(|row| row.as_ref().map(|_| true)));
    vec![
        (format!("{}_parse", I::PREFIX), parsed.clone()),
        (format!("{}_try_parse", I::PREFIX), parsed),
        (format!("{}_is_valid", I::PREFIX), Arc::new(valid)),
        (format!("{}_text_time", I::PREFIX), expected_times(rows)),
    ]
}

fn check(name: &str, argument: &ArrayRef, expected: &ArrayRef) {
    let found = call(&function(name), argument).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(&found, expected, "{name} of {}", argument.data_type());
}

/// Calls all functions of these rows, with arguments of every type.
fn every_function<I: Tested>(rows: &[Option<I>]) {
    let (ids, texts) = (id_arrays(rows), text_arrays(rows));
    for (name, expected) in readers(rows) {
        for argument in ids.iter().chain(&texts) {
            check(&name, argument, &expected);
        }
    }
    for (name, expected) in parsers(rows) {
        for argument in &texts {
            check(&name, argument, &expected);
        }
    }
}

#[test]
fn every_function_of_every_type_has_the_results_of_the_library() {
    fn check<I: Tested>() {
        every_function::<I>(&ids().into_iter().map(Some).collect::<Vec<_>>());
    }
    every_specification!(Id => check::<Id>());
}

#[test]
fn nulls_stay_null_in_every_type() {
    fn check<I: Tested>() {
        let ids: Vec<I> = ids().into_iter().rev().take(2000).collect();
        every_function(&ids.iter().enumerate().map(|(i, id)| (i % 3 > 0).then_some(*id)).collect::<Vec<_>>());
        let none = vec![None; 3];
        for (name, _) in readers::<I>(&[Some(ids[0])]) {
            for argument in id_arrays::<I>(&none) {
                assert_eq!(call(&function(&name), &argument).unwrap().null_count(), 3, "{name}");
            }
        }
    }
    every_specification!(Id => check::<Id>());
}

#[test]
fn slices_have_the_results_of_their_rows() {
    fn check<I: Tested>() {
        let ids: Vec<I> = ids().into_iter().rev().take(300).collect();
        let rows: Vec<_> = ids.iter().enumerate().map(|(i, id)| (i % 5 > 0).then_some(*id)).collect();
        let part = &rows[33..250];
        for (name, expected) in readers(part) {
            for argument in id_arrays(&rows).iter().chain(&text_arrays(&rows)) {
                super::agreement::check(&name, &argument.slice(33, 217), &expected);
            }
        }
        for (name, expected) in parsers(part) {
            for argument in text_arrays(&rows) {
                super::agreement::check(&name, &argument.slice(33, 217), &expected);
            }
        }
    }
    every_specification!(Id => check::<Id>());
}

#[test]
fn dictionaries_have_the_results_of_their_rows() {
    fn check<I: Tested>() {
        let ids: Vec<I> = ids().into_iter().rev().take(500).collect();
        let values: Vec<_> = ids.iter().enumerate().map(|(i, id)| (i % 5 > 0).then_some(*id)).collect();
        let rows = dictionary_rows(&values);
        for (name, expected) in readers(&rows) {
            for argument in id_arrays(&values).iter().chain(&text_arrays(&values)) {
                let dictionary = dictionary(argument);
                super::agreement::check(&name, &dictionary, &expected);
                // A dictionary with fewer rows than values.
                super::agreement::check(&name, &dictionary.slice(490, 20), &expected.slice(490, 20));
            }
        }
        for (name, expected) in parsers(&rows) {
            for argument in text_arrays(&values) {
                super::agreement::check(&name, &dictionary(&argument), &expected);
            }
        }
    }
    every_specification!(Id => check::<Id>());
}

#[tokio::test]
async fn empty_arrays_and_nulls_have_empty_and_null_results() {
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    for function in sortid_datafusion::scalar_functions() {
        // NULL has no type of its own.
        let arguments = if function.name().contains("_typed_") { "NULL, NULL" } else { "NULL" };
        let found = ctx.sql(&format!("SELECT {}({arguments})", function.name())).await.unwrap();
        assert_eq!(found.collect().await.unwrap()[0].column(0).null_count(), 1, "{}", function.name());
    }

    for function in sortid_datafusion::scalar_functions() {
        for types in function.signature().type_signature.get_example_types() {
            let argument = types.last().unwrap();
            let found = call(&function, &new_empty_array(argument)).unwrap();
            assert_eq!(found.len(), 0, "{}", function.name());
            let found = call(&function, &new_null_array(argument, 2)).unwrap();
            assert_eq!(found.null_count(), 2, "{}", function.name());
        }
    }
}

#[test]
fn a_scalar_has_a_scalar_result() {
    fn check<I: Tested>() {
        let rows = [Some(ids::<I>()[0])];
        for (name, expected) in readers(&rows) {
            for argument in id_arrays(&rows).iter().chain(&text_arrays(&rows)) {
                let argument = ScalarValue::try_from_array(argument, 0).unwrap();
                let expected = ScalarValue::try_from_array(&expected, 0).unwrap();
                assert_eq!(call_scalar(&function(&name), argument).unwrap(), expected, "{name}");
            }
        }
        let null = ScalarValue::Utf8(None);
        let parsed = call_scalar(&function(&format!("{}_parse", I::PREFIX)), null).unwrap();
        assert_eq!(parsed, ScalarValue::try_from(&value_type::<I>()).unwrap());
    }
    every_specification!(Id => check::<Id>());
}

#[test]
fn texts_that_are_not_ids_are_null_or_false() {
    fn check<I: Tested>() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut texts: Vec<String> =
            ["", "nonsense!", "é", "1CQKn-my-X", "8000000000000"].map(String::from).to_vec();
        for id in ids::<I>().into_iter().take(5000) {
            // One character of a text is another.
            let mut text = id.to_string().into_bytes();
            let place = random.usize(..text.len());
            text[place] = random.u8(b' '..=b'~');
            texts.push(String::from_utf8(text).unwrap());
        }
        let array: ArrayRef = Arc::new(datafusion::arrow::array::StringArray::from(texts.clone()));
        let parsed: Vec<Option<I>> = texts.iter().map(|text| I::parse(text).ok()).collect();
        let found = call(&function(&format!("{}_try_parse", I::PREFIX)), &array).unwrap();
        assert_eq!(&found, &id_arrays(&parsed).swap_remove(0));
        let found = call(&function(&format!("{}_is_valid", I::PREFIX)), &array).unwrap();
        let expected: Vec<_> = parsed.iter().map(|id| Some(id.is_some())).collect();
        assert_eq!(found.as_boolean(), &BooleanArray::from(expected));
    }
    every_specification!(Id => check::<Id>());
}
