use super::{Error, Result};
use arrow_array::{AnyDictionaryArray, ArrayRef, BooleanArray, cast::AsArray};
use arrow_schema::ArrowError;
use arrow_select::{nullif::nullif, take::take};

/// Computes the results of an array. The results of a dictionary are computed once for each of its values that a row uses.
///
/// `compute` gets an array that is not a dictionary, and returns an array of as many rows. The rows of its errors are
/// those of this array.
///
/// # Errors
///
/// Those of `compute`.
pub fn over_dictionary<E: From<ArrowError>>(
    array: &ArrayRef,
    compute: impl FnOnce(&ArrayRef) -> Result<ArrayRef, E>,
) -> Result<ArrayRef, E> {
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return compute(array);
    };
    let (keys, values) = (dictionary.keys(), dictionary.values());
    if has_fewer_rows(dictionary) {
        return compute(&take(values, keys, None)?);
    }
    // The values that no row uses may be anything, so they become NULL.
    let unused = unused(dictionary);
    let values = if unused.true_count() == 0 { values.clone() } else { nullif(values, &unused)? };
    Ok(take(&compute(&values)?, keys, None)?)
}

/// The same, and an error has the first row that uses the wrong value.
pub(super) fn rows(
    array: &ArrayRef,
    compute: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    over_dictionary(array, compute).map_err(|error: Error| match array.as_any_dictionary_opt() {
        Some(dictionary) if !has_fewer_rows(dictionary) => error.map_row(|value| {
            let keys = dictionary.normalized_keys();
            let row = (0..keys.len()).find(|&row| keys[row] == value && dictionary.keys().is_valid(row));
            // A value that no row uses is NULL, and has no error.
            row.unwrap_or_default()
        }),
        _ => error,
    })
}

/// Returns the rows of a dictionary as an array that is none.
pub(super) fn flat(array: &ArrayRef) -> Result<ArrayRef> {
    Ok(match array.as_any_dictionary_opt() {
        Some(dictionary) => take(dictionary.values(), dictionary.keys(), None)?,
        None => array.clone(),
    })
}

/// Whether there are fewer rows than values, most of which no row can use.
fn has_fewer_rows(dictionary: &dyn AnyDictionaryArray) -> bool {
    dictionary.values().len() > dictionary.keys().len()
}

/// Which values of a dictionary no row uses.
fn unused(dictionary: &dyn AnyDictionaryArray) -> BooleanArray {
    let mut unused = vec![true; dictionary.values().len()];
    if !unused.is_empty() {
        for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
            unused[key] &= dictionary.keys().is_null(row);
        }
    }
    unused.into()
}
