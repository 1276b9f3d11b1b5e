// Joins a Minecraft server with mineflayer and plays a sequence of actions: node play.mjs HOST PORT [--name NAME]
// [--sequence FILE] [--swaps N] [--clicks] [--bare] [--lenient] [--seconds N] [--trace]
//
// With --swaps the last two tools that the sequence equips are equipped again in turn, so many times.
// With --clicks the inventory is sorted in all ways there are at the end. With --bare the inventory is not compared with
// the server's after each action, so that nothing but the action takes time. With --lenient a furnace need not show
// its fire and its arrow, and the server may repeat itself and bring fewer chunks. --trace shows the packets on standard error.
//
// Prints a JSON line for joining and for each action: {"name", "ok", "milliseconds"} with "said" or "reason"; and a last
// one, "total", with resident memory at its highest in bytes and CPU time in seconds. Ends with 0 if everything was done,
// with 1 at the first action that fails, with 2 if the command line is wrong.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import mineflayer from 'mineflayer'
import { Actions } from './actions.mjs'
import { click } from './clicks.mjs'
import { Failure, until, within } from './deadline.mjs'

const VERSION = '26.1'
const JOIN_DEADLINE = 60000
const ACTION_DEADLINE = 180000
const ANSWER_DEADLINE = 5000
const BETWEEN_SWAPS = 7

function usage (message) {
  console.error(`${message}\nusage: node play.mjs HOST PORT [--name NAME] [--sequence FILE] [--swaps N] [--clicks] [--bare] [--lenient] [--seconds N] [--trace]`)
  process.exit(2)
}

function options () {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string', default: 'mineflayer' },
        sequence: { type: 'string', default: new URL('sequence.json', import.meta.url).pathname },
        seconds: { type: 'string', default: '600' },
        swaps: { type: 'string', default: '0' },
        clicks: { type: 'boolean', default: false },
        bare: { type: 'boolean', default: false },
        lenient: { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false }
      }
    })
    const [host, port] = positionals
    if (positionals.length !== 2 || !(Number(port) > 0) || !(Number(values.seconds) > 0)) usage('HOST and PORT are needed')
    const swaps = Number(values.swaps)
    if (!Number.isInteger(swaps) || swaps < 0) usage('N of --swaps is a number of times')
    const sequence = JSON.parse(readFileSync(values.sequence, 'utf8'))
    return { ...values, host, port: Number(port), sequence, swaps, milliseconds: 1000 * Number(values.seconds) }
  } catch (error) {
    return usage(error.message)
  }
}

/** The last two tools that a sequence equips, in turn, so many times. */
function swapping (sequence, times) {
  const tools = sequence.filter(name => name.startsWith('equip_')).slice(-2)
  return Array.from({ length: times }, (_, time) => tools[time % tools.length]).filter(Boolean)
}

/** Where the server puts the player from where it was: nothing, for one who walks as it may. */
function moved (bot) {
  const corrections = []
  let last = null
  bot.on('physicsTick', () => { last = bot.entity.position.clone() })
  // Saying where it is already is no correction: a server may do so until it is confirmed.
  bot.on('forcedMove', () => {
    const { position } = bot.entity
    if (last && last.distanceTo(position) > 1e-3) corrections.push(`from ${last} to ${position}`)
  })
  return corrections
}

/** What ends the run from outside, as a promise that only rejects. */
function ending (bot) {
  const promise = new Promise((resolve, reject) => {
    bot.on('kicked', reason => reject(new Failure(`kicked: ${JSON.stringify(reason)}`)))
    bot.on('error', error => reject(new Failure(`mineflayer: ${error.stack ?? error}`)))
    bot.on('death', () => reject(new Failure('the bot died')))
    // A kick's reason comes first.
    bot.on('end', reason => setTimeout(() => reject(new Failure(`disconnected: ${reason}`)), 50))
  })
  promise.catch(() => {})
  return promise
}

function trace (bot) {
  const silent = /^(map_chunk|position|look|position_look|entity_|rel_entity|sync_entity|keep_alive|update_time|arm_animation|flying)/
  const show = (way, name, data) => {
    if (silent.test(name) && (way === '>' || name !== 'position')) return
    const text = JSON.stringify(data, (_, value) => typeof value === 'bigint' ? `${value}` : value)
    console.error(`${(performance.now() / 1000).toFixed(3)} ${way} ${name} ${text?.slice(0, 400)}`)
  }
  bot._client.on('packet', (data, { name }) => show('<', name, data))
  const write = bot._client.write.bind(bot._client)
  bot._client.write = (name, data) => {
    show('>', name, data)
    return write(name, data)
  }
}

