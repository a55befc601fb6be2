/** Chance that repeats: each call of the result gives a number from 0 to below 1. */
export function randomOf(seed: number): () => number
export function between(random: () => number, range: readonly [low: number, high: number]): number
export function pick<Item>(random: () => number, list: readonly Item[]): Item
