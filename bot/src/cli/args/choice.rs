//! Flags whose values are the variants of an enum.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::{EnumMessage, VariantArray};

/// Parses the name of a variant. Help lists all names with the variants' documentation.
pub fn choice<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantArray + EnumMessage + Into<&'static str> + Copy + Send + Sync + 'static,
{
    let named =
        |variant: &T| PossibleValue::new((*variant).into()).help(variant.get_documentation().unwrap_or_default());
    PossibleValuesParser::new(T::VARIANTS.iter().map(named)).try_map(|name: String| {
        let named = T::VARIANTS.iter().find(|variant| -> bool { Into::<&'static str>::into(**variant) == name });
        named.copied().ok_or("no such value")
    })
}
