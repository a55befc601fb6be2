/** Time that a cycle may spend waiting because the partner said 429 or 503. */
const WAIT_BUDGET_MS = 10 * 60_000

/** What one cycle may still spend on waiting, and what it has used. */
export class CycleBudget {
  /** Fires on a stop and at the cycle's deadline. */
  readonly signal: AbortSignal
  requests = 0
  /** Of the answers' bodies, decoded. */
  bytes = 0
  waitedMs = 0
  waitMs = WAIT_BUDGET_MS
  readonly #deadline: AbortSignal

  /** @param timeoutMs from now, by no clock that can be set */
  constructor(stop: AbortSignal, timeoutMs: number) {
    this.#deadline = AbortSignal.timeout(timeoutMs)
    this.signal = AbortSignal.any([stop, this.#deadline])
  }

  /** Why the signal fired; undefined while it has not. */
  get cutOff(): 'CYCLE_STOPPED' | 'CYCLE_TIMEOUT' | undefined {
    if (!this.signal.aborted) return undefined
    return this.signal.reason === this.#deadline.reason ? 'CYCLE_TIMEOUT' : 'CYCLE_STOPPED'
  }

  /** @returns false where the wait is longer than what is left */
  spend(waitMs: number): boolean {
    if (waitMs > this.waitMs) return false
    this.waitMs -= waitMs
    return true
  }
}
