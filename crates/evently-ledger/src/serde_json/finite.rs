//! A serializer that refuses NaN and infinities, for which `serde_json` writes `null`.

use serde::{
    Serialize,
    ser::{
        Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant, Serializer,
    },
};
use std::fmt::Display;

/// A serializer whose floats are finite, a part of one, or a value for one.
pub(super) struct Finite<T>(pub(super) T);

impl<T: Serialize + ?Sized> Serialize for Finite<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Finite(serializer))
    }
}

macro_rules! plain {
    ($($method:ident($value:ty))*) => {
        $(fn $method(self, value: $value) -> Result<S::Ok, S::Error> {
            self.0.$method(value)
        })*
    };
}

macro_rules! compound {
    ($($method:ident($($name:ident: $type:ty),*) -> $part:ident)*) => {
        $(fn $method(self, $($name: $type),*) -> Result<Self::$part, S::Error> {
            self.0.$method($($name),*).map(Finite)
        })*
    };
}

impl<S: Serializer> Serializer for Finite<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Finite<S::SerializeSeq>;
    type SerializeTuple = Finite<S::SerializeTuple>;
    type SerializeTupleStruct = Finite<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Finite<S::SerializeTupleVariant>;
    type SerializeMap = Finite<S::SerializeMap>;
    type SerializeStruct = Finite<S::SerializeStruct>;
    type SerializeStructVariant = Finite<S::SerializeStructVariant>;

    plain! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_unit_struct(&'static str)
    }

    compound! {
        serialize_seq(len: Option<usize>) -> SerializeSeq
        serialize_tuple(len: usize) -> SerializeTuple
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeTupleVariant
        serialize_map(len: Option<usize>) -> SerializeMap
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeStructVariant
    }

    fn serialize_f32(self, number: f32) -> Result<S::Ok, S::Error> {
        if number.is_finite() { self.0.serialize_f32(number) } else { Err(not_finite(number)) }
    }

    fn serialize_f64(self, number: f64) -> Result<S::Ok, S::Error> {
        if number.is_finite() { self.0.serialize_f64(number) } else { Err(not_finite(number)) }
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(&Finite(value))
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Finite(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, &Finite(value))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

#[cold]
fn not_finite<E: Error>(number: impl Display) -> E {
    E::custom(format_args!("expected a number that JSON has, found {number}"))
}

macro_rules! part {
    ($($part:ident { $($method:ident($($name:ident: $type:ty)?))* })*) => {
        $(impl<S: $part> $part for Finite<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            $(fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)? value: &T) -> Result<(), S::Error> {
                self.0.$method($($name,)? &Finite(value))
            })*

            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        })*
    };
}

part! {
    SerializeSeq { serialize_element() }
    SerializeTuple { serialize_element() }
    SerializeTupleStruct { serialize_field() }
    SerializeTupleVariant { serialize_field() }
    SerializeMap { serialize_key() serialize_value() }
    SerializeStruct { serialize_field(key: &'static str) }
    SerializeStructVariant { serialize_field(key: &'static str) }
}
