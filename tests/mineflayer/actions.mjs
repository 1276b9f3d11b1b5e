// The actions of the diamond task, each one with mineflayer's own primitives, each verified by its own effect.

import vec3 from 'vec3'
import { Body } from './body.mjs'
import { Failure, until, within } from './deadline.mjs'

const { Vec3 } = vec3

/** Blocks away that are looked at. */
const SIGHT = 64
/** Cells looked at for a way to a drop. */
const CLOSE = 2000
/** Blocks away a table or furnace may be. */
const NEARBY = 32
/** How near one goes to a drop, in blocks along each axis: the game's reach is 1.4, but things roll. */
const NEAR = [1.2, 0.7, 0.3]
/** Milliseconds a drop may take to be picked up once one stands by it. */
const PICKUP_DEADLINE = 6000
/** Milliseconds a window, a click or a block may take to be answered. */
const ANSWER_DEADLINE = 5000
/** Milliseconds an item may take in a furnace; the game takes 10,000. */
const SMELT_DEADLINE = 15000

const STONE = ['stone', 'cobblestone', 'deepslate', 'cobbled_deepslate', 'andesite', 'diorite', 'granite', 'tuff']

/** Whether a player with its feet here is so near to an item that it can be picked up. */
function touches (feet, item, range) {
  const aside = Math.max(Math.abs(item.x - feet.x), Math.abs(item.z - feet.z))
  return aside < range && item.y > feet.y - 0.4 && item.y < feet.y + 2
}

export class Actions {
  /** With `lenient`, a furnace need not show its fire and its arrow. */
  constructor (bot, lenient) {
    this.bot = bot
    this.lenient = lenient
    this.body = new Body(bot)
  }

  /** Does an action by its name in the vocabulary. */
  async do (name) {
    const { bot } = this
    const named = end => Object.keys(bot.registry.itemsByName).filter(item => item.endsWith(end))
    switch (name) {
      case 'mine_log': return this.mine(named('_log').filter(log => !log.startsWith('stripped_')))
      case 'mine_stone': return this.mine(STONE, ['cobblestone', 'cobbled_deepslate', ...STONE])
      case 'mine_coal': return this.mine(['coal_ore', 'deepslate_coal_ore'], ['coal'])
      case 'mine_iron_ore': return this.mine(['iron_ore', 'deepslate_iron_ore'], ['raw_iron'])
      case 'mine_diamond': return this.mine(['diamond_ore', 'deepslate_diamond_ore'], ['diamond'])
      case 'explore_diamond_down': return this.explore(['diamond_ore', 'deepslate_diamond_ore'])
      case 'craft_planks': return this.craft(named('_planks'))
      case 'craft_stick': return this.craft(['stick'])
      case 'craft_crafting_table': return this.craft(['crafting_table'])
      case 'craft_wooden_pickaxe': return this.craft(['wooden_pickaxe'])
      case 'craft_stone_pickaxe': return this.craft(['stone_pickaxe'])
      case 'craft_furnace': return this.craft(['furnace'])
      case 'craft_iron_pickaxe': return this.craft(['iron_pickaxe'])
      case 'place_crafting_table': return this.place('crafting_table')
      case 'place_furnace': return this.place('furnace')
      case 'equip_wood_pickaxe': return this.equip('wooden_pickaxe')
      case 'equip_stone_pickaxe': return this.equip('stone_pickaxe')
      case 'equip_iron_pickaxe': return this.equip('iron_pickaxe')
      case 'smelt_iron': return this.smelt('raw_iron', 'iron_ingot')
      default: throw new Failure(`there is no action ${name}`)
    }
  }

  /** How many items with one of these names are carried. */
  count (names) {
    return this.bot.inventory.items().filter(item => names.includes(item.name)).reduce((sum, item) => sum + item.count, 0)
  }

  carried (name) {
    const item = this.bot.inventory.items().find(item => item.name === name)
    if (!item) throw new Failure(`no ${name} is carried`)
    return item
  }

  /** The nearest cells with blocks of these names. */
  find (names, count, maxDistance = SIGHT) {
    const { bot } = this
    const matching = names.map(name => bot.registry.blocksByName[name]?.id).filter(id => id !== undefined)
    return bot.findBlocks({ matching, maxDistance, count }).slice(0, count).map(({ x, y, z }) => [x, y, z])
  }

