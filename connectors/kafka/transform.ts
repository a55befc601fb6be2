import type { Admin, EachBatchPayload, Kafka, KafkaMessage, Message, Producer } from 'kafkajs'
import type { Logger } from 'pino'
import { PredioError } from '../../schemas/errors.ts'
import { CONSUMER_DEFAULTS, onFatal, sessionOf } from './consumer.ts'
import { CompressionTypes } from './kafkajs.ts'
import { cutByBytes } from './message-size.ts'
import { committedOffset } from './offsets.ts'
import { connectTransactional, whileConcurrent } from './transactions.ts'

export interface Output {
  readonly topic: string
  readonly message: Message
}

export interface TransformOptions {
  readonly kafka: Kafka
  readonly admin: Admin
  readonly groupId: string
  readonly sessionTimeoutMs?: number | undefined
  readonly input: string
  /** One per input partition, so whoever owns the partition next fences us (design section 5). */
  readonly transactionalIdOf: (partition: number) => string
  /** One record in, addressed records out, to the partition that it came by. A rejection stops the process: it must not lose the record. */
  readonly transform: (message: KafkaMessage, partition: number) => Output | Promise<Output>
  readonly log: Logger
  readonly fatal: (error: Error) => void
}

/**
 * Most output bytes of one transaction. Larger ones cost less per record; a batch in flight is also what is done
 * again after a crash, and what readers wait for.
 */
const TRANSACTION_MAX_BYTES = 4_000_000

/**
 * Consume, transform, produce, exactly once: outputs and the input's offset are committed in one transaction.
 *
 * kafkajs does not fence commits by the group's generation, so a member that was away too long could still commit.
 * Hence: after every join a partition gets a new producer of the partition's own transactional id, which fences the
 * one before; only then is the committed offset read, and reading starts there (design section 5).
 */
export async function runTransform(options: TransformOptions): Promise<{ stop(): Promise<void> }> {
  const { kafka, admin, groupId, input, log } = options
  const consumer = kafka.consumer({ groupId, ...CONSUMER_DEFAULTS, ...sessionOf(options.sessionTimeoutMs) })
  const slots = new Map<number, Slot>()
  const outputsOf = async (messages: readonly KafkaMessage[], partition: number): Promise<Output[]> => {
    const outputs: Output[] = []
    for (const message of messages) {
      const output = options.transform(message, partition)
      outputs.push(output instanceof Promise ? await output : output)
    }
    return outputs
  }
  const dropSlots = async (): Promise<void> => {
    const dropped = [...slots.values()]
    slots.clear()
    await Promise.all(dropped.map(slot => slot.close()))
  }
  consumer.on(consumer.events.GROUP_JOIN, dropSlots)
  onFatal(consumer, options.fatal)

  const eachBatch = async ({
    batch,
    heartbeat,
    resolveOffset,
    isRunning,
    isStale,
  }: EachBatchPayload): Promise<void> => {
    const { partition } = batch
    const first = Number(batch.firstOffset())
    const startAt = (offset: number): void => consumer.seek({ topic: input, partition, offset: String(offset) })
    let slot = slots.get(partition)
    if (slot === undefined) {
      slot = new Slot(kafka, options.transactionalIdOf(partition))
      slots.set(partition, slot)
      await slot.fence()
      slot.next = (await committedOffset(admin, groupId, input, partition))?.offset ?? first
      if (slot.next < first) return startAt(slot.next)
    }
    if (first < slot.next) return startAt(slot.next)
    for (const part of cutByBytes(batch.messages, TRANSACTION_MAX_BYTES)) {
      if (!isRunning() || isStale()) return
      const outputs = await outputsOf(part, partition)
      const last = part.at(-1)!.offset
      try {
        await slot.commit(outputs, partition, { groupId, topic: input, next: Number(last) + 1 })
      } catch (error) {
        // The outcome is unknown: the next slot's producer ends the transaction, then the group's offset tells.
        log.warn({ event: 'transaction_failed', partition, offset: slot.next, error: (error as Error).message })
        if (slots.get(partition) === slot) slots.delete(partition)
        await slot.close()
        return startAt(slot.next)
      }
      resolveOffset(last)
      await heartbeat()
    }
  }

  await consumer.connect()
  await consumer.subscribe({ topics: [input], fromBeginning: true })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 3, eachBatch })
  return {
    async stop() {
      await consumer.disconnect()
      await dropSlots()
    },
  }
}

/** The transactional producer of one input partition. */
class Slot {
  readonly #kafka: Kafka
  readonly #transactionalId: string
  #producer: Producer | undefined
  /** Offset of the first input record that no committed transaction covers; older ones are never transformed again. */
  next = 0

  constructor(kafka: Kafka, transactionalId: string) {
    this.#kafka = kafka
    this.#transactionalId = transactionalId
  }

  /** Takes the transactional id over: an open transaction of its last holder is aborted and the holder refused from now on. */
  async fence(): Promise<void> {
    this.#producer = await connectTransactional(this.#kafka, this.#transactionalId)
    const transaction = await whileConcurrent(() => this.#producer!.transaction())
    await transaction.abort()
  }

  async commit(
    outputs: readonly Output[],
    partition: number,
    input: { readonly groupId: string; readonly topic: string; readonly next: number },
  ): Promise<void> {
    if (this.#producer === undefined) throw new PredioError('CONSUMER_CRASHED', { partition })
    const transaction = await this.#producer.transaction()
    for (const topicMessages of sendsOf(outputs, partition)) {
      await whileConcurrent(() =>
        transaction.sendBatch({ acks: -1, compression: CompressionTypes.ZSTD, topicMessages }),
      )
    }
    const offset = String(input.next)
    const topics = [{ topic: input.topic, partitions: [{ partition, offset }] }]
    await whileConcurrent(() => transaction.sendOffsets({ consumerGroupId: input.groupId, topics }))
    await transaction.commit()
    this.next = input.next
  }

  async close(): Promise<void> {
    await this.#producer?.disconnect().catch(() => {})
  }
}

type TopicMessages = { topic: string; messages: Message[] }[]

/** Outputs by topic, cut so that no request holds a record batch over the broker's limit: the n-th run of every topic goes together. */
function sendsOf(outputs: readonly Output[], partition: number): TopicMessages[] {
  const byTopic = new Map<string, Message[]>()
  for (const { topic, message } of outputs) {
    const messages = byTopic.get(topic)
    const addressed = { ...message, partition }
    if (messages === undefined) byTopic.set(topic, [addressed])
    else messages.push(addressed)
  }
  const sends: TopicMessages[] = []
  for (const [topic, messages] of byTopic) {
    cutByBytes(messages).forEach((run, index) => {
      sends[index] ??= []
      sends[index].push({ topic, messages: run })
    })
  }
  return sends
}
