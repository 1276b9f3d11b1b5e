//! A world that another program saved (see `tests/data`), as clients see it and change it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use azalea_block::blocks::*;
use azalea_block::properties::*;
use azalea_block::{BlockState, BlockTrait};
use azalea_core::direction::Direction;
use azalea_core::position::{BlockPos, ChunkSectionBiomePos};
use azalea_protocol::packets::game::s_player_action::Action;
use azalea_registry::DataRegistry;
use azalea_registry::builtin::BlockKind;
use ltlcrit_minecraft::items::Item;
use ltlcrit_server::{SaveError, Server, ServerError, ServerOptions};

use crate::wire::{carried, join, place, server, ticks};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/prismarine")
}

fn options() -> ServerOptions {
    ServerOptions { save_from: Some(folder()), ticks_per_second: 200, view_distance: 2, ..ServerOptions::default() }
}

/// All files of the world with their bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    files.sort();
    files
}

fn state(block: impl BlockTrait) -> BlockState {
    block.as_block_state()
}

#[tokio::test]
async fn clients_see_every_block_and_biome_as_it_was_saved() {
    let server = server(options());
    let mut client = join(&server, "player").await;
    ticks(&server, &mut client, 5).await;
    assert_eq!([client.at.x, client.at.y, client.at.z], [5.5, 64.0, 9.5], "the world's spawn");
    let stairs = OakStairs {
        facing: FacingCardinal::East,
        half: TopBottom::Bottom,
        shape: StairShape::Straight,
        waterlogged: true,
    };
    for (x, y, z, expected) in [
        (0, -64, 0, BlockKind::Bedrock.into()),
        (0, 62, 0, BlockKind::Stone.into()),
        (0, 63, 0, state(GrassBlock { snowy: false })),
        (2, 62, 2, BlockKind::DiamondOre.into()),
        (3, 62, 2, BlockKind::GoldOre.into()),
        (4, 62, 2, state(Deepslate { axis: Axis::X })),
        (4, 64, 4, state(OakLog { axis: Axis::Z })),
        (8, 63, 8, state(Water { level: WaterLevel::_0 })),
        (9, 63, 8, state(Water { level: WaterLevel::_3 })),
        (6, 64, 6, state(stairs)),
        (10, 64, 10, BlockKind::ShortGrass.into()),
        (12, 64, 4, state(Furnace { facing: FacingCardinal::South, lit: false })),
        (1, 300, 1, BlockKind::SnowBlock.into()),
        (-1, 63, 5, state(GrassBlock { snowy: false })),
        (33, 64, 0, BlockKind::Barrier.into()),
    ] {
        assert_eq!(client.block(x, y, z), Some(expected), "{x} {y} {z}");
    }
    // Ninety states in one section.
    let notes: BTreeSet<u16> = (0..90)
        .map(|i| client.block(16 + i % 16, 64 + i / 16, 0).unwrap())
        .filter(|state| state.as_block_kind() == BlockKind::NoteBlock)
        .map(|state| state.id())
        .collect();
    assert_eq!(notes.len(), 90);
    let (_, chunk) = client.chunks.iter().find(|(at, _)| *at == (0, 0)).unwrap();
    let biomes =
        &client.registries.iter().find(|registry| registry.registry_id.to_string().ends_with("biome")).unwrap().entries;
    let biome = |x, y, z| {
        let cell = chunk.sections[8].biomes.get(ChunkSectionBiomePos { x, y, z });
        biomes[cell.protocol_id() as usize].0.to_string()
    };
    assert_eq!(biome(0, 0, 0), "minecraft:cherry_grove");
    assert_ne!(biome(0, 1, 0), "minecraft:cherry_grove");
}

/// Digs a block that takes this many ticks, and returns what is there then.
async fn dig(server: &Server, client: &mut crate::wire::Client, pos: BlockPos, for_ticks: u64) -> BlockKind {
    client.act(Action::StartDestroyBlock, pos, 1).await;
    let after = client.acknowledged(pos, 1).await;
    if after == BlockKind::Air || after == BlockKind::Water {
        return after;
    }
    ticks(server, client, for_ticks).await;
    client.act(Action::StopDestroyBlock, pos, 2).await;
    client.acknowledged(pos, 2).await
}

