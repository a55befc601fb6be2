import type { Admin, Kafka } from 'kafkajs'
import pRetry from 'p-retry'
import { NO_BASE } from '../../schemas/records/cycle-report.ts'
import type { Names } from '../../schemas/topology.ts'
import { committedOffset, endOffsets } from './offsets.ts'
import { withTransaction } from './transactions.ts'

/**
 * A partner's checkpoint: the committed offset of the member-less group `since.<partner>` on `cycles.<partner>`
 * (design section 3). It points behind the marker of the last checkpointed cycle. Its metadata hold what that marker
 * says; an operator's reset empties them, so they also tell our commit from theirs.
 */
export interface SinceCommit {
  /** Committed offset N, the next cycle's base; NO_BASE when none was ever committed or it has expired. */
  readonly offset: number
  readonly metadata: { readonly since: number; readonly cycle: number } | null
  /** First and next offset of `cycles.<partner>`. */
  readonly low: number
  readonly high: number
}

export async function readSinceCommit(admin: Admin, names: Names, partner: string): Promise<SinceCommit> {
  const topic = names.cycles(partner)
  const [committed, ends] = await Promise.all([
    committedOffset(admin, names.sinceGroup(partner), topic, 0),
    endOffsets(admin, topic),
  ])
  const { low, high } = ends.get(0) ?? { low: 0, high: 0 }
  return { offset: committed?.offset ?? NO_BASE, metadata: parsed(committed?.metadata), low, high }
}

function parsed(metadata: string | null | undefined): SinceCommit['metadata'] {
  try {
    const { since, cycle } = JSON.parse(metadata ?? '')
    return Number.isSafeInteger(since) && Number.isSafeInteger(cycle) ? { since, cycle } : null
  } catch {
    return null
  }
}

/** The coordinator answers before the commit can be read; that takes a few milliseconds, or as long as it is busy. */
const VISIBLE = { retries: 40, minTimeout: 5, factor: 1.3, maxTimeout: 200 } as const

/**
 * Commits by a transaction of offsets alone: unlike a member's commit it joins nothing, so stock tools can reset the
 * group at any time, and it writes no control record into `cycles.<partner>`. Resolves when the commit can be read.
 *
 * @param marker what the marker before `offset` says; null where there is none
 * @param transactionalId one per committing process and partition: a second one fences the first
 */
export async function commitSince(
  { kafka, admin, names, transactionalId }: { kafka: Kafka; admin: Admin; names: Names; transactionalId: string },
  partner: string,
  offset: number,
  marker: { readonly since: number; readonly cycle: number } | null,
): Promise<void> {
  const metadata = marker === null ? '' : JSON.stringify({ since: marker.since, cycle: marker.cycle })
  const partitions = [{ partition: 0, offset: String(offset), metadata }] // kafkajs sends metadata; its types omit them
  const consumerGroupId = names.sinceGroup(partner)
  const topic = names.cycles(partner)
  await withTransaction(kafka, transactionalId, transaction =>
    transaction.sendOffsets({ consumerGroupId, topics: [{ topic, partitions }] }),
  )
  await pRetry(async () => {
    const committed = await committedOffset(admin, consumerGroupId, topic, 0)
    if (committed?.offset !== offset) throw new Error('not to be read yet')
  }, VISIBLE).catch(() => {}) // somebody else has committed since: theirs stands
}
