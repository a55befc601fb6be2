import { NO_BASE } from '../../schemas/records/cycle-report.ts'
import type { Marker } from '../../schemas/records/marker.ts'

/**
 * What the committed offset of `since.<partner>` says about the next cycle (design section 3.2). Pure: whoever calls
 * reads the marker or commits again, as told, and asks once more.
 */
export type CycleStart =
  /** No `since` on either feed. */
  | {
      readonly kind: 'full'
      readonly base: number
      readonly why: 'first' | 'reset' | 'aged'
      readonly lastCycle: number | undefined
    }
  | { readonly kind: 'incremental'; readonly base: number; readonly since: number; readonly lastCycle: number }
  /** The commit does not say what its marker says: read the marker at this offset. */
  | { readonly kind: 'read-marker'; readonly base: number; readonly offset: number }
  /** No usable commit: commit behind the last marker there is. A lost offset is never a first cycle while markers exist. */
  | { readonly kind: 'recommit'; readonly offset: number; readonly why: 'lost' | 'past-end' }

export interface SinceFacts {
  readonly offset: number
  readonly metadata: { readonly since: number; readonly cycle: number } | null
  readonly low: number
  readonly high: number
}

/** The partner keeps deletions for 30 days (contract 8): an older `since` would miss some, so all is asked for. */
export const SINCE_MAX_AGE_MS = 28 * 86_400_000

export function cycleStart({ offset, metadata, low, high }: SinceFacts, nowMs: number): CycleStart {
  const isEmpty = high <= low
  if (offset === NO_BASE) {
    return isEmpty
      ? { kind: 'full', base: NO_BASE, why: 'first', lastCycle: undefined }
      : { kind: 'recommit', offset: high, why: 'lost' }
  }
  // An offset that does not exist, or a topic made anew: what is there decides.
  if (offset > high) return { kind: 'recommit', offset: high, why: 'past-end' }
  if (offset <= low) return { kind: 'full', base: offset, why: 'reset', lastCycle: undefined }
  if (metadata === null) return { kind: 'read-marker', base: offset, offset: offset - 1 }
  return startFrom(offset, metadata, nowMs)
}

/** The start that a marker gives; the committed metadata hold the same two fields. */
export function startFrom(base: number, { since, cycle }: Pick<Marker, 'since' | 'cycle'>, nowMs: number): CycleStart {
  return nowMs - since > SINCE_MAX_AGE_MS
    ? { kind: 'full', base, why: 'aged', lastCycle: cycle }
    : { kind: 'incremental', base, since, lastCycle: cycle }
}
