/** Chance that repeats: the mulberry32 generator. Each call of the result gives a number from 0 to below 1. */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from `low` to `high`, both included. */
export const between = (random, [low, high]) => low + Math.floor(random() * (high - low + 1))

export const pick = (random, list) => list[Math.floor(random() * list.length)]
