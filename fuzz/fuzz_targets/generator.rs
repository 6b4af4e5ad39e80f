#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(generator);
