// Ways to click in an inventory, each judged by the picture mineflayer's own window code has of its effect.

import { Failure } from './deadline.mjs'

/** Outside the window. */
const OUTSIDE = -999
const HOTBAR = 36

/**
 * Clicks a stack through the inventory, telling `judge` after each move. Needs a stack of four or more and two free
 * slots in the main part.
 */
export async function click (bot, judge) {
  const { slots } = bot.inventory
  const stack = bot.inventory.items().find(item => item.count >= 4 && item.stackSize === 64)
  const free = from => Array.from({ length: HOTBAR - 9 }, (_, index) => 9 + index).filter(slot => !slots[slot] && slot !== from)
  const [first, second] = free(stack?.slot)
  if (!stack || second === undefined) throw new Failure('there is not enough, or too much, to sort')
  const home = stack.slot
  const left = slot => bot.clickWindow(slot, 0, 0)
  const right = slot => bot.clickWindow(slot, 1, 0)
  const moves = {
    'left click takes all': [() => left(home)],
    'left click puts all': [() => left(first)],
    'right click takes half': [() => right(first)],
    'left click puts half': [() => left(second)],
    'right click puts one': [() => left(first), () => right(second)],
    'left click puts the rest': [() => left(first)],
    'left click on the same kind joins': [() => left(first), () => left(second)],
    'throwing one': [() => bot.clickWindow(slotOf(), 0, 4)],
    'throwing one from the cursor': [() => left(slotOf()), () => bot.clickWindow(OUTSIDE, 1, 0), () => left(home)],
    'throwing all from the cursor': [() => left(home), () => bot.clickWindow(OUTSIDE, 0, 0)]
  }
  const slotOf = () => bot.inventory.items().find(item => item.name === stack.name && item.count >= 2).slot
  for (const [name, steps] of Object.entries(moves)) {
    for (const step of steps) await step()
    await judge(name)
  }
  return `${Object.keys(moves).length} moves`
}
