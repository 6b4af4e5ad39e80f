#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(event_id_generator);
