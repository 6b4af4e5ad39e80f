//! Kernels for columns of time-sortable identifiers, over plain slices.
#![forbid(unsafe_code)]
