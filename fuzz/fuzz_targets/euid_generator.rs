#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(euid_generator);
