#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(ulid_flake_generator);
