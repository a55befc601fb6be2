import Bottleneck from 'bottleneck'
import type { Clock } from './clock.ts'

/** How fast the requests of one credential may follow each other. */
export interface Pace {
  readonly requestsPerMinute: number
  /** Who shares the credential: each has one request under way, so none waits for another's slow answer. */
  readonly partners: number
}

/** Who waits: `waitedMs` grows by the time a hold has cost. */
export interface Waiter {
  readonly signal: AbortSignal
  waitedMs: number
}

/** No timer keeps less, and a turn of the limiter costs as much: so fast a partner is one on this machine. */
const SHORTEST_MS = 1

/** One credential's requests, spaced, and held back as a whole when the partner wishes so. */
export class RequestPace {
  readonly #clock: Clock
  readonly #limiter: Bottleneck | undefined
  #hold: { readonly ms: number; readonly untilMs: number } | undefined

  constructor({ requestsPerMinute, partners }: Pace, clock: Clock) {
    this.#clock = clock
    const minTime = 60_000 / requestsPerMinute
    // minTime and maxConcurrent only: a reservoir lets double bursts through, and `expiration` gives up jobs that go on.
    this.#limiter = minTime < SHORTEST_MS ? undefined : new Bottleneck({ minTime, maxConcurrent: partners })
  }

  /** No request starts within that time. */
  hold(ms: number): void {
    if (ms > this.#heldMs()) this.#hold = { ms, untilMs: this.#clock.nowMs() + ms }
  }

  /** Runs it in its turn. @throws the signal's reason when that fires first; it is not run then */
  async run<T>(request: () => Promise<T>, waiter: Waiter): Promise<T> {
    const { signal } = waiter
    for (;;) {
      signal.throwIfAborted()
      await this.#free(waiter)
      if (this.#limiter === undefined) return request()
      const turn = this.#limiter.schedule(async () => {
        signal.throwIfAborted()
        return this.#heldMs() > 0 ? undefined : { done: await request() } // another partner may have been told to wait
      })
      const result = await unlessAborted(turn, signal)
      if (result !== undefined) return result.done
    }
  }

  async #free(waiter: Waiter): Promise<void> {
    for (let hold = this.#hold; hold !== undefined; hold = this.#hold) {
      const ms = Math.max(0, this.#heldMs())
      await this.#clock.sleep(ms, waiter.signal)
      waiter.waitedMs += ms
      if (this.#hold === hold) this.#hold = undefined // even if the clock was set back meanwhile
    }
  }

  #heldMs(): number {
    return this.#hold === undefined ? 0 : Math.min(this.#hold.untilMs - this.#clock.nowMs(), this.#hold.ms)
  }
}

/** A turn can be minutes away; whoever stops does not wait for it. */
function unlessAborted<T>(turn: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  return promise
}
