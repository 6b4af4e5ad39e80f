#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(ron_uid_vector);
