/**
 * How a cycle went (design section 3.6). The source reports `polled` or `failed`; the checkpoint closes a polled cycle
 * with `checkpointed`, `superseded` or `lost`, so whoever follows the topic knows without asking.
 */
export type CycleOutcome = 'polled' | 'failed' | 'checkpointed' | 'superseded' | 'lost'

/** Times are milliseconds since the Unix epoch. */
export interface CycleReport {
  readonly partner: string
  readonly cycle: number
  readonly outcome: CycleOutcome
  /** Committed offset of the since group that the cycle started from; NO_BASE when there was none. */
  readonly base: number
  readonly since: number | null
  readonly next_since: number | null
  readonly started_at: number
  readonly ended_at: number
  readonly pages: number
  readonly properties: number
  readonly deletions: number
  readonly properties_partition: number
  /** Next offset after the cycle's last record in `properties.raw`; null when it sent none. */
  readonly properties_offset: number | null
  readonly deletions_partition: number
  readonly deletions_offset: number | null
  readonly drift: boolean
  readonly error_code: string | null
  readonly error: string | null
}

export const NO_BASE = -1

export const sampleCycleReport: CycleReport = {
  partner: 'acme',
  cycle: 1_790_000_000_000,
  outcome: 'polled',
  base: NO_BASE,
  since: null,
  next_since: 1_789_999_700_000,
  started_at: 1_790_000_000_000,
  ended_at: 1_790_000_004_000,
  pages: 5,
  properties: 1_000,
  deletions: 3,
  properties_partition: 2,
  properties_offset: 1_000,
  deletions_partition: 2,
  deletions_offset: 3,
  drift: false,
  error_code: null,
  error: null,
}
