import type { Logger } from 'pino'
import type { PropertyPage } from '../../schemas/feeds.ts'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Clock } from './clock.ts'
import type { PartnerWarning } from './warnings.ts'

const PROGRESS_EVERY_MS = 1_000

/** What a cycle has done so far, as its report tells it. */
export class CycleTally {
  readonly warnings = new Set<PartnerWarning>()
  drift = false
  deletions = 0
  pages = 0
  properties = 0
  #propertiesOffset: number | null = null
  #deletionsOffset: number | null = null
  #progressDueMs = 0
  readonly #partner: string
  readonly #cycle: number
  readonly #clock: Clock
  readonly #log: Logger

  constructor(partner: string, cycle: number, clock: Clock, log: Logger) {
    this.#partner = partner
    this.#cycle = cycle
    this.#clock = clock
    this.#log = log
  }

  /** A line every second at most: whoever waits for a long first cycle sees it move. */
  page({ elements, totalCount: total }: PropertyPage): void {
    this.pages += 1
    this.properties += elements.length
    if (this.#clock.nowMs() < this.#progressDueMs) return
    this.#progressDueMs = this.#clock.nowMs() + PROGRESS_EVERY_MS
    const { pages, properties } = this
    this.#log.info({ event: 'cycle_progress', partner: this.#partner, cycle: this.#cycle, pages, properties, total })
  }

  /** @param offset after the last record sent; null when nothing was */
  propertiesOffset(offset: number | null): void {
    this.#propertiesOffset = offset ?? this.#propertiesOffset
  }

  deletionsOffset(offset: number | null): void {
    this.#deletionsOffset = offset ?? this.#deletionsOffset
  }

  counts({ requests, bytes, waitedMs }: { requests: number; bytes: number; waitedMs: number }): Counts {
    return {
      pages: this.pages,
      properties: this.properties,
      deletions: this.deletions,
      properties_offset: this.#propertiesOffset,
      deletions_offset: this.#deletionsOffset,
      requests,
      bytes,
      waited_ms: Math.round(waitedMs),
      drift: this.drift,
      warnings: [...this.warnings],
    }
  }
}

type Counts = Pick<
  CycleReport,
  | 'pages'
  | 'properties'
  | 'deletions'
  | 'properties_offset'
  | 'deletions_offset'
  | 'requests'
  | 'bytes'
  | 'waited_ms'
  | 'drift'
  | 'warnings'
>

export const NOTHING_YET: Counts = {
  pages: 0,
  properties: 0,
  deletions: 0,
  properties_offset: null,
  deletions_offset: null,
  requests: 0,
  bytes: 0,
  waited_ms: 0,
  drift: false,
  warnings: [],
}
