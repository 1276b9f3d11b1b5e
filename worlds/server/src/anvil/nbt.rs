//! Reads NBT, up to a number of tags.

use std::io::Cursor;

use simdnbt::borrow::{BaseNbt, Nbt, NbtCompound};

/// The largest number of tags to build. A chunk full of chests of full shulker boxes has fewer.
const MOST_TAGS: usize = 1 << 20;
/// The types of tags whose contents are tags.
const LIST: u8 = 9;
const COMPOUND: u8 = 10;

/// The root of NBT bytes.
pub(super) fn parse(bytes: &[u8]) -> Result<BaseNbt<'_>, String> {
    // The root's name begins with its length, which is short. Without a name, the type of the first tag follows.
    if bytes.get(1).is_some_and(|byte| *byte != 0) {
        return Err(
            "its NBT is not in Minecraft's form: the root has no name, as some other servers write it".to_owned()
        );
    }
    if !has_few_tags(bytes) {
        return Err(format!("its NBT has more than {MOST_TAGS} tags"));
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

/// A compound or list that is being counted.
enum Open {
    Compound,
    /// The type of its elements, and how many follow.
    List(u8, usize),
}

/// Whether NBT has at most [`MOST_TAGS`] tags, without building them. NBT that ends too soon or has unknown types counts as
/// far as it can be read: parsing it tells what is wrong.
fn has_few_tags(bytes: &[u8]) -> bool {
    let mut bytes = bytes.get(3..).unwrap_or_default();
    let mut open = vec![Open::Compound];
    for _ in 0..=MOST_TAGS {
        let kind = loop {
            match open.last_mut() {
                None => return true,
                Some(Open::List(_, 0)) => {
                    open.pop();
                }
                Some(Open::List(kind, left)) => {
                    *left -= 1;
                    break *kind;
                }
                Some(Open::Compound) => match take(&mut bytes, 1) {
                    Some(0) => {
                        open.pop();
                    }
                    Some(kind) => {
                        let Some(length) = take(&mut bytes, 2) else { return true };
                        if skip(&mut bytes, length).is_none() {
                            return true;
                        }
                        break kind as u8;
                    }
                    None => return true,
                },
            }
        };
        if contents(kind, &mut bytes, &mut open).is_none() {
            return true;
        }
    }
    false
}

/// Passes over the contents of a tag, or opens it; `None` if they cannot be read.
fn contents(kind: u8, bytes: &mut &[u8], open: &mut Vec<Open>) -> Option<()> {
    let length = match kind {
        1 => 1,
        2 => 2,
        3 | 5 => 4,
        4 | 6 => 8,
        7 => take(bytes, 4)?,
        8 => take(bytes, 2)?,
        11 => take(bytes, 4)?.checked_mul(4)?,
        12 => take(bytes, 4)?.checked_mul(8)?,
        LIST => {
            let kind = take(bytes, 1)? as u8;
            let length = take(bytes, 4)?;
            // Elements without contents take no bytes, so there may be any number of them.
            if kind != 0 {
                open.push(Open::List(kind, length));
            }
            0
        }
        COMPOUND => {
            open.push(Open::Compound);
            0
        }
        _ => return None,
    };
    skip(bytes, length)
}

/// A big-endian number of this many bytes.
fn take(bytes: &mut &[u8], length: usize) -> Option<usize> {
    let (number, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(number.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn skip(bytes: &mut &[u8], length: usize) -> Option<()> {
    *bytes = bytes.get(length..)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with one list of this many elements.
    fn list(kind: u8, count: usize, contents: &[u8]) -> Vec<u8> {
        let mut nbt = vec![COMPOUND, 0, 0, LIST, 0, 1, b'x', kind];
        nbt.extend((count as u32).to_be_bytes());
        nbt.extend(contents);
        nbt.push(0);
        nbt
    }

    #[test]
    fn tags_are_counted_before_they_are_built() {
        let refused = |nbt: Vec<u8>| parse(&nbt).unwrap_err();
        for contents in [vec![0; 16 << 20], vec![0; MOST_TAGS]] {
            let error = refused(list(COMPOUND, contents.len(), &contents));
            assert!(error.contains("more than 1048576 tags"), "{error}");
        }
        let lists = [1, 0, 0, 0, 0].repeat(MOST_TAGS);
        assert!(refused(list(LIST, MOST_TAGS, &lists)).contains("tags"));
        assert!(refused(list(8, MOST_TAGS, &vec![0; 2 * MOST_TAGS])).contains("tags"));
        assert!(parse(&list(COMPOUND, MOST_TAGS - 1, &vec![0; MOST_TAGS - 1])).is_ok());
        // Long arrays are one tag.
        assert!(parse(&list(7, 1, &[&(4u32 << 20).to_be_bytes()[..], &vec![0; 4 << 20]].concat())).is_ok());
        // What cannot be counted is refused for its own reason.
        for broken in [list(COMPOUND, 9, &[]), list(99, 9, &[0; 9]), list(12, 1, &[0xFF; 4]), vec![COMPOUND, 0]] {
            assert!(!refused(broken).contains("tags"));
        }
    }
}