/** Asks the server for the whole inventory and compares: mineflayer's picture must be the server's. */
async function compare (bot, after, lenient) {
  const show = () => ['cursor', ...bot.inventory.slots.keys()].flatMap(slot => {
    const item = slot === 'cursor' ? bot.inventory.selectedItem : bot.inventory.slots[slot]
    return item ? [`${slot}: ${item.count} ${item.name}`] : []
  }).join(', ')
  for (let tries = 0; tries < 5; tries++) {
    let moved = false
    const note = () => { moved = true }
    const news = ['set_slot', 'set_player_inventory', 'collect']
    for (const name of news) bot._client.on(name, note)
    const before = show()
    try {
      await within(bot._syncWindow(bot.inventory), ANSWER_DEADLINE, 'the answer to a click with an impossible state id')
    } finally {
      for (const name of news) bot._client.removeListener(name, note)
    }
    if (lenient) await quiet(bot)
    const now = show()
    if (now === before) return
    // Something was picked up meanwhile; or was just before, and a server that repeats itself says so late.
    if (!moved && !lenient) throw new Failure(`after ${after} the server's inventory is (${now}), the client's was (${before})`)
  }
}

/** Waits until the server says no more of windows: some repeat themselves, which a click in between would mix up. */
async function quiet (bot) {
  let last = Date.now()
  const note = () => { last = Date.now() }
  bot._client.on('window_items', note)
  bot._client.on('set_slot', note)
  try {
    await until(() => Date.now() - last > 150, ANSWER_DEADLINE, 'a moment without news of windows')
  } finally {
    bot._client.removeListener('window_items', note)
    bot._client.removeListener('set_slot', note)
  }
}

async function join (bot, lenient) {
  await within(new Promise(resolve => bot.once('spawn', resolve)), JOIN_DEADLINE, 'joining')
  const line = lenient ? [-1, 0, 1] : [-2, -1, 0, 1, 2]
  const around = line.flatMap(x => line.map(z => [x, z]))
  const missing = () => {
    const { x, z } = bot.entity.position
    return around.filter(([dx, dz]) => !bot.world.getColumn((x >> 4) + dx, (z >> 4) + dz)).length
  }
  await until(() => missing() === 0, JOIN_DEADLINE, () => `the chunks around the player, ${missing()} missing`)
  await until(() => bot.entity.onGround, JOIN_DEADLINE, () => `standing on the ground, now at ${bot.entity.position}`)
  return `at ${bot.entity.position.floored()}`
}

async function main () {
  const { host, port, name, sequence, swaps, milliseconds, clicks, bare, lenient, trace: tracing } = options()
  const started = performance.now()
  const report = (name, ok, since, more) => {
    console.log(JSON.stringify({ name, ok, milliseconds: Math.round(1000 * (performance.now() - since)) / 1000, ...more }))
  }
  const bot = mineflayer.createBot({
    host, port, username: name, version: VERSION, auth: 'offline', logErrors: false, viewDistance: 'short'
  })
  if (tracing) trace(bot)
  const ended = ending(bot)
  const end = started + milliseconds
  const corrections = moved(bot)
  let failed = null
  const play = { actions: null }
  const act = async action => {
    if (action === 'join') return join(bot, lenient)
    if (action === 'clicks') return click(bot, move => compare(bot, move, lenient))
    play.actions ??= new Actions(bot, lenient)
    const said = await play.actions.do(action)
    if (!bare) await compare(bot, action, lenient)
    return said
  }
  const steps = ['join', ...sequence].map(action => ({ action, label: action }))
  // A name of their own: they are counted apart.
  steps.push(...swapping(sequence, swaps).map(action => ({ action, label: action.replace('equip', 'swap') })))
  if (clicks) steps.push({ action: 'clicks', label: 'clicks' })
  for (const { action, label } of steps) {
    // Not all in one moment of the client's.
    if (label.startsWith('swap')) await new Promise(resolve => setTimeout(resolve, BETWEEN_SWAPS))
    const since = performance.now()
    try {
      const said = await Promise.race([within(act(action), Math.min(ACTION_DEADLINE, end - since), action), ended])
      report(label, true, since, { said })
    } catch (error) {
      failed = error
      report(label, false, since, { reason: error instanceof Failure ? error.message : error.stack })
      break
    }
  }
  const { user, system } = process.cpuUsage()
  report('total', failed === null, started, {
    resident_bytes: process.resourceUsage().maxRSS * 1024,
    cpu_seconds: (user + system) / 1e6,
    corrections
  })
  bot.quit()
  // Timers of mineflayer's would keep the process.
  setTimeout(() => process.exit(failed === null ? 0 : 1), 100)
}

await main()
