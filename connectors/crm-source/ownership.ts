import type { Logger } from 'pino'
import { copartitioned } from '../kafka/assigner.ts'
import { CONSUMER_DEFAULTS, onFatal, sessionOf } from '../kafka/consumer.ts'
import type { Admin, EachBatchPayload, KafkaClient } from '../kafka/kafkajs.ts'
import { committedOffsets, endOffsets } from '../kafka/offsets.ts'
import { partitionOf } from '../kafka/partitions.ts'
import type { Decode } from '../kafka/schema-registry.ts'
import type { Partner } from '../partners.ts'
import type { CommandBoard } from './command-board.ts'
import type { CycleBook } from './cycle-book.ts'

export interface OwnershipOptions {
  readonly kafka: KafkaClient
  readonly admin: Admin
  readonly groupId: string
  readonly sessionTimeoutMs?: number | undefined
  /** `cycle-reports`: who owns a partition of it owns the partners that hash to it (design section 3.1). */
  readonly reports: { readonly topic: string; readonly decode: Decode<'cycle-report'>; readonly book: CycleBook }
  /** `partner-commands`, with as many partitions; never committed, so that it is read whole after every join. */
  readonly commands: {
    readonly topic: string
    readonly decode: Decode<'partner-command'>
    readonly board: CommandBoard
  }
  readonly partitions: number
  readonly partners: readonly Partner[]
  /** Runs until the signal fires. Begins once all that was known of the partner when we joined has been read. */
  readonly poll: (partner: Partner, partition: number, signal: AbortSignal) => Promise<void>
  readonly log: Logger
  readonly fatal: (error: Error) => void
}

/** Shares the partners among the source instances by Kafka's group assignment, and follows what is said of them. */
export async function joinOwnership(options: OwnershipOptions): Promise<{ stop(): Promise<void> }> {
  const { kafka, groupId, reports, commands, partitions, partners, poll, log, fatal } = options
  const consumer = kafka.consumer({
    groupId,
    ...CONSUMER_DEFAULTS,
    sessionTimeout: 10_000,
    ...sessionOf(options.sessionTimeoutMs),
    rebalanceTimeout: 10_000,
    partitionAssigners: [copartitioned],
  })
  const homeOf = new Map(partners.map(partner => [partner.id, partitionOf(partner.id, partitions)]))
  const loops = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const unread = new Unread(options, partition => begin(partition))

  function begin(partition: number): void {
    for (const partner of partners) {
      if (homeOf.get(partner.id) !== partition || loops.has(partner.id)) continue
      const stop = new AbortController()
      loops.set(partner.id, { stop, done: poll(partner, partition, stop.signal).catch(fatal) })
    }
    log.info({ event: 'partners_owned', partners: loops.size, partition })
  }

  function own(assigned: readonly number[]): void {
    for (const [partner, { stop }] of loops) {
      if (assigned.includes(homeOf.get(partner)!)) continue
      stop.abort()
      loops.delete(partner)
    }
    reports.book.keepOnly(assigned)
    unread.join(assigned).catch(fatal)
  }
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => own(payload.memberAssignment[reports.topic] ?? []))
  onFatal(consumer, fatal)

  const eachBatch = async ({
    batch,
    resolveOffset,
    heartbeat,
    isRunning,
    isStale,
  }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch
    for (const { value, offset } of batch.messages) {
      if (!isRunning() || isStale()) return
      try {
        if (topic === commands.topic) commands.board.read(await commands.decode(value))
        else reports.book.read(partition, Number(offset), await reports.decode(value))
      } catch (error) {
        log.warn({ event: 'record_unreadable', topic, partition, offset, error: (error as Error).message })
        if (topic === reports.topic) reports.book.read(partition, Number(offset), undefined)
      }
      resolveOffset(offset)
    }
    unread.read(topic, partition, Number(batch.lastOffset()) + 1)
    const commits = reports.book.takeCommits()
    if (commits.length > 0) {
      await consumer.commitOffsets(
        commits.map(({ partition, offset }) => {
          return { topic: reports.topic, partition, offset: String(offset), metadata: String(reports.book.floor) }
        }),
      )
    }
    await heartbeat()
  }

  await consumer.connect()
  await consumer.subscribe({ topics: [reports.topic, commands.topic], fromBeginning: true })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
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

/** Tells for each partition when everything is read that stood in its two topics as we joined. */
class Unread {
  readonly #options: OwnershipOptions
  readonly #caughtUp: (partition: number) => void
  #joins = 0
  #waiting = new Set<number>()
  #ends = new Map<string, number>()
  #read = new Map<string, number>()

  constructor(options: OwnershipOptions, caughtUp: (partition: number) => void) {
    this.#options = options
    this.#caughtUp = caughtUp
  }

  async join(partitions: readonly number[]): Promise<void> {
    const { admin, groupId, reports, commands } = this.#options
    const join = ++this.#joins
    this.#waiting = new Set()
    this.#read = new Map()
    const [reportEnds, commandEnds, commits] = await Promise.all([
      endOffsets(admin, reports.topic),
      endOffsets(admin, commands.topic),
      committedOffsets(admin, groupId, reports.topic),
    ])
    if (join !== this.#joins) return // another rebalance came in between
    for (const partition of partitions) {
      const floor = Number.parseInt(commits.get(partition)?.metadata ?? '', 10)
      if (Number.isSafeInteger(floor)) reports.book.raiseFloor(floor)
      const { low = 0, high = 0 } = reportEnds.get(partition) ?? {}
      this.#ends.set(
        `${reports.topic}/${partition}`,
        (commits.get(partition)?.offset ?? low) < high && low < high ? high : 0,
      )
      const command = commandEnds.get(partition)
      this.#ends.set(
        `${commands.topic}/${partition}`,
        command === undefined || command.low === command.high ? 0 : command.high,
      )
      this.#waiting.add(partition)
    }
    for (const partition of partitions) this.#look(partition)
  }

  /** @param next offset after the last record read */
  read(topic: string, partition: number, next: number): void {
    this.#read.set(`${topic}/${partition}`, next)
    this.#look(partition)
  }

  #look(partition: number): void {
    const { reports, commands } = this.#options
    const isRead = ({ topic }: { topic: string }): boolean =>
      (this.#read.get(`${topic}/${partition}`) ?? 0) >= (this.#ends.get(`${topic}/${partition}`) ?? 0)
    if (this.#waiting.has(partition) && isRead(reports) && isRead(commands)) {
      this.#waiting.delete(partition)
      this.#caughtUp(partition)
    }
  }
}
