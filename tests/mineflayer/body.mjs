// The bot's body: walking, tunnelling and digging with mineflayer's own controls, step by step.

import vec3 from 'vec3'
import { Failure, until, within } from './deadline.mjs'
import { Land, key } from './land.mjs'

const { Vec3 } = vec3

/** Milliseconds one step may take, a fall of three blocks included. */
const STEP_DEADLINE = 4000
/** Milliseconds a block may take to break beyond what the tool needs, until the server says it is gone. */
const ANSWER_DEADLINE = 3000
/** How often a way is looked for again: when it was too far for one search, or the world was not as it looked. */
const TRIES = 8
/** Cells looked at for a way. */
const LIMIT = 30000

export class Body {
  constructor (bot) {
    this.bot = bot
    this.land = new Land(bot)
  }

  /** The cell the feet are in. On a slab or in the middle of a jump that is the nearest one. */
  feet () {
    const { x, y, z } = this.bot.entity.position
    return [Math.floor(x), Math.floor(y + 0.2), Math.floor(z)]
  }

  /** Goes where one of these cells can be touched; says how. */
  async reach (cells, what) {
    const targets = new Set(cells.map(cell => key(...cell)))
    await this.go(cells, (x, y, z) => this.land.touch(x, y, z, targets) !== null, what)
    return this.land.touch(...this.feet(), targets)
  }

  /**
   * Walks to a cell where `arrived` holds, heading for the nearest of the cells, breaking what is in the way. Looks at so
   * many cells for a way.
   */
  async go (cells, arrived, what, limit = LIMIT) {
    let trouble = 'no way was found'
    for (let tries = 0; tries < TRIES; tries++) {
      await until(() => this.bot.entity.onGround, STEP_DEADLINE, 'standing on the ground')
      const way = this.land.way(this.feet(), cells, arrived, limit)
      if (!way) break
      try {
        for (const step of way) await this.step(step)
        await this.stand()
        if (arrived(...this.feet())) return
        trouble = `the way ended at ${this.feet()} instead`
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        trouble = error.message
      } finally {
        this.bot.clearControlStates()
      }
    }
    throw new Failure(`${what}: ${trouble}, from ${this.feet()}`)
  }

  async step ({ cell: [x, y, z], dig }) {
    for (const cell of dig) {
      // What falls into the gap is broken too.
      for (let again = 0; again < 4 && !this.land.kind(...cell).passable; again++) {
        await this.stand()
        await this.dig(cell, this.facing(cell))
      }
    }
    const there = new Vec3(x + 0.5, y, z + 0.5)
    const { bot } = this
    const arrived = () => {
      const { position, onGround } = bot.entity
      const aside = Math.hypot(there.x - position.x, there.z - position.z)
      return aside < 0.3 && onGround && Math.abs(position.y - y) < 0.3
    }
    const steer = () => {
      const { position } = bot.entity
      const aside = Math.hypot(there.x - position.x, there.z - position.z)
      bot.look(Math.atan2(position.x - there.x, position.z - there.z), 0, true)
      bot.setControlState('forward', aside > 0.15)
      bot.setControlState('jump', y > position.y + 0.1)
    }
    bot.on('physicsTick', steer)
    try {
      await until(arrived, STEP_DEADLINE, () => `a step to ${[x, y, z]}, now at ${bot.entity.position}`)
    } finally {
      bot.removeListener('physicsTick', steer)
    }
  }

  /** Walks straight at a place for half a second, whatever is in the way. */
  async nudge (there) {
    const { bot } = this
    await bot.lookAt(there.offset(0, bot.entity.eyeHeight, 0), true)
    bot.setControlState('forward', true)
    await new Promise(resolve => setTimeout(resolve, 500))
    await this.stand()
  }

  /** Stops. */
  async stand () {
    const { bot } = this
    bot.clearControlStates()
    const still = () => bot.entity.onGround && Math.hypot(bot.entity.velocity.x, bot.entity.velocity.z) < 0.02
    await until(still, STEP_DEADLINE, 'standing still')
  }

  /** The face of a cell that is turned to the player. */
  facing ([x, y, z]) {
    const eyes = this.bot.entity.position.offset(0, this.bot.entity.eyeHeight, 0)
    const [dx, dy, dz] = [eyes.x - x - 0.5, eyes.y - y - 0.5, eyes.z - z - 0.5]
    if (Math.abs(dy) > Math.max(Math.abs(dx), Math.abs(dz))) return [0, Math.sign(dy), 0]
    return Math.abs(dx) > Math.abs(dz) ? [Math.sign(dx), 0, 0] : [0, 0, Math.sign(dz)]
  }

  /** Breaks a block with what is in the hand, and has the server's word for it: mineflayer's own is only a guess. */
  async dig (cell, face) {
    const { bot } = this
    const block = bot.blockAt(new Vec3(...cell))
    if (!block || !bot.canDigBlock(block)) throw new Failure(`${block?.name ?? 'nothing known'} at ${cell} cannot be dug`)
    const what = `digging ${block.name} at ${cell}`
    const word = this.listen(cell)
    try {
      await within(bot.dig(block, true, new Vec3(...face)), bot.digTime(block) + ANSWER_DEADLINE, what)
      await until(() => word.states.length > 0, ANSWER_DEADLINE, `${what}: the server's block update`)
      await until(() => word.states.at(-1) === 0, ANSWER_DEADLINE, () => `${what}: the server says ${word.states}`)
    } catch (error) {
      bot.stopDigging()
      throw error instanceof Failure ? error : new Failure(`${what}: ${error.message}`)
    } finally {
      word.stop()
    }
  }

  /** The states the server says a cell has, from now on. */
  listen ([x, y, z]) {
    const states = []
    const client = this.bot._client
    const one = ({ location, type }) => {
      if (location.x === x && location.y === y && location.z === z) states.push(type)
    }
    const many = ({ chunkCoordinates: section, records }) => {
      if (section.x !== x >> 4 || section.y !== y >> 4 || section.z !== z >> 4) return
      const here = (x & 15) << 8 | (z & 15) << 4 | (y & 15)
      for (const record of records) if (record % 4096 === here) states.push(Math.floor(record / 4096))
    }
    client.on('block_change', one)
    client.on('multi_block_change', many)
    const stop = () => {
      client.removeListener('block_change', one)
      client.removeListener('multi_block_change', many)
    }
    return { states, stop }
  }
}
