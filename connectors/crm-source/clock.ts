import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, so that decisions can be tested without waiting. */
export interface Clock {
  readonly nowMs: () => number
  /** Rejects with an AbortError when the signal fires first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** 0 to 1. */
  readonly chance: () => number
}

export const systemClock: Clock = {
  nowMs: Date.now,
  sleep: async (ms, signal) => {
    if (ms > 0) await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
  chance: Math.random,
}
