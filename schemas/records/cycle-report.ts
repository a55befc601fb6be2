/**
 * What happened to a cycle (design section 3.6, ADR 3). The source reports that it `started`, then how it went: `polled`,
 * `failed`, or `abandoned` where the source that ran it is gone. The checkpoint closes a polled cycle with `checkpointed`,
 * `superseded` or `lost`, so whoever follows the topic knows without asking.
 */
export type CycleOutcome = 'started' | 'polled' | 'failed' | 'abandoned' | 'checkpointed' | 'superseded' | 'lost'

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
  readonly requests: number
  /** Of the answers' bodies, decoded. */
  readonly bytes: number
  /** Because the partner asked for it. */
  readonly waited_ms: number
  /** The partner's clock less ours; null where it sent no `Date`. */
  readonly skew_ms: number | null
  /** What the partner does differently from the contract without making the cycle wrong. */
  readonly warnings: readonly string[]
  /** The property feed changed while it was read. */
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
  requests: 6,
  bytes: 1_200_000,
  waited_ms: 0,
  skew_ms: -120,
  warnings: [],
  drift: false,
  error_code: null,
  error: null,
}
