import type { Admin } from 'kafkajs'

export interface CommittedOffset {
  readonly offset: number
  readonly metadata: string | null
}

export interface Ends {
  /** First offset that is still there. */
  readonly low: number
  /** Offset that the next record will get; includes control records and open transactions. */
  readonly high: number
}

/** What a group has committed on a topic, by partition; partitions without a commit are absent. */
export async function committedOffsets(
  admin: Admin,
  groupId: string,
  topic: string,
): Promise<Map<number, CommittedOffset>> {
  const [response] = await admin.fetchOffsets({ groupId, topics: [topic] })
  const commits = (response?.partitions ?? []).map(({ partition, offset, metadata }) => {
    return [partition, { offset: Number(offset), metadata }] as const
  })
  return new Map(commits.filter(([, { offset }]) => offset >= 0))
}

export async function committedOffset(
  admin: Admin,
  groupId: string,
  topic: string,
  partition: number,
): Promise<CommittedOffset | undefined> {
  return (await committedOffsets(admin, groupId, topic)).get(partition)
}

export async function endOffsets(admin: Admin, topic: string): Promise<Map<number, Ends>> {
  const partitions = await admin.fetchTopicOffsets(topic)
  return new Map(partitions.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]))
}
