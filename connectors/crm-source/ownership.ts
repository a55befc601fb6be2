import type { Kafka } from 'kafkajs'
import type { Logger } from 'pino'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import { CONSUMER_DEFAULTS, onFatal, sessionOf } from '../kafka/consumer.ts'
import { partitionOf } from '../kafka/partitions.ts'
import type { Decode } from '../kafka/schema-registry.ts'
import type { Partner } from '../partners.ts'

export interface OwnershipOptions {
  readonly kafka: Kafka
  readonly groupId: string
  readonly sessionTimeoutMs?: number | undefined
  /** `cycle-reports`: who owns a partition of it owns the partners that hash to it (design section 3.1). */
  readonly topic: string
  readonly partitions: number
  readonly partners: readonly Partner[]
  readonly decode: Decode<'cycle-report'>
  readonly onReport: (report: CycleReport) => void
  /** Runs until the signal fires. */
  readonly poll: (partner: Partner, partition: number, signal: AbortSignal) => Promise<void>
  readonly log: Logger
  readonly fatal: (error: Error) => void
}

/** Shares the partners among the source instances by Kafka's group assignment, and follows what happens to their cycles. */
export async function joinOwnership(options: OwnershipOptions): Promise<{ stop(): Promise<void> }> {
  const { kafka, groupId, topic, partitions, partners, decode, onReport, poll, log } = options
  const consumer = kafka.consumer({
    groupId,
    ...CONSUMER_DEFAULTS,
    sessionTimeout: 10_000,
    ...sessionOf(options.sessionTimeoutMs),
    rebalanceTimeout: 10_000,
  })
  const homeOf = new Map(partners.map(partner => [partner.id, partitionOf(partner.id, partitions)]))
  const loops = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()

  const own = (assigned: readonly number[]): void => {
    for (const partner of partners) {
      const partition = homeOf.get(partner.id)!
      const loop = loops.get(partner.id)
      if (assigned.includes(partition) && loop === undefined) {
        const stop = new AbortController()
        loops.set(partner.id, { stop, done: poll(partner, partition, stop.signal).catch(options.fatal) })
      } else if (!assigned.includes(partition) && loop !== undefined) {
        loop.stop.abort()
        loops.delete(partner.id)
      }
    }
    log.info({ event: 'partners_owned', partners: loops.size, partitions: assigned.length })
  }
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => own(payload.memberAssignment[topic] ?? []))
  onFatal(consumer, options.fatal)

  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommitThreshold: 100,
    eachMessage: async ({ message, partition }) => {
      try {
        onReport(await decode(message.value))
      } catch (error) {
        log.warn({ event: 'report_unreadable', partition, offset: message.offset, error: (error as Error).message })
      }
    },
  })
  return {
    async stop() {
      const running = [...loops.values()]
      loops.clear()
      for (const { stop } of running) stop.abort()
      await Promise.all(running.map(({ done }) => done))
      await consumer.disconnect()
    },
  }
}
