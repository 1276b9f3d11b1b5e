// What the bot's picture of the world means for a body: what can be walked through, stood on and dug, and the ways there.

import vec3 from 'vec3'

const { Vec3 } = vec3

const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]]
/** Seconds it takes to walk one block. */
const STEP = 0.24
/** Added for every block broken on the way, in seconds: standing still, turning, the server's answer. */
const HALT = 0.15

const DANGERS = new Set(['lava', 'water', 'fire', 'soul_fire', 'cactus', 'magma_block', 'sweet_berry_bush',
  'powder_snow', 'cobweb', 'bubble_column', 'campfire', 'wither_rose', 'pointed_dripstone'])
const FALLING = new Set(['sand', 'red_sand', 'gravel', 'suspicious_sand', 'suspicious_gravel'])
/** What one would rather not break on the way. */
const KEPT = new Set(['crafting_table', 'furnace', 'chest'])

const NOTHING_KNOWN = { passable: false, solid: false, danger: true, falls: false, seconds: Infinity }

export class Land {
  constructor (bot) {
    this.bot = bot
    this.kinds = new Map()
    this.tool = undefined
    this.cursor = new Vec3(0, 0, 0)
  }

  /** The kind of block in a cell. */
  kind (x, y, z) {
    const tool = this.bot.heldItem?.type ?? null
    if (tool !== this.tool) {
      this.kinds.clear()
      this.tool = tool
    }
    this.cursor.set(x, y, z)
    if (!this.bot.world.getColumnAt(this.cursor)) return NOTHING_KNOWN
    const state = this.bot.world.getBlockStateId(this.cursor)
    let kind = this.kinds.get(state)
    if (!kind) {
      kind = this.describe(this.bot.blockAt(this.cursor.clone(), false))
      this.kinds.set(state, kind)
    }
    return kind
  }

  describe (block) {
    const danger = DANGERS.has(block.name)
    const passable = !danger && block.shapes.length === 0
    const full = block.shapes.length === 1 && block.shapes[0].every((edge, index) => edge === (index < 3 ? 0 : 1))
    const seconds = block.diggable && !KEPT.has(block.name)
      ? block.digTime(this.tool, false, false, false, [], {}) / 1000
      : Infinity
    return { name: block.name, passable, solid: full, danger, falls: FALLING.has(block.name), seconds }
  }

  /** Seconds to make a cell passable; infinite where that is not safe. */
  clearing (x, y, z) {
    const kind = this.kind(x, y, z)
    if (kind.passable) return 0
    if (kind.danger || kind.seconds === Infinity || this.kind(x, y + 1, z).falls) return Infinity
    for (const [dx, dy, dz] of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) {
      const beside = this.kind(x + dx, y + dy, z + dz).name
      if (beside === undefined || beside === 'lava' || beside === 'water') return Infinity
    }
    return kind.seconds + HALT
  }

  /**
   * What a player with its feet in this cell can touch: cells with the face to click and the cells that must be free
   * in between.
   */
  * touchable (x, y, z) {
    for (const [dx, dz] of SIDES) {
      yield { cell: [x + dx, y + 1, z + dz], face: [-dx, 0, -dz], free: [] }
      yield { cell: [x + dx, y, z + dz], face: [-dx, 0, -dz], free: [] }
      yield { cell: [x + dx, y + 2, z + dz], face: [0, -1, 0], free: [[x + dx, y + 1, z + dz]] }
      yield { cell: [x + dx, y - 1, z + dz], face: [0, 1, 0], free: [[x + dx, y, z + dz], [x + dx, y + 1, z + dz]] }
    }
    const free = []
    for (let above = 2; above <= 5; above++) {
      yield { cell: [x, y + above, z], face: [0, -1, 0], free: [...free] }
      free.push([x, y + above, z])
    }
  }

  /** How one of these cells (keys of a map) can be touched from here, if any can. */
  touch (x, y, z, targets) {
    for (const way of this.touchable(x, y, z)) {
      if (targets.has(key(...way.cell)) && way.free.every(cell => this.kind(...cell).passable)) return way
    }
    return null
  }

