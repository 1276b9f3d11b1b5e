//! Tests with the world that prismarine-provider-anvil wrote, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};

use azalea_block::BlockState;
use azalea_block::blocks::{GrassBlock, OakLeaves};
use ltlcrit_minecraft::observation::BlockPos;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::registries::biome_named;

const REGIONS: &str = "dimensions/minecraft/overworld/region";

fn prismarine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/prismarine")
}

/// A copy of the world, to be damaged.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir_all(copy.path().join(REGIONS)).unwrap();
    for file in ["level.dat".to_owned(), format!("{REGIONS}/r.0.0.mca"), format!("{REGIONS}/r.-1.0.mca")] {
        fs::copy(prismarine().join(&file), copy.path().join(&file)).unwrap();
    }
    copy
}

/// The reason why chunk 0 0 cannot be read after its region file has been changed.
fn refused(change: impl FnOnce(&mut Vec<u8>, usize)) -> String {
    let copy = copy();
    let path = copy.path().join(REGIONS).join("r.0.0.mca");
    let mut bytes = fs::read(&path).unwrap();
    let at = start(&bytes);
    change(&mut bytes, at);
    fs::write(&path, bytes).unwrap();
    let world = SavedWorld::open(copy.path()).unwrap();
    let error = world.load(0, 0).unwrap_err();
    assert!(error.contains("r.0.0.mca"), "{error}");
    assert!(world.chunk(0, 0).is_none(), "the server goes on without it");
    assert!(world.chunk(-1, 0).is_some(), "other files are not affected");
    error
}

/// Where chunk 0 0 begins in its region file.
fn start(bytes: &[u8]) -> usize {
    4096 * u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]) as usize
}

/// Replaces chunk 0 0 by NBT.
fn replace(bytes: &mut Vec<u8>, nbt: &[u8]) {
    let start = start(bytes);
    bytes.resize(start, 0);
    bytes.extend((nbt.len() as u32 + 1).to_be_bytes());
    bytes.push(3);
    bytes.extend(nbt);
    bytes.resize(start + 255 * 4096, 0);
    bytes[3] = 255;
}

/// The NBT of chunk 0 0.
fn nbt() -> Vec<u8> {
    region::read(&prismarine().join(REGIONS), 0, 0).unwrap().unwrap()
}

#[test]
fn the_world_is_as_it_was_written() {
    let world = SavedWorld::open(&prismarine()).unwrap();
    assert_eq!(world.spawn(), Some(BlockPos::new(5, 64, 9)));
    assert_eq!(world.identity().to_string(), "the saved world \"prismarine\" with seed 42");
    let state = |x, y, z| world.state(BlockPos::new(x, y, z));
    assert_eq!(state(0, 63, 0), GrassBlock { snowy: false }.into());
    let leaves =
        OakLeaves { distance: azalea_block::properties::OakLeavesDistance::_1, persistent: true, waterlogged: false };
    assert_eq!(state(4, 65, 4), leaves.into());
    assert_eq!(state(1, 300, 1), azalea_registry::builtin::BlockKind::SnowBlock.into());
    assert_eq!(state(0, 400, 0), BlockState::AIR);
    assert_eq!(state(-16, 62, 0), azalea_registry::builtin::BlockKind::Stone.into());
    assert_eq!(state(40, 63, 0), missing());
    let biomes = world.chunk(0, 0).unwrap().section(8).biomes();
    let cherry = u32::from(biome_named("cherry_grove").unwrap());
    assert!(biomes[0] == cherry && biomes[1..].iter().all(|biome| *biome != cherry), "{biomes:?}");
}

#[test]
fn damaged_files_are_refused_with_the_reason() {
    for (change, reason) in [
        ((|bytes, _| bytes.truncate(5000)) as fn(&mut Vec<u8>, usize), "ends inside its table, at 5000"),
        (|bytes, _| bytes[0] = 0xFF, "its table has the chunk at byte"),
        (|bytes, _| bytes[2] = 1, "its table has the chunk at byte 4096"),
        (|bytes, _| bytes[3] = 0, "of them fit"),
        (|bytes, at| bytes.truncate(at + 100), "and 96 of them fit"),
        (|bytes, at| bytes[at..][..4].fill(0xFF), "4294967295 bytes"),
        (|bytes, at| bytes[at..][..4].fill(0), "0 bytes"),
        (|bytes, at| bytes[at + 4] = 77, "compression 77"),
        (|bytes, at| bytes[at + 4] = 0x82, "c.0.0.mcc: there is no such file"),
        (|bytes, at| bytes[at + 20..][..200].fill(0xAA), "unpacked"),
        (|bytes, _| replace(bytes, b""), "NBT"),
        (|bytes, _| replace(bytes, &[10, 0, 0, 99, 0, 0]), "its NBT cannot be read"),
        (|bytes, _| replace(bytes, &nbt()[..3000]), "its NBT cannot be read"),
        (|bytes, _| replace(bytes, &[10, 0, 0, 0]), "no sections"),
        (|bytes, _| replace(bytes, &[[10].as_slice(), &nbt()[3..]].concat()), "the root has no name"),
    ] {
        let error = refused(change);
        assert!(error.contains(reason), "{error:?} does not say {reason:?}");
    }
}

