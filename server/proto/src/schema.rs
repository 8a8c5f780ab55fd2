//! Schemas of types that are documented elsewhere.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};

/// A range in the text of a document, which LSP defines.
pub fn range(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "title": "`Range` of LSP" })
}

/// The names of an enum of the engine, as it is read.
pub fn names<T: DeserializeOwned>(_: &mut SchemaGenerator) -> Schema {
    let mut names: &[&str] = &[];
    // The names are known before a value is asked for.
    let _ = T::deserialize(Names(&mut names));
    json_schema!({ "enum": names })
}

/// Notes the names of an enum, and has no value.
struct Names<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not an enum"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(Error::custom("no value"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
