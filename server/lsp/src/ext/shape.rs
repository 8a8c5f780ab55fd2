//! The shape of a type on the wire, as documentation writes it: `{run, graph?, nodes: [{id, kind}]}`.
//!
//! A type that can be read knows its fields; [`of`] reads one from nothing, notes which fields it asks for, and
//! makes up their values. A field is optional when the type can be read without it.

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, Visitor};

/// Types that the documentation refers to by name; their fields are documented elsewhere or by LSP.
const LEAVES: [&str; 2] = ["Range", "Usage"];

/// How the values of an enum are rendered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnumStyle {
    /// `mode?: "run"|"simulate"`.
    Listed,
    /// By the name of the field alone.
    Omitted,
}

/// The shape of a type.
pub(crate) fn of<T: DeserializeOwned>(enums: EnumStyle) -> String {
    let mut fields = Vec::new();
    read::<T>(&mut String::new(), Outer::Named(&mut fields), enums).expect("values are made up");
    let is_optional =
        |field: &&str| read::<T>(&mut String::new(), Outer::Without(field), enums).is_ok();
    let optional: Vec<&str> = fields.into_iter().filter(is_optional).collect();
    let mut shape = String::new();
    read::<T>(&mut shape, Outer::Optional(&optional), enums).expect("values are made up");
    shape
}

fn read<T: DeserializeOwned>(
    shape: &mut String,
    outer: Outer<'_>,
    enums: EnumStyle,
) -> Result<T, de::value::Error> {
    T::deserialize(ShapeDeserializer {
        shape,
        optional: &mut false,
        key: "",
        outer,
        enums,
    })
}

/// What is special about the outermost type.
enum Outer<'a> {
    /// This is not it.
    Not,
    /// The names of its fields are wanted.
    Named(&'a mut Vec<&'static str>),
    /// One of its fields is left out.
    Without(&'a str),
    /// These of its fields may be left out.
    Optional(&'a [&'a str]),
}

struct ShapeDeserializer<'a> {
    /// What is written down.
    shape: &'a mut String,
    /// Set when the type is an option.
    optional: &'a mut bool,
    /// The field this is the value of.
    key: &'a str,
    outer: Outer<'a>,
    enums: EnumStyle,
}

impl<'de> Deserializer<'de> for ShapeDeserializer<'_> {
    type Error = de::value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        let mut parts = Vec::new();
        let (mut left, mut optional) = (fields.to_vec(), &[][..]);
        match self.outer {
            Outer::Not => {}
            Outer::Named(names) => names.extend(fields),
            Outer::Without(missing) => left.retain(|field| *field != missing),
            Outer::Optional(names) => optional = names,
        }
        let value = visitor.visit_map(Fields {
            left: left.into_iter(),
            key: "",
            optional,
            parts: &mut parts,
            enums: self.enums,
        })?;
        if !LEAVES.contains(&name) {
            *self.shape += &["{", &parts.join(", "), "}"].concat();
        }
        Ok(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        *self.optional = true;
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let mut inner = String::new();
        let value = visitor.visit_seq(One::new(&mut inner, self.enums))?;
        if !inner.is_empty() {
            *self.shape += &["[", &inner, "]"].concat();
        }
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let mut inner = String::new();
        let value = visitor.visit_map(One::new(&mut inner, self.enums))?;
        if !inner.is_empty() {
            *self.shape += &["{id: ", &inner, "}"].concat();
        }
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        if self.enums == EnumStyle::Listed {
            let quoted: Vec<String> = variants.iter().map(|word| format!("\"{word}\"")).collect();
            self.shape.push_str(&quoted.join("|"));
        }
        let first = variants.first().copied().unwrap_or_default();
        visitor.visit_enum(StrDeserializer::<Self::Error>::new(first))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_bool(false)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_f64(0.0)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_u64(0)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_u32(0)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_i32(0)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let sample = if self.key == "uri" {
            "file:///x"
        } else {
            "2026-01-01T00:00:00Z"
        };
        BorrowedStrDeserializer::new(sample).deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i64 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
        ignored_any
    }
}

/// The fields of a struct, each with a made-up value.
struct Fields<'a> {
    left: std::vec::IntoIter<&'static str>,
    key: &'static str,
    /// Those that may be left out.
    optional: &'a [&'a str],
    parts: &'a mut Vec<String>,
    enums: EnumStyle,
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = de::value::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        let Some(key) = self.left.next() else {
            return Ok(None);
        };
        self.key = key;
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        let (mut shape, mut optional) = (String::new(), self.optional.contains(&self.key));
        let value = seed.deserialize(ShapeDeserializer {
            shape: &mut shape,
            optional: &mut optional,
            key: self.key,
            outer: Outer::Not,
            enums: self.enums,
        })?;
        let mark = if optional { "?" } else { "" };
        let colon = if shape.is_empty() { "" } else { ": " };
        self.parts.push(format!("{}{mark}{colon}{shape}", self.key));
        Ok(value)
    }
}

/// One element of a list or a map.
struct One<'a> {
    shape: &'a mut String,
    done: bool,
    /// Elements that may be null are rendered like those that may not.
    optional: bool,
    enums: EnumStyle,
}

impl<'a> One<'a> {
    fn new(shape: &'a mut String, enums: EnumStyle) -> Self {
        Self {
            shape,
            done: false,
            optional: false,
            enums,
        }
    }

    fn probe(&mut self) -> ShapeDeserializer<'_> {
        ShapeDeserializer {
            shape: self.shape,
            optional: &mut self.optional,
            key: "",
            outer: Outer::Not,
            enums: self.enums,
        }
    }
}

impl<'de> de::SeqAccess<'de> for One<'_> {
    type Error = de::value::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(None);
        }
        seed.deserialize(self.probe()).map(Some)
    }
}

impl<'de> de::MapAccess<'de> for One<'_> {
    type Error = de::value::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(None);
        }
        seed.deserialize(StrDeserializer::new("id")).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        seed.deserialize(self.probe())
    }
}