/// Changes bytes of a chunk's NBT after the first place where others occur.
fn patched(after: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut nbt = nbt();
    let at = nbt.windows(after.len()).position(|window| window == after).unwrap() + after.len();
    change(&mut nbt[at..]);
    nbt
}

#[test]
fn chunks_that_make_no_sense_are_refused_with_the_reason() {
    let reason = |nbt: Vec<u8>| read_chunk(&nbt, 0, 0).unwrap_err();
    let old = reason(patched(b"DataVersion", |rest| rest[..4].copy_from_slice(&2730u32.to_be_bytes())));
    assert!(old.contains("2730") && old.contains("open the world once in 1.18 or later"), "{old}");
    assert!(reason(patched(b"xPos", |rest| rest[3] = 9)).contains("chunk 9 0"));
    // A length of the data that does not fit the palette, made by naming the data otherwise.
    assert!(reason(patched(b"\x0c\0\x04", |rest| rest[0] = b'x')).contains("0 words, where a palette of"));
    // Places beyond the palette.
    let places = reason(patched(b"\x0c\0\x04data", |rest| rest[4..40].fill(0xFF)));
    assert!(places.contains("entry 15 of a palette"), "{places}");
    assert!(read_chunk(&nbt(), 0, 0).unwrap().chunk.is_some());
    let unfinished = read_chunk(&patched(b"Status\0\x04", |rest| rest[0] = b'x'), 0, 0).unwrap();
    assert!(unfinished.chunk.is_none());
    let renamed = read_chunk(&patched(b"minecraft:gold_o", |rest| rest[0] = b'X'), 0, 0).unwrap();
    assert_eq!(renamed.unknown, ["minecraft:gold_oXe"]);
}

#[test]
fn folders_that_are_no_worlds_are_refused_with_advice() {
    let refused = |folder: &Path| SavedWorld::open(folder).unwrap_err().to_string();
    let empty = tempfile::tempdir().unwrap();
    assert!(refused(empty.path()).contains("no level.dat"));
    assert!(refused(&empty.path().join("nowhere")).contains("no level.dat"));
    fs::copy(prismarine().join("level.dat"), empty.path().join("level.dat")).unwrap();
    assert!(refused(empty.path()).contains("dimensions/minecraft/overworld/region"));
    fs::write(empty.path().join("level.dat"), b"no gzip").unwrap();
    assert!(refused(empty.path()).contains("level.dat is damaged"));
}

#[test]
fn the_layout_before_26_1_is_read_too() {
    let old = tempfile::tempdir().unwrap();
    fs::create_dir(old.path().join("region")).unwrap();
    fs::copy(prismarine().join("level-1.18.dat"), old.path().join("level.dat")).unwrap();
    fs::copy(prismarine().join(REGIONS).join("r.0.0.mca"), old.path().join("region/r.0.0.mca")).unwrap();
    let world = SavedWorld::open(old.path()).unwrap();
    assert_eq!(world.spawn(), Some(BlockPos::new(6, 64, 9)));
    assert!(world.chunk(0, 0).is_some() && world.chunk(-1, 0).is_none());
}

#[test]
fn a_chunk_in_a_file_of_its_own_is_read() {
    let copy = copy();
    let regions = copy.path().join(REGIONS);
    let mut bytes = fs::read(regions.join("r.0.0.mca")).unwrap();
    let at = start(&bytes);
    bytes[at + 4] = 0x83;
    fs::write(regions.join("r.0.0.mca"), bytes).unwrap();
    fs::write(regions.join("c.0.0.mcc"), nbt()).unwrap();
    assert!(SavedWorld::open(copy.path()).unwrap().chunk(0, 0).is_some());
}

proptest! {
    #[test]
    fn random_bytes_are_refused(nbt in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read_chunk(&nbt, 0, 0).is_err());
    }

    #[test]
    fn any_damage_to_a_chunk_is_refused_or_harmless(at in 0usize..6000, byte in any::<u8>(), cut in 0usize..6000) {
        let mut nbt = nbt();
        let (at, cut) = (at % nbt.len(), nbt.len() - cut % 50);
        nbt[at] = byte;
        nbt.truncate(cut);
        if let Ok(ReadChunk { chunk: Some(chunk), .. }) = read_chunk(&nbt, 0, 0) {
            (0..24).for_each(|section| { chunk.section(section).states().1.count(); });
        }
    }

    #[test]
    fn any_region_file_is_read_or_refused(header in prop::collection::vec(any::<u8>(), 4), body in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut region = vec![0; 8192];
        region[..4].copy_from_slice(&header);
        region.extend(body);
        let _ = find_chunk(&region, 0, 0);
    }
}
