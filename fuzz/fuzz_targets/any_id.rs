#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(any_id);
