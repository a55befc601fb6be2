import type { CycleReport } from '../../schemas/records/cycle-report.ts'

/** Outcomes that end the source's own part of a cycle; a polled one then waits for the checkpoint. */
const ENDS_POLL = new Set(['polled', 'failed', 'abandoned'])
const CLOSES = new Set(['failed', 'abandoned', 'checkpointed', 'superseded', 'lost'])

interface OpenCycle {
  /** Where its first report stands; undefined while only we know that we sent it. */
  readonly place: { readonly partition: number; readonly offset: number } | undefined
  readonly report: CycleReport
}

/**
 * What `cycle-reports` says of the partners that this instance owns: whose cycle is still open, and which cycle is the
 * newest. The committed offset of a partition never passes the first report of an open cycle, so whoever owns it next
 * reads of that cycle again.
 */
export class CycleBook {
  readonly #open = new Map<string, OpenCycle>()
  readonly #newest = new Map<string, number>()
  #floor: number | undefined
  readonly #closed = new Map<string, number>()
  readonly #waiting = new Map<string, () => void>()
  readonly #read = new Map<number, number>()
  readonly #committed = new Map<number, number>()
  readonly #partners: ReadonlySet<string>

  /** @param partners of the partner file; others hold nothing back */
  constructor(partners: readonly string[]) {
    this.#partners = new Set(partners)
  }

  /** A record of `cycle-reports`; undefined for one that cannot be read. */
  read(partition: number, offset: number, report: CycleReport | undefined): void {
    this.#read.set(partition, Math.max(offset + 1, this.#read.get(partition) ?? 0))
    if (report === undefined) return
    this.raiseFloor(report.cycle)
    this.#note(report, { partition, offset })
  }

  /**
   * The newest cycle id of any partner, as far as known: a new one lies above it. A cycle that failed is read by nobody
   * who comes later, but its records are in the catalog: behind a clock that was set back, or on a machine whose clock is
   * behind, a lower id would lose against them. So this goes with the commit.
   */
  get floor(): number | undefined {
    return this.#floor
  }

  raiseFloor(cycle: number): void {
    this.#floor = Math.max(cycle, this.#floor ?? cycle)
  }

  /** A report that we have sent ourselves and shall read a moment later. */
  said(report: CycleReport): void {
    this.#note(report, undefined)
  }

  #note(report: CycleReport, place: OpenCycle['place']): void {
    const { partner, cycle, outcome } = report
    if (!this.#partners.has(partner)) return
    this.#newest.set(partner, Math.max(cycle, this.#newest.get(partner) ?? 0))
    const closed = this.#closed.get(partner) ?? 0
    const open = this.#open.get(partner)
    if (CLOSES.has(outcome)) {
      this.#closed.set(partner, Math.max(cycle, closed))
      if (open !== undefined && open.report.cycle <= cycle) this.#open.delete(partner)
      this.#waiting.get(`${partner}/${cycle}`)?.()
    } else if (cycle > closed && (open === undefined || open.report.cycle < cycle)) {
      this.#open.set(partner, { place, report }) // also in the place of one that was given up
    } else if (open?.report.cycle === cycle) {
      this.#open.set(partner, { place: open.place ?? place, report: ENDS_POLL.has(outcome) ? report : open.report })
    }
  }

  /** Newest cycle id that was ever read of the partner. */
  newest(partner: string): number | undefined {
    return this.#newest.get(partner)
  }

  /** A cycle that was begun and neither polled nor ended: whoever ran it is gone. */
  cutOff(partner: string): CycleReport | undefined {
    const open = this.#open.get(partner)?.report
    return open === undefined || ENDS_POLL.has(open.outcome) ? undefined : open
  }

  /** A polled cycle that the checkpoint has not closed yet. */
  unconfirmed(partner: string): CycleReport | undefined {
    const open = this.#open.get(partner)?.report
    return open?.outcome === 'polled' ? open : undefined
  }

  /** @returns true once the cycle is closed, false after `timeoutMs`; rejects when the signal fires */
  closed(partner: string, cycle: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.reject(signal.reason) // an aborted signal fires no more
    if ((this.#closed.get(partner) ?? 0) >= cycle) return Promise.resolve(true)
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), Math.max(0, timeoutMs))
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    this.#waiting.set(`${partner}/${cycle}`, () => resolve(true))
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#waiting.delete(`${partner}/${cycle}`)
    })
  }

  /** Forgets what another instance owns from now on. */
  keepOnly(partitions: readonly number[]): void {
    for (const [partner, { place }] of this.#open) {
      if (place === undefined || !partitions.includes(place.partition)) this.#open.delete(partner)
    }
    for (const partition of this.#read.keys()) {
      if (partitions.includes(partition)) continue
      this.#read.delete(partition)
      this.#committed.delete(partition)
    }
  }

  /** Offsets to commit: everything before the first open cycle of each partition. Asking takes them as committed. */
  takeCommits(): { partition: number; offset: number }[] {
    const commits: { partition: number; offset: number }[] = []
    const open = [...this.#open.values()].flatMap(({ place }) => place ?? [])
    for (const [partition, read] of this.#read) {
      const offset = Math.min(read, ...open.filter(place => place.partition === partition).map(place => place.offset))
      if (offset <= (this.#committed.get(partition) ?? -1)) continue
      this.#committed.set(partition, offset)
      commits.push({ partition, offset })
    }
    return commits
  }
}
