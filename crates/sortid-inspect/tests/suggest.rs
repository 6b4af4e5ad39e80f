//! What wrong texts might have been, and that no text is too strange.

use proptest::prelude::*;
use sortid::{AnyId, Spec, UnixMicros, euid::Euid};
use sortid_inspect::{Form, Input, Options, Suggestion, inspect, inspect_as};

fn suggested(text: &str) -> Vec<Suggestion> {
    inspect(text, &Options::default()).suggestions()
}

/// An ID of each specification from 2000 to 2099.
fn ids() -> impl Strategy<Value = AnyId> {
    let spec = prop::sample::select(&[Spec::EventlyId, Spec::Scru160, Spec::Euid, Spec::UlidFlake][..]);
    (spec, 1_704_067_200_000_000..4_000_000_000_000_000_i128)
        .prop_map(|(spec, micros)| AnyId::min_at(spec, UnixMicros(micros)).unwrap())
}

#[test]
fn each_usual_mistake_leads_to_the_id() {
    for (wrong, right, why) in [
        ("'00CMXB6TAK4SA'", "00CMXB6TAK4SA", "without what is around it"),
        (
            "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6;",
            "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6",
            "without what is around it",
        ),
        (
            "0005cd755a43d79238c0579OcO331dd8",
            "0005cd755a43d79238c05790c0331dd8",
            "0 instead of O, 0 instead of O",
        ),
        ("1HZP2F3T-ARAH1VEX-W8BDJPEK-P44", "1HZP2F3TARAH1VEXW8BDJPEKP44", "without the characters"),
        ("0005cd75 5a43d792 38c05790 c0331dd8", "0005cd755a43d79238c05790c0331dd8", "without the characters"),
        (
            "1HZP2F3TARAH1VEXW8BDJPPEKP44",
            "1HZP2F3TARAH1VEXW8BDJPEKP44",
            "without one P, and the check is right",
        ),
        (
            "H1ZP2F3TARAH1VEXW8BDJPEKP44",
            "1HZP2F3TARAH1VEXW8BDJPEKP44",
            "1H instead of H1, and the check is right",
        ),
    ] {
        let found = suggested(wrong);
        let first = found.first().unwrap_or_else(|| panic!("nothing for {wrong}"));
        assert_eq!(first.text, right, "{wrong}");
        assert!(first.why.starts_with(why), "{wrong}: {}", first.why);
    }
}

#[test]
fn words_and_other_kinds_of_ids_have_no_suggestion() {
    for text in ["", " ", "an order", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "🦀🦀🦀", "\0", &"A".repeat(100_000)]
    {
        assert_eq!(suggested(text), [], "{text:.20}");
    }
}

#[test]
fn a_character_that_cannot_be_known_leaves_the_time() {
    let [suggestion] = &suggested("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW")[..] else { panic!("expected one") };
    assert_eq!((suggestion.spec, &*suggestion.text), (Spec::Scru160, "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C?"));
    // The wrong character is a part of the time.
    assert_eq!(suggested("05TTUPWHNCPNA1QHTDHRTCU3V32PD7C6"), []);
}

#[test]
fn the_swap_that_happened_is_found_behind_others_with_the_right_check() {
    let found = suggested("33CMP00003BJCW0QK33WDEF0025");
    assert!(found.len() > 4 && found.iter().any(|it| it.text == "33CMP00003BJCW0QK33WDFE0025"), "{found:?}");
}

proptest! {
    #[test]
    fn inspection_answers_for_every_text(bytes in prop::collection::vec(any::<u8>(), 0..80), from in 0..5_usize) {
        for (spec, form) in [(None, None), (Some(Spec::ALL[from]), None), (None, Some(Form::ALL[from]))] {
            let inspection = inspect_as(Input::from(&bytes[..]), spec, form, &Options::default());
            prop_assert_ne!(inspection.candidates.is_empty(), inspection.refusals.is_empty());
            for refusal in &inspection.refusals {
                prop_assert!(refusal.position.is_none_or(|at| at < bytes.len()), "{refusal}");
            }
            prop_assert!(inspection.note().is_none_or(|note| note.ends_with("which is another kind of ID")));
            prop_assert!(inspection.candidates.is_empty() || inspection.suggestions().len() < 20);
        }
    }

    #[test]
    fn an_id_is_a_candidate_of_each_of_its_forms(id in ids()) {
        for form in Form::ALL {
            if form.suits(id.spec().name(), id.as_bytes().len()).is_err() {
                continue;
            }
            let mut text = vec![];
            match form.writer() {
                None => text.extend_from_slice(id.encode().as_bytes()),
                Some(write) => write(id.as_bytes(), &mut text),
            }
            let inspection =
                inspect_as(Input::from(&text[..]), Some(id.spec()), Some(form), &Options::default());
            let found: Vec<_> = inspection.candidates.iter().map(|it| it.description.id).collect();
            prop_assert_eq!(found, [id]);
        }
    }

    #[test]
    fn every_suggestion_is_an_id_with_a_plausible_time(text in "[0-9A-Za-z ,'-]{8,45}") {
        for Suggestion { spec, text, .. } in suggested(&text) {
            let digits = text.replace('?', "0");
            let id = AnyId::parse(spec, &digits);
            prop_assert!(id.is_ok_and(|id| id.unix_micros().is_some()), "{text}");
        }
    }

    #[test]
    fn two_neighbours_of_an_euid_that_were_swapped_are_found(
        millis in 1_000_000_000_000..4_000_000_000_000_u64, random: u128, at in 1..25_usize,
    ) {
        let id = Euid::from_u128(u128::from(millis) << 83 | random >> 45);
        let right = id.encode();
        let mut wrong = right.as_bytes().to_vec();
        wrong.swap(at - 1, at);
        let wrong = String::from_utf8(wrong).unwrap();
        prop_assume!(wrong != right.as_str());
        prop_assert!(suggested(&wrong).iter().any(|it| it.text == right.as_str()), "{wrong}");
    }
}
