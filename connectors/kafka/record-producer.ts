import type { Kafka, Message, Producer, RecordMetadata } from 'kafkajs'
import { PredioError } from '../../schemas/errors.ts'
import { CompressionTypes, Partitioners } from './kafkajs.ts'
import { cutByBytes } from './message-size.ts'

/** Where sent records ended up. */
export interface Sent {
  /** Offset of the first record. */
  readonly baseOffset: number
  /** Offset after the last record. */
  readonly nextOffset: number
}

/**
 * An idempotent producer that is thrown away after any rejected send: kafkajs reuses the sequence numbers of a batch
 * whose answer got lost, and the broker then acknowledges the next batch as a duplicate without storing it
 * (design section 5). Acknowledged offsets that do not grow are that very loss, seen from outside.
 */
export class RecordProducer {
  readonly #kafka: Kafka
  readonly #nextOffsets = new Map<string, number>()
  #producer: Promise<Producer> | undefined

  constructor(kafka: Kafka) {
    this.#kafka = kafka
  }

  /**
   * Sends records to one partition, in order, in as many requests as their bytes need.
   *
   * @throws CYCLE_SEND_FAILED after the client's own retries; some of the records may have been stored
   */
  async send(topic: string, partition: number, messages: readonly Message[]): Promise<Sent> {
    if (messages.length === 0) throw new RangeError('nothing to send')
    this.#producer ??= this.#connect()
    const connecting = this.#producer
    let first: number | undefined
    let next = 0
    try {
      const producer = await connecting
      for (const part of cutByBytes(messages)) {
        const [ack] = await producer.send({
          topic,
          acks: -1,
          compression: CompressionTypes.ZSTD,
          messages: part.map(message => ({ ...message, partition })),
        })
        next = this.#acknowledged(topic, partition, ack, part.length)
        first ??= next - part.length
      }
    } catch (cause) {
      this.#replace(connecting)
      throw new PredioError('CYCLE_SEND_FAILED', { topic, partition }, { cause })
    }
    return { baseOffset: first ?? next, nextOffset: next }
  }

  async disconnect(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    await (await producer?.catch(() => undefined))?.disconnect()
  }

  #acknowledged(topic: string, partition: number, ack: RecordMetadata | undefined, count: number): number {
    const baseOffset = Number(ack?.baseOffset ?? -1)
    const place = `${topic}/${partition}`
    if (baseOffset < (this.#nextOffsets.get(place) ?? 0)) {
      throw new PredioError('PRODUCER_OFFSETS', { topic, partition, offset: baseOffset })
    }
    this.#nextOffsets.set(place, baseOffset + count)
    return baseOffset + count
  }

  #replace(connecting: Promise<Producer>): void {
    if (this.#producer === connecting) this.#producer = undefined
    this.#nextOffsets.clear()
    connecting.then(producer => producer.disconnect()).catch(() => {})
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner })
    await producer.connect()
    return producer
  }
}
