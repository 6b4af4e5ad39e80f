#![cfg_attr(fuzzing, no_main)]

sortid_fuzz::target!(scru160_generator);
