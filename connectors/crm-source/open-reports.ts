import type { CycleReport } from '../../schemas/records/cycle-report.ts'

/** Cycles that wait for the checkpoint's word, woken by the closing reports that the ownership consumer reads. */
export interface OpenReports {
  note(report: CycleReport): void
  /** @returns true once the cycle is closed, false after `timeoutMs`; rejects when the signal fires */
  closed(partner: string, cycle: number, timeoutMs: number, signal: AbortSignal): Promise<boolean>
}

const CLOSING = new Set(['checkpointed', 'superseded', 'lost'])

export function openReports(): OpenReports {
  const waiting = new Map<string, () => void>()
  /** Newest closed cycle of each partner: the word may come before anybody waits for it. */
  const newest = new Map<string, number>()
  return {
    note({ partner, cycle, outcome }) {
      if (!CLOSING.has(outcome)) return
      newest.set(partner, Math.max(cycle, newest.get(partner) ?? 0))
      waiting.get(`${partner}/${cycle}`)?.()
    },
    closed(partner, cycle, timeoutMs, signal) {
      if ((newest.get(partner) ?? 0) >= cycle) return Promise.resolve(true)
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      const timer = setTimeout(() => resolve(false), timeoutMs)
      const stop = (): void => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      waiting.set(`${partner}/${cycle}`, () => resolve(true))
      return promise.finally(() => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        waiting.delete(`${partner}/${cycle}`)
      })
    },
  }
}
