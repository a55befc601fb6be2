import { createRequire } from 'node:module'

/**
 * kafkajs 2.2.4 re-arms a timer after every request with a negative delay: a warning on Node 24 and some 1,750 timers
 * a second per idle consumer. This replaces that one method; the timer is only wanted while requests wait or the
 * broker throttles us. kafkajs is no longer released, so there is nothing to wait for upstream (ADR 2).
 */
const CHECK_PENDING_MS = 10

interface RequestQueue {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  readonly pending: readonly unknown[]
  checkPendingRequests(): void
}

export function calmRequestQueue(): void {
  const queueClass = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: object }
  Object.assign(queueClass.prototype, {
    scheduleCheckPendingRequests(this: RequestQueue) {
      const throttledMs = this.throttledUntil - Date.now()
      if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && throttledMs <= 0)) return
      this.throttleCheckTimeoutId = setTimeout(
        () => {
          this.throttleCheckTimeoutId = null
          this.checkPendingRequests()
        },
        Math.max(throttledMs, CHECK_PENDING_MS),
      )
    },
  })
}