  /** Walks to one of the blocks, breaks it with what is in the hand, picks up what it drops. */
  async mine (blocks, drops = blocks) {
    const { bot, body } = this
    // One kind of wood, so that a recipe finds enough of one kind of planks.
    const known = blocks.filter(name => this.count([name]) > 0)
    const wanted = drops === blocks && known.length > 0 ? known : blocks
    const cells = this.find(wanted, 16)
    if (cells.length === 0) throw new Failure(`no ${wanted[0]} or the like within ${SIGHT} blocks`)
    const way = await body.reach(cells, `to ${wanted[0]}`)
    const before = this.count(drops)
    const there = new Vec3(...way.cell)
    const { name } = bot.blockAt(there)
    await body.dig(way.cell, way.face)
    await this.pickUp(there, () => this.count(drops) > before, `${name} at ${there}`)
    return `${this.count(drops) - before} of ${name}`
  }

  /** Waits for a drop, and goes to where it lies if it is not near enough, nearer and nearer. */
  async pickUp (origin, got, what) {
    const { bot } = this
    const lying = () => Object.values(bot.entities)
      .filter(entity => entity.name === 'item' && entity.position.distanceTo(origin) < 8)
      .sort((a, b) => a.position.distanceTo(origin) - b.position.distanceTo(origin))[0]
    await until(() => got() || lying(), ANSWER_DEADLINE, `what ${what} drops`)
    for (const range of NEAR) {
      const item = lying()
      if (!got() && item && !touches(bot.entity.position, item.position, range)) {
        await this.approach(item, range, `to the drop of ${what}`)
      }
      // A drop can be picked up half a second after it fell.
      const end = Date.now() + PICKUP_DEADLINE / NEAR.length
      while (!got() && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
      if (got()) return
    }
    const item = lying()
    throw new Failure(`what ${what} drops was not picked up: ` +
      (item ? `it lies at ${item.position}, the bot stands at ${bot.entity.position}` : 'it is gone'))
  }

  /** Goes near enough to pick an item up; where nothing else helps, straight at it. */
  async approach (item, range, what) {
    const { body } = this
    const [x, y, z] = [item.position.x, item.position.y, item.position.z].map(Math.floor)
    // It may still be falling.
    const rest = new Vec3(item.position.x, body.land.ground(x, y, z), item.position.z)
    const cell = [x, rest.y, z]
    const near = (x, y, z) => touches(new Vec3(x + 0.5, y, z + 0.5), rest, Math.max(range, 0.5))
    try {
      await body.go([cell], near, what, CLOSE)
      if (touches(this.bot.entity.position, item.position, range)) return
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
    await body.nudge(item.position)
  }

  /** Digs towards the nearest of these blocks until one can be touched. */
  async explore (blocks) {
    const cells = this.find(blocks, 16)
    if (cells.length === 0) throw new Failure(`no ${blocks[0]} within ${SIGHT} blocks`)
    const way = await this.body.reach(cells, `to ${blocks[0]}`)
    return `${blocks[0]} at ${way.cell}`
  }

  /** One craft of whichever of these items can be made; walks to a crafting table where it needs one. */
  async craft (names) {
    const { bot } = this
    const recipe = names.flatMap(name => bot.recipesFor(bot.registry.itemsByName[name].id, null, 1, true))[0]
    if (!recipe) throw new Failure(`${names[0]} cannot be made of ${this.carries()}`)
    let block = null
    if (recipe.requiresTable) {
      const table = this.find(['crafting_table'], 1, NEARBY)[0]
      if (!table) throw new Failure('no crafting table is near')
      await this.body.reach([table], 'to the crafting table')
      block = bot.blockAt(new Vec3(...table))
    }
    const { name } = bot.registry.items[recipe.result.id]
    const before = recipe.delta.map(({ id }) => bot.inventory.count(id))
    await within(bot.craft(recipe, 1, block), 4 * ANSWER_DEADLINE, `crafting ${name}`)
    const wrong = () => recipe.delta.map(({ id, count }, index) => {
      const [expected, now] = [before[index] + count, bot.inventory.count(id)]
      return now === expected ? '' : `${expected} ${bot.registry.items[id].name} expected, ${now} carried; `
    }).join('')
    // A server that repeats the whole inventory may do so in the middle of a click and put it right later.
    await until(() => wrong() === '', ANSWER_DEADLINE, () => `crafting ${name}: ${wrong()}`)
    return `${recipe.result.count} ${name}`
  }

  carries () {
    return this.bot.inventory.items().map(item => `${item.count} ${item.name}`).join(', ') || 'nothing'
  }

  /** Takes something into the hand. */
  async equip (name) {
    const { bot } = this
    await within(bot.equip(this.carried(name), 'hand'), ANSWER_DEADLINE, `equipping ${name}`)
    if (bot.heldItem?.name !== name) throw new Failure(`${bot.heldItem?.name ?? 'nothing'} is in the hand, not ${name}`)
    return name
  }

  /** Puts a block down beside the player. */
  async place (name) {
    const { bot, body } = this
    const before = this.count([name])
    const held = bot.heldItem?.name
    await body.stand()
    const spot = this.spot() ?? await this.niche()
    await this.equip(name)
    const floor = bot.blockAt(new Vec3(...spot).offset(0, -1, 0))
    await within(bot.placeBlock(floor, new Vec3(0, 1, 0)), 2 * ANSWER_DEADLINE, `placing ${name} at ${spot}`)
    const there = () => bot.blockAt(new Vec3(...spot)).name
    if (there() !== name) throw new Failure(`placing ${name}: ${there()} is at ${spot}`)
    await until(() => this.count([name]) === before - 1, ANSWER_DEADLINE, `one ${name} fewer in the inventory`)
    if (held && held !== name && this.count([held]) > 0) await this.equip(held)
    return `${name} at ${spot}`
  }

  /** A free cell on solid ground beside the feet. */
  spot () {
    const { land } = this.body
    const [x, y, z] = this.body.feet()
    const { position } = this.bot.entity
    for (const distance of [1, 2]) {
      for (const [dx, dz] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const [sx, sz] = [x + dx * distance, z + dz * distance]
        const between = distance === 1 || land.kind(x + dx, y, z + dz).passable
        const clear = land.kind(sx, y, sz).name === 'air' && land.kind(sx, y + 1, sz).passable
        // Not where a shoulder is.
        const aside = Math.max(Math.abs(sx + 0.5 - position.x), Math.abs(sz + 0.5 - position.z)) > 0.85
        if (between && clear && aside && land.kind(sx, y - 1, sz).solid) return [sx, y, sz]
      }
    }
    return null
  }

  /** Makes such a cell in a wall. */
  async niche () {
    const { bot, body } = this
    const [x, y, z] = body.feet()
    const { position } = bot.entity
    for (const [dx, dz] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const [nx, nz] = [x + dx, z + dz]
      const cells = [[nx, y + 1, nz], [nx, y, nz]]
      const safe = cells.every(cell => body.land.clearing(...cell) < 10) && body.land.kind(nx, y - 1, nz).solid
      const aside = Math.max(Math.abs(nx + 0.5 - position.x), Math.abs(nz + 0.5 - position.z)) > 0.85
      if (!safe || !aside) continue
      for (const cell of cells) if (!body.land.kind(...cell).passable) await body.dig(cell, [-dx, 0, -dz])
      return [nx, y, nz]
    }
    throw new Failure(`there is no place beside ${bot.entity.position}`)
  }

  /** Smelts one item in the nearest furnace, with coal or planks. */
  async smelt (input, output) {
    const { bot, body } = this
    const cell = this.find(['furnace'], 1, NEARBY)[0]
    if (!cell) throw new Failure('no furnace is near')
    await body.reach([cell], 'to the furnace')
    const before = this.count([output])
    const furnace = await within(bot.openFurnace(bot.blockAt(new Vec3(...cell))), ANSWER_DEADLINE, 'opening the furnace')
    let progress = 0
    const watch = () => { progress = Math.max(progress, furnace.progress ?? 0) }
    furnace.on('update', watch)
    try {
      const id = bot.registry.itemsByName[input].id
      await within(furnace.putInput(id, null, 1), ANSWER_DEADLINE, `putting ${input} into the furnace`)
      if (!furnace.fuelItem() && !(furnace.fuel > 0)) {
        const carried = bot.inventory.items()
        const fuel = carried.find(({ name }) => name === 'coal') ?? carried.find(({ name }) => name.endsWith('_planks'))
        if (!fuel) throw new Failure('nothing carried may be burnt')
        await within(furnace.putFuel(fuel.type, null, 1), ANSWER_DEADLINE, `putting ${fuel.name} into the furnace`)
      }
      const burning = () => this.lenient || furnace.fuel > 0
      await until(burning, ANSWER_DEADLINE, () => `the furnace showing its fire, ${furnace.fuel} now`)
      await until(() => furnace.outputItem()?.name === output, SMELT_DEADLINE, () => `${output}, at ${furnace.progress}`)
      if (!this.lenient && !(progress > 0.5)) throw new Failure(`the furnace's arrow got to ${progress} only`)
      await within(furnace.takeOutput(), ANSWER_DEADLINE, `taking ${output}`)
    } finally {
      furnace.close()
    }
    await until(() => this.count([output]) === before + 1, ANSWER_DEADLINE, `one ${output} more in the inventory`)
    return output
  }
}