  /**
   * The quickest way found from a cell to one where `arrived` holds: steps with the cells to clear first. Heads for the
   * nearest of the cells in `targets`. If so many cells were looked at in vain, a way to the nearest one found; nothing
   * if there is none.
   */
  way (from, targets, arrived, limit) {
    const open = new Heap()
    const seen = new Map()
    // An underestimate only for walking: where one digs, any way that is not long is as good.
    const pace = this.kind(...targets[0]).passable ? STEP : 3 * STEP
    const guess = (x, y, z) => {
      let best = Infinity
      for (const [tx, ty, tz] of targets) {
        best = Math.min(best, Math.abs(tx - x) + Math.abs(ty - y) + Math.abs(tz - z))
      }
      return Math.max(0, best - 2) * pace
    }
    const start = { x: from[0], y: from[1], z: from[2], cost: 0, dig: [], back: null }
    seen.set(key(...from), start)
    open.push(guess(...from), start)
    let nearest = { node: start, left: guess(...from) }
    for (let looked = 0; looked < limit; looked++) {
      const node = open.pop()
      if (!node) break
      if (node.closed) continue
      node.closed = true
      if (arrived(node.x, node.y, node.z)) return unwind(node)
      const left = guess(node.x, node.y, node.z)
      if (left < nearest.left) nearest = { node, left }
      for (const [x, y, z, cost, dig] of this.moves(node.x, node.y, node.z)) {
        const total = node.cost + cost
        const known = seen.get(key(x, y, z))
        if (known && known.cost <= total) continue
        const next = { x, y, z, cost: total, dig, back: node }
        if (known) known.closed = true
        seen.set(key(x, y, z), next)
        open.push(total + guess(x, y, z), next)
      }
    }
    return nearest.node === start ? null : unwind(nearest.node)
  }

  /** The height at which something dropped in a cell comes to rest. */
  ground (x, y, z) {
    while (y > this.bot.game.minY && this.kind(x, y - 1, z).passable) y--
    return y
  }

  /** One step: along, up or down by one, or a drop of up to three. */
  * moves (x, y, z) {
    for (const [dx, dz] of SIDES) {
      const [nx, nz] = [x + dx, z + dz]
      for (const [rise, clear] of [[0, [1, 0]], [1, [2, 1]], [-1, [1, 0, -1]]]) {
        if (!this.kind(nx, y + rise - 1, nz).solid) continue
        let cost = rise === 0 ? STEP : 1.5 * STEP
        const dig = []
        const cells = clear.map(up => [nx, y + up, nz])
        if (rise === 1) cells.unshift([x, y + 2, z])
        for (const cell of cells) {
          const seconds = this.clearing(...cell)
          cost += seconds
          if (seconds > 0) dig.push(cell)
        }
        if (cost < Infinity) yield [nx, y + rise, nz, cost, dig]
      }
      const open = up => this.kind(nx, y + up, nz).passable
      if (open(1) && open(0) && open(-1)) {
        for (let drop = 2; drop <= 3 && open(-drop); drop++) {
          if (this.kind(nx, y - drop - 1, nz).solid) yield [nx, y - drop, nz, (1 + drop) * STEP, []]
        }
      }
    }
  }
}

/** A cell as one number; far enough for any walk: a million blocks each way. */
export function key (x, y, z) {
  return ((x + 2 ** 20) * 2 ** 21 + (z + 2 ** 20)) * 2 ** 10 + y + 2 ** 9
}

function unwind (node) {
  const steps = []
  for (; node.back; node = node.back) steps.unshift({ cell: [node.x, node.y, node.z], dig: node.dig })
  return steps
}

/** A binary heap, least first. */
class Heap {
  constructor () {
    this.items = []
  }

  push (rank, value) {
    const items = this.items
    let at = items.push({ rank, value }) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (items[above].rank <= items[at].rank) break
      [items[above], items[at]] = [items[at], items[above]]
      at = above
    }
  }

  pop () {
    const items = this.items
    if (items.length === 0) return undefined
    const top = items[0]
    const last = items.pop()
    if (items.length > 0) {
      items[0] = last
      let at = 0
      for (;;) {
        let least = at
        for (const below of [2 * at + 1, 2 * at + 2]) {
          if (below < items.length && items[below].rank < items[least].rank) least = below
        }
        if (least === at) break
        [items[least], items[at]] = [items[at], items[least]]
        at = least
      }
    }
    return top.value
  }
}
