// Writes the world in prismarine/ with prismarine-provider-anvil, so that the tests read what another program wrote:
//   npm install prismarine-provider-anvil@2.13.0 prismarine-chunk@1.41.0 && node prismarine.mjs
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const require = createRequire(`${process.cwd()}/`);
const registry = require("prismarine-registry")("1.21.11");
const Chunk = require("prismarine-chunk")(registry);
const Block = require("prismarine-block")(registry);
const { Anvil } = require("prismarine-provider-anvil");
const nbt = require("prismarine-nbt");
const { Vec3 } = require("vec3");

const folder = new URL("prismarine/", import.meta.url).pathname;
const regions = `${folder}dimensions/minecraft/overworld/region`;
await rm(folder, { recursive: true, force: true });
await mkdir(regions, { recursive: true });

const state = (name, properties = {}) =>
  Block.fromProperties(registry.blocksByName[name].id, properties, 0).stateId;

/** Grass on stone on bedrock, at y 63. */
function land() {
  const chunk = new Chunk({ minY: -64, worldHeight: 384 });
  for (let x = 0; x < 16; x++) {
    for (let z = 0; z < 16; z++) {
      chunk.setBlockStateId(new Vec3(x, -64, z), state("bedrock"));
      for (let y = 48; y < 63; y++) chunk.setBlockStateId(new Vec3(x, y, z), state("stone"));
      chunk.setBlockStateId(new Vec3(x, 63, z), state("grass_block", { snowy: false }));
    }
  }
  return chunk;
}

const meadow = land();
const put = (x, y, z, name, properties) => meadow.setBlockStateId(new Vec3(x, y, z), state(name, properties));
put(2, 62, 2, "diamond_ore");
put(3, 62, 2, "gold_ore");
put(4, 62, 2, "deepslate", { axis: "x" });
put(4, 64, 4, "oak_log", { axis: "z" });
put(4, 65, 4, "oak_leaves", { distance: 1, persistent: true, waterlogged: false });
put(8, 63, 8, "water", { level: 0 });
put(9, 63, 8, "water", { level: 3 });
put(10, 63, 8, "lava", { level: 0 });
put(6, 64, 6, "oak_stairs", { facing: "east", half: "bottom", shape: "straight", waterlogged: true });
put(10, 64, 10, "short_grass");
put(11, 64, 10, "torch");
put(12, 64, 10, "oak_planks");
put(13, 64, 10, "oak_fence", { east: true, north: false, south: false, waterlogged: false, west: false });
put(14, 64, 10, "glass");
put(12, 64, 4, "furnace", { facing: "south", lit: false });
put(13, 64, 4, "chest", { facing: "west", type: "single", waterlogged: false });
put(1, 300, 1, "snow_block");
for (let y = 64; y < 68; y++) {
  for (let x = 0; x < 4; x++) {
    for (let z = 0; z < 4; z++) meadow.setBiome(new Vec3(x, y, z), registry.biomesByName.cherry_grove.id);
  }
}

// Ninety states in one section.
const many = land();
const first = registry.blocksByName.note_block.minStateId;
for (let i = 0; i < 90; i++) many.setBlockStateId(new Vec3(i % 16, 64 + (i >> 4), 0), first + i);

const world = new (Anvil("1.21.11"))(regions);
await world.save(0, 0, meadow);
await world.save(1, 0, many);
await world.save(0, 1, land());
await world.save(-1, 0, land());
await world.close();

const level = (spawn) =>
  gzipSync(
    nbt.writeUncompressed({
      type: "compound",
      name: "",
      value: {
        Data: nbt.comp({
          DataVersion: nbt.int(registry.version.dataVersion),
          LevelName: nbt.string("prismarine"),
          WorldGenSettings: nbt.comp({ seed: nbt.long([0, 42]) }),
          ...spawn,
        }),
      },
    }),
  );
const since_1_21_9 = { spawn: nbt.comp({ dimension: nbt.string("minecraft:overworld"), pos: nbt.intArray([5, 64, 9]) }) };
await writeFile(`${folder}level.dat`, level(since_1_21_9));
await writeFile(`${folder}level-1.18.dat`, level({ SpawnX: nbt.int(6), SpawnY: nbt.int(64), SpawnZ: nbt.int(9) }));
