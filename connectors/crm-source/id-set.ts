/**
 * A set that only answers whether an id was there before, in some 24 bytes an id however long it is: a feed of a
 * million listings is watched for drift in 32 MB. Ids are told apart by 52 bits of hash; two of a million different
 * ones are taken for the same once in some 9,000 such feeds, and then the feed is read once more.
 */
export class IdSet {
  #slots = new Float64Array(1_024)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns whether it was new */
  add(id: string): boolean {
    const hash = hashOf(id)
    if (!put(this.#slots, hash)) return false
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  #grow(): void {
    const wider = new Float64Array(this.#slots.length * 2)
    for (const hash of this.#slots) if (hash !== 0) put(wider, hash)
    this.#slots = wider
  }
}

/** Open addressing: 0 is a free slot, so no hash is 0. */
function put(slots: Float64Array, hash: number): boolean {
  let at = hash % slots.length
  while (slots[at] !== 0) {
    if (slots[at] === hash) return false
    at = (at + 1) % slots.length
  }
  slots[at] = hash
  return true
}

/** Two FNV-1a hashes with different primes, side by side: 1 to 2^53. */
function hashOf(id: string): number {
  let high = 0x811c9dc5
  let low = 0x050c5d1f
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x5bd1e995)
    low ^= low >>> 15
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0) + 1
}
