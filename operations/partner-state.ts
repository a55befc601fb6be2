import type { CycleReport } from '../schemas/records/cycle-report.ts'

/** One word for where a partner stands; the first that fits, the most urgent first. */
export type PartnerState =
  | 'paused'
  /** The partner refused the credential in the last two cycles: a person is needed. */
  | 'auth_failing'
  /** The last cycle failed. */
  | 'failing'
  | 'polling'
  /** Polled; not all of it is in the catalog yet. */
  | 'waiting'
  /** No cycle was checkpointed yet. */
  | 'new'
  /** The last checkpointed cycle began more than three intervals ago. */
  | 'late'
  | 'current'

export interface PartnerFacts {
  readonly isPaused: boolean
  /** The partner's last reports, oldest first; as many as are at hand. */
  readonly reports: readonly CycleReport[]
  /** Start of the last checkpointed cycle; undefined before the first. */
  readonly lastCycle: number | undefined
  readonly everyMs: number
}

const LATE_INTERVALS = 3
const ENDS = new Set(['polled', 'failed', 'abandoned'])

export function partnerState({ isPaused, reports, lastCycle, everyMs }: PartnerFacts, nowMs: number): PartnerState {
  if (isPaused) return 'paused'
  const ends = reports.filter(({ outcome }) => ENDS.has(outcome))
  const [last, before] = [ends.at(-1), ends.at(-2)]
  if (last?.error_code === 'PARTNER_AUTH' && before?.error_code === 'PARTNER_AUTH') return 'auth_failing'
  if (last?.outcome === 'failed') return 'failing'
  const newest = reports.at(-1)
  if (newest?.outcome === 'started') return 'polling'
  if (newest?.outcome === 'polled') return 'waiting'
  if (lastCycle === undefined) return 'new'
  return nowMs - lastCycle > LATE_INTERVALS * everyMs ? 'late' : 'current'
}

/** Why a failing partner fails, in the words of its last report; null where it does not. */
export function failureOf(reports: readonly CycleReport[]): string | null {
  const last = reports.findLast(({ outcome }) => ENDS.has(outcome))
  return last?.outcome === 'failed' ? `${last.error_code}: ${last.error}` : null
}
