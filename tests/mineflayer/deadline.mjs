// Waiting: nothing here waits for ever.

/** A failure whose message is for people: no stack is shown. */
export class Failure extends Error {}

/** The promise's result, or a failure saying what was waited for after so many milliseconds. */
export function within (promise, milliseconds, what) {
  let timer
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Failure(`${what}: not within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Waits until the condition gives something true, and gives that. `what` may be a function of nothing. */
export async function until (condition, milliseconds, what) {
  const end = Date.now() + milliseconds
  for (;;) {
    const result = condition()
    if (result) return result
    if (Date.now() >= end) {
      const said = typeof what === 'function' ? what() : what
      throw new Failure(`${said}: not within ${milliseconds} ms`)
    }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
