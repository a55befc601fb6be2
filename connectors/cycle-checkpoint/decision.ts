import type { CycleReport } from '../../schemas/records/cycle-report.ts'

/** How far a group has come in one partition. */
export interface Progress {
  /** Committed offset; undefined when the group never committed there. */
  readonly committed: number | undefined
  /** First offset that is still there, and the one that the next record will get. */
  readonly low: number
  readonly high: number
}

/** What stands in Kafka at one moment. */
export interface CheckpointFacts {
  /** Group `validator` on the cycle's partition of `properties.raw`. */
  readonly validator: Progress
  /** Group `catalog` on the cycle's partition of `deletions.raw`. */
  readonly catalogDeletions: Progress
  /** Group `catalog` on that partition of each listings topic. */
  readonly catalogListings: readonly Progress[]
  /** Committed offset of `since.<partner>` now; NO_BASE when there is none. */
  readonly current: number
}

/** What the checkpoint itself has found out or done for this cycle. */
export interface CheckpointMemory {
  /** End offsets of the listings topics, noted once the validator was past the manifest. */
  readonly noted?: readonly number[]
  /** Where the cycle's marker stands. */
  readonly markerOffset?: number
}

/** The next thing to do for a polled cycle (design section 3.7). Whoever acts on it asks again afterwards. */
export type CheckpointStep =
  | { readonly kind: 'wait'; readonly on: 'validator' | 'catalog' }
  /**
   * The validator is past the manifest: all it made of the cycle lies below the ends of the listings topics. They must
   * be read now: ends that were read before or together with the validator's offset may lie before its last records.
   */
  | { readonly kind: 'note' }
  | { readonly kind: 'mark' }
  | { readonly kind: 'commit'; readonly offset: number }
  | { readonly kind: 'done' }
  /** An operator moved `since` back while the cycle ran: the reset stands. */
  | { readonly kind: 'superseded' }
  /** The cycle's records cannot be read any more: it must be polled again. */
  | { readonly kind: 'lost'; readonly topic: 'properties.raw' | 'deletions.raw' | 'listings' }

export function checkpointStep(report: CycleReport, facts: CheckpointFacts, memory: CheckpointMemory): CheckpointStep {
  const { current } = facts
  const { markerOffset } = memory
  if (markerOffset !== undefined) {
    if (current > markerOffset) return { kind: 'done' }
    return current < report.base ? { kind: 'superseded' } : { kind: 'commit', offset: markerOffset + 1 }
  }
  if (current < report.base) return { kind: 'superseded' }

  const validated = standing(facts.validator, report.properties_offset)
  const deactivated = standing(facts.catalogDeletions, report.deletions_offset)
  if (validated === 'lost') return { kind: 'lost', topic: 'properties.raw' }
  if (deactivated === 'lost') return { kind: 'lost', topic: 'deletions.raw' }
  if (validated === 'behind') return { kind: 'wait', on: 'validator' }

  const { noted } = memory
  if (noted === undefined) return { kind: 'note' }
  const applied = facts.catalogListings.map((progress, index) => standing(progress, noted[index] ?? 0))
  if (applied.includes('lost')) return { kind: 'lost', topic: 'listings' }
  if (deactivated === 'behind' || applied.includes('behind')) return { kind: 'wait', on: 'catalog' }
  return { kind: 'mark' }
}

/** What to note of a listings topic: where it ends, or 0 where nothing is left for the catalog to read and to commit. */
export const notedEnd = ({ low, high }: Pick<Progress, 'low' | 'high'>): number => (low < high ? high : 0)

/**
 * Whether a group has everything below `target`.
 *
 * Lost: the topic was made anew and is shorter than the target, or records that the group had not read have expired.
 * A group without a commit starts at what is there: it is merely behind while the record before the target is there, too.
 */
function standing({ committed, low, high }: Progress, target: number | null): 'met' | 'behind' | 'lost' {
  if (target === null || target === 0) return 'met'
  if (high < target) return 'lost'
  if (committed === undefined) return low < target ? 'behind' : 'lost'
  if (committed >= target) return 'met'
  return committed < low ? 'lost' : 'behind'
}
