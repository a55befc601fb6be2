import type { CycleOutcome, CycleReport } from '../../schemas/records/cycle-report.ts'
import type { CheckpointMemory } from './decision.ts'

/** A polled cycle that is not closed yet, and where its report stands in `cycle-reports`. */
export interface OpenCycle {
  readonly report: CycleReport
  readonly partition: number
  readonly offset: number
  memory: CheckpointMemory
}

/** Our own words. */
const CLOSING: ReadonlySet<CycleOutcome> = new Set(['checkpointed', 'superseded', 'lost'])

/**
 * The open cycles of the partitions that this instance owns. The committed offset of a partition never passes an open
 * cycle's report, so a restart reads it again and nothing needs to be stored elsewhere.
 */
export class OpenCycles {
  readonly #cycles = new Map<string, OpenCycle>()
  /** Offset after the last record read, by partition. */
  readonly #read = new Map<number, number>()
  readonly #committed = new Map<number, number>()
  readonly #partners: ReadonlySet<string>

  /** @param partners of the partner file; others, whose topic may be gone, hold nothing up */
  constructor(partners: readonly string[]) {
    this.#partners = new Set(partners)
  }

  get all(): readonly OpenCycle[] {
    return [...this.#cycles.values()].sort((a, b) => a.offset - b.offset)
  }

  /**
   * Notes a record of `cycle-reports`; only a polled cycle stays open. A closing report that is read again closes its
   * cycle again: a restart that reopened it could undo an operator's reset, or mark a cycle that was lost.
   */
  read(partition: number, offset: number, report: CycleReport | undefined): void {
    this.#read.set(partition, Math.max(offset + 1, this.#read.get(partition) ?? 0))
    if (report === undefined || !this.#partners.has(report.partner)) return
    const place = `${partition}/${offset}`
    if (CLOSING.has(report.outcome)) this.#closeBy(report)
    else if (report.outcome === 'polled' && !this.#cycles.has(place)) {
      this.#cycles.set(place, { report, partition, offset, memory: {} })
    }
  }

  close({ partition, offset }: OpenCycle): void {
    this.#cycles.delete(`${partition}/${offset}`)
  }

  #closeBy({ partner, cycle }: CycleReport): void {
    for (const open of this.#cycles.values()) {
      if (open.report.partner === partner && open.report.cycle === cycle) this.close(open)
    }
  }

  /** Forgets what another instance owns from now on. */
  keepOnly(partitions: readonly number[]): void {
    for (const [place, { partition }] of this.#cycles) if (!partitions.includes(partition)) this.#cycles.delete(place)
    for (const partition of this.#read.keys()) {
      if (partitions.includes(partition)) continue
      this.#read.delete(partition)
      this.#committed.delete(partition)
    }
  }

  /** Offsets to commit: everything before the first open cycle of each partition. Asking takes them as committed. */
  takeCommits(): { partition: number; offset: number }[] {
    const commits: { partition: number; offset: number }[] = []
    for (const [partition, read] of this.#read) {
      const firstOpen = this.all.find(cycle => cycle.partition === partition)
      const offset = firstOpen?.offset ?? read
      if (offset <= (this.#committed.get(partition) ?? -1)) continue
      this.#committed.set(partition, offset)
      commits.push({ partition, offset })
    }
    return commits
  }
}
