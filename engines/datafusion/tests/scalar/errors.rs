use crate::arrays::{call, function};
use datafusion::{
    arrow::{array::*, datatypes::Int8Type},
    prelude::SessionContext,
};
use insta::assert_snapshot;
use std::{fmt::Write, sync::Arc};

fn error(name: &str, argument: impl Array + 'static) -> String {
    call(&function(name), &(Arc::new(argument) as ArrayRef)).unwrap_err().strip_backtrace()
}

fn text(text: &str) -> StringArray {
    StringArray::from(vec![text])
}

#[test]
fn an_error_names_the_function_the_value_and_what_was_expected() {
    let long = "0".repeat(1000);
    let errors = [
        error("scru160_parse", text("nonsense")),
        error("scru160_time", text(&long)),
        error("euid_parse", text("C8X2HA87098A0W837DX13FEAWVV")),
        error("ulid_flake_text", text("8000000000000")),
        error("ron_uid_parse", text("1CQKn-my-X")),
        error("event_id_parse", text("é")),
        error("scru160_time", BinaryArray::from(vec![b"abc".as_slice()])),
        error("euid_text", BinaryViewArray::from(vec![[7; 100].as_slice()])),
        error("ulid_flake_time", Int64Array::from(vec![-1])),
        error("ulid_flake_text", BinaryArray::from(vec![[0xff; 8].as_slice()])),
        error("ron_uid_time", BinaryArray::from(vec![[0xff; 16].as_slice()])),
        error("ron_uid_scheme", BinaryArray::from(vec![[0x0f; 16].as_slice(), &[0xff; 16]])),
        error("event_id_time", BinaryArray::from(vec![[0xff; 16].as_slice()])),
        error("scru160_min_at", text("1969-12-31T23:59:59.999Z")),
        error("ulid_flake_max_at", Date32Array::from(vec![0])),
        error(
            "ron_uid_min_at",
            TimestampMillisecondArray::from(vec![1_262_303_999_999]).with_timezone("+02:00"),
        ),
        error("euid_min_at", StringArray::from(vec![Some("2024-06-06"), None, Some("6 June")])),
    ];
    assert_snapshot!(errors.join("\n"));
}

#[tokio::test]
async fn an_argument_of_a_wrong_type_is_an_error_of_the_plan() {
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    let mut errors = String::new();
    for query in [
        "SELECT scru160_time(1.5)",
        "SELECT scru160_time(arrow_cast(X'00', 'FixedSizeBinary(1)'))",
        "SELECT ulid_flake_time(true)",
        "SELECT euid_time(1)",
        "SELECT euid_parse(X'00')",
        "SELECT event_id_min_at(1717653966)",
        "SELECT ron_uid_text('a', 'b')",
        "SELECT ron_uid_text()",
    ] {
        let error = ctx.sql(query).await.unwrap_err().strip_backtrace();
        writeln!(errors, "{query}: {error}").unwrap();
    }
    assert_snapshot!(errors);
}

#[test]
fn values_under_nulls_and_unused_values_of_dictionaries_are_no_errors() {
    let null = || Some(vec![true, false].into());
    let bytes = |width, valid: &[u8]| {
        let mut bytes = valid.to_vec();
        bytes.resize(2 * width as usize, 0xff);
        FixedSizeBinaryArray::new(width, bytes.into(), null())
    };
    let valid = [0; 16];
    for name in ["ron_uid_time", "ron_uid_text", "ron_uid_value", "ron_uid_value_int", "event_id_time"] {
        let found = call(&function(name), &(Arc::new(bytes(16, &valid)) as _)).unwrap();
        assert!(found.is_null(1), "{name}");
    }
    let flakes: ArrayRef = Arc::new(Int64Array::new(vec![1, -1].into(), null()));
    for name in ["ulid_flake_time", "ulid_flake_text", "ulid_flake_randomness"] {
        let found = call(&function(name), &flakes).unwrap();
        assert!(found.is_valid(0) && found.is_null(1), "{name}");
    }
    // Row 1 is NULL, and has the key of a value that is not an ID.
    let keys = Int8Array::new(vec![0, 1, 0].into(), Some(vec![true, false, true].into()));
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["00CMXB6TAK4SA", "nonsense"]));
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![14_246_757_444_195_114, -1]));
    for values in [texts, integers] {
        let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys.clone(), values));
        let found = call(&function("ulid_flake_time"), &array).unwrap();
        assert_eq!((found.len(), found.null_count()), (3, 1));
        let used: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(
            vec![1, 1].into(),
            array.as_any_dictionary().values().clone(),
        ));
        call(&function("ulid_flake_time"), &used).unwrap_err();
    }
    let times: ArrayRef = Arc::new(StringArray::from(vec!["2024-06-06", "6 June"]));
    let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys, times));
    assert_eq!(call(&function("scru160_min_at"), &array).unwrap().null_count(), 1);
}
