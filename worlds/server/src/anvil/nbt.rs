//! Reads NBT.

use std::io::Cursor;

use simdnbt::borrow::{BaseNbt, Nbt, NbtCompound};

/// The root of NBT bytes.
pub(super) fn parse(bytes: &[u8]) -> Result<BaseNbt<'_>, String> {
    // The root's name begins with its length, which is short. Without a name, the type of the first tag follows.
    if bytes.get(1).is_some_and(|byte| *byte != 0) {
        return Err(
            "its NBT is not in Minecraft's form: the root has no name, as some other servers write it".to_owned()
        );
    }
    match simdnbt::borrow::read(&mut Cursor::new(bytes)) {
        Ok(Nbt::Some(root)) => Ok(root),
        Ok(Nbt::None) => Err("its NBT is empty".to_owned()),
        Err(error) => Err(format!("its NBT cannot be read: {error}")),
    }
}

/// A whole number, in whichever of NBT's types programs write it.
pub(super) fn whole(compound: NbtCompound<'_, '_>, name: &str) -> Option<i32> {
    let tag = compound.get(name)?;
    tag.int().or_else(|| tag.byte().map(i32::from)).or_else(|| tag.short().map(i32::from))
}
