/**
 * The order of everything we know about one property (design section 3.3): a later cycle wins over an earlier one, in a
 * cycle the property feed (phase 1) wins over the deletion feed (phase 0) because it is polled later, and in a feed the
 * later record wins. Wall clocks never decide.
 */
export interface Version {
  /** Cycle id: milliseconds since the Unix epoch at its start, always growing for a partner. */
  readonly cycle: number
  readonly phase: Phase
  /** Position of the record in its feed within the cycle, from 0. */
  readonly sequence: number
}

export type Phase = 0 | 1
export const DELETIONS_PHASE = 0
export const PROPERTIES_PHASE = 1

/** Negative when `a` is older than `b`, 0 when they are the same record, positive when `a` is newer. */
export function compareVersions(a: Version, b: Version): number {
  return a.cycle - b.cycle || a.phase - b.phase || a.sequence - b.sequence
}

/**
 * The next cycle's id: now, unless the clock jumped back behind a cycle that exists already.
 *
 * @param lastCycle the newest id known for the partner; undefined when there is none
 */
export function nextCycle(nowMs: number, lastCycle: number | undefined): number {
  return lastCycle === undefined ? nowMs : Math.max(nowMs, lastCycle + 1)
}
