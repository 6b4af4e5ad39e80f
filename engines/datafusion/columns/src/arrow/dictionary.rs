use super::{
    Error, Result,
    gather::{Places, gather},
};
use arrow_array::{AnyDictionaryArray, ArrayRef, cast::AsArray};
use arrow_schema::ArrowError;

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
    match used(dictionary)? {
        (rows, None) => compute(&rows),
        (values, Some(places)) => Ok(gather(&compute(&values)?, &places)?),
    }
}

/// The same, and an error has the first row that uses the wrong value.
pub(super) fn rows(
    array: &ArrayRef,
    compute: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return compute(array);
    };
    let (values, Some(places)) = used(dictionary)? else {
        return compute(&flat(array)?);
    };
    let result = compute(&values).map_err(|error: Error| {
        error.map_row(|value| {
            let uses = |row: &usize| places.rows[*row] == value && !places.is_null(*row);
            // Each of these values has a row.
            (0..places.rows.len()).find(uses).unwrap_or_default()
        })
    })?;
    Ok(gather(&result, &places)?)
}

/// Returns the rows of a dictionary as an array that is not one.
pub(super) fn flat(array: &ArrayRef) -> Result<ArrayRef> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) => Ok(gather(dictionary.values(), &keys(dictionary))?),
        None => Ok(array.clone()),
    }
}

/// Returns the values of a dictionary that its rows use, and the place of each row in them. If there are fewer rows than
/// values, most of which no row can use, these are the values of the rows, which need no places.
fn used(dictionary: &dyn AnyDictionaryArray) -> Result<(ArrayRef, Option<Places>), ArrowError> {
    let values = dictionary.values();
    let mut keys = keys(dictionary);
    if values.len() > keys.rows.len() {
        return Ok((gather(values, &keys)?, None));
    }
    let mut is_used = vec![false; values.len()];
    for (row, key) in keys.rows.iter().enumerate() {
        if !keys.is_null(row) {
            is_used[*key] = true;
        }
    }
    if is_used.iter().all(|is_used| *is_used) {
        return Ok((values.clone(), Some(keys)));
    }
    // The values that no row uses may be anything.
    let used: Vec<usize> = (0..values.len()).filter(|value| is_used[*value]).collect();
    let mut place = vec![0; values.len()];
    for (index, value) in used.iter().enumerate() {
        place[*value] = index;
    }
    for key in &mut keys.rows {
        *key = place.get(*key).copied().unwrap_or_default();
    }
    Ok((gather(values, &Places { rows: used, nulls: None })?, Some(keys)))
}

/// The values of the rows. The value of a NULL may be any.
fn keys(dictionary: &dyn AnyDictionaryArray) -> Places {
    let keys = dictionary.keys();
    let rows =
        if dictionary.values().is_empty() { vec![0; keys.len()] } else { dictionary.normalized_keys() };
    Places { rows, nulls: keys.logical_nulls() }
}