#[tokio::test]
async fn what_is_changed_is_saved_apart() {
    let before = files(&folder());
    let saves = tempfile::tempdir().unwrap();
    let save = saves.path().join("changes");
    let with_save = || ServerOptions { save: Some(save.clone()), ..options() };
    let server = server(with_save());
    let mut client = join(&server, "player").await;
    place(&server, &mut client, [11.5, 64.0, 8.5]).await;
    // A block of our table drops, others take the game's time and drop nothing; grass goes at once.
    assert_eq!(dig(&server, &mut client, BlockPos::new(10, 64, 10), 0).await, BlockKind::Air);
    assert_eq!(dig(&server, &mut client, BlockPos::new(12, 64, 10), 60).await, BlockKind::Air);
    assert_eq!(dig(&server, &mut client, BlockPos::new(12, 63, 8), 18).await, BlockKind::Air);
    place(&server, &mut client, [12.5, 63.0, 8.5]).await;
    crate::wire::until(&mut client, "the dirt", || carried(&server, "player", Item::Dirt) == 1).await;
    // Waterlogged stairs leave their water.
    place(&server, &mut client, [7.5, 64.0, 7.5]).await;
    assert_eq!(dig(&server, &mut client, BlockPos::new(6, 64, 6), 60).await, BlockKind::Water);
    // A torch is not replaced; the block beside it is placed.
    client.use_on(BlockPos::new(11, 63, 9), Direction::Up, 3).await;
    assert_eq!(client.acknowledged(BlockPos::new(11, 64, 9), 3).await, BlockKind::Dirt);
    tokio::task::spawn_blocking(move || server.stop().unwrap()).await.unwrap();
    assert_eq!(files(&folder()), before, "the folder is only read");

    let server = crate::wire::server(with_save());
    let mut client = join(&server, "player").await;
    ticks(&server, &mut client, 5).await;
    for (x, y, z, expected) in [
        (10, 64, 10, BlockKind::Air),
        (12, 64, 10, BlockKind::Air),
        (12, 63, 8, BlockKind::Air),
        (6, 64, 6, BlockKind::Water),
        (11, 64, 9, BlockKind::Dirt),
        (11, 64, 10, BlockKind::Torch),
    ] {
        assert_eq!(client.block(x, y, z).map(BlockState::as_block_kind), Some(expected), "{x} {y} {z}");
    }
    tokio::task::spawn_blocking(move || server.stop().unwrap()).await.unwrap();

    // The save file knows its world, and a generated world's file is refused here.
    let saved = fs::read(&save).unwrap();
    let other = Server::start(ServerOptions { save_from: None, ..with_save() }).unwrap_err();
    assert!(matches!(other, ServerError::Save(SaveError::OtherWorld { .. })));
    assert!(other.to_string().contains("the saved world \"prismarine\" with seed 42"), "{other}");
    assert_eq!(fs::read(&save).unwrap(), saved);
    let generated = saves.path().join("generated");
    let compact = ServerOptions { save: Some(generated.clone()), ..ServerOptions::compact() };
    Server::start(compact).unwrap().stop().unwrap();
    let other = Server::start(ServerOptions { save: Some(generated), ..options() }).unwrap_err();
    assert!(other.to_string().contains("compact terrain"), "{other}");
}

#[tokio::test]
async fn bodies_stand_on_stairs_and_stop_at_fences() {
    let server = server(options());
    let mut client = join(&server, "player").await;
    // Down onto the lower step, which is to the west.
    place(&server, &mut client, [6.05, 64.5, 6.5]).await;
    client.go(6.15, 64.5, 6.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [6.15, 64.5, 6.5]);
    // A fence is one and a half blocks high, and narrow.
    place(&server, &mut client, [13.5, 64.0, 11.5]).await;
    client.go(13.5, 64.0, 10.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [13.5, 64.0, 11.5], "it stands in the way");
    place(&server, &mut client, [13.5, 65.5, 10.5]).await;
    client.go(13.5, 65.5, 10.6).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [13.5, 65.5, 10.6]);
    // Grass does not stop anybody, and barriers end the world.
    place(&server, &mut client, [10.5, 64.0, 11.0]).await;
    client.go(10.5, 64.0, 10.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [10.5, 64.0, 10.5]);
    place(&server, &mut client, [31.5, 64.0, 8.5]).await;
    client.go(32.5, 64.0, 8.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [31.5, 64.0, 8.5]);
}

#[tokio::test]
async fn damage_does_not_stop_the_server() {
    let copy = tempfile::tempdir().unwrap();
    for (path, bytes) in files(&folder()) {
        let path = copy.path().join(path.strip_prefix(folder()).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::write(copy.path().join("dimensions/minecraft/overworld/region/r.-1.0.mca"), [1; 5000]).unwrap();
    let server = server(ServerOptions { save_from: Some(copy.path().to_owned()), ..options() });
    let mut client = join(&server, "player").await;
    ticks(&server, &mut client, 5).await;
    assert_eq!(client.block(-1, 63, 5), Some(BlockKind::Barrier.into()));
    assert_eq!(client.block(0, 62, 5), Some(BlockKind::Stone.into()));
}

#[test]
fn a_folder_that_is_no_world_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = Server::start(ServerOptions { save_from: Some(folder.path().to_owned()), ..options() }).unwrap_err();
    assert!(matches!(error, ServerError::SavedWorld(_)) && error.to_string().contains("level.dat"), "{error}");
}
