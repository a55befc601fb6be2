import { createHash } from 'node:crypto'
import { PredioError } from '../../schemas/errors.ts'
import type { PropertyElement } from '../../schemas/feeds.ts'
import { isUsableExternalId, recordKey } from '../../schemas/ids.ts'
import type { Names } from '../../schemas/topology.ts'
import { deadLetter } from '../kafka/dead-letter.ts'
import { headersOf, newTraceparent } from '../kafka/headers.ts'
import type { Message } from '../kafka/kafkajs.ts'
import { SEND_MAX_BYTES, sizeBytesOf } from '../kafka/message-size.ts'
import { partitionOf } from '../kafka/partitions.ts'
import type { RecordProducer } from '../kafka/record-producer.ts'
import type { Encode } from '../kafka/schema-registry.ts'

/** What a page's records share. */
export interface PageContext {
  readonly partner: string
  readonly cycle: number
  readonly page: number
  /** Sequence of the page's first record. */
  readonly sequence: number
  readonly receivedMs: number
}

/** Puts one partner's pages into the raw topics. Each resolves, once all is acknowledged, to the offset after its last record. */
export interface PageSender {
  readonly partitions: { readonly properties: number; readonly deletions: number }
  /** Bodies that are too large for any topic go to the dead-letter topic as a hash. */
  properties(elements: readonly PropertyElement[], context: PageContext): Promise<number | null>
  /** Ids that cannot be ids go to the dead-letter topic and take a sequence, too. */
  deletions(ids: readonly unknown[], context: PageContext, answer: DeletionOrigin): Promise<number | null>
}

/** What the deletions of one answer share. */
export interface DeletionOrigin {
  readonly generatedAt: number | null
  /** The answer to a request without `since`. */
  readonly whole: boolean
}

export interface SenderPorts {
  readonly producer: RecordProducer
  readonly names: Names
  readonly counts: ReadonlyMap<string, number>
  readonly encodeProperty: Encode<'raw-property'>
  readonly encodeDeletion: Encode<'deletion'>
}

export function pageSender(partner: string, ports: SenderPorts): PageSender {
  const { producer, names, counts, encodeProperty, encodeDeletion } = ports
  const rawProperties = names.topic('properties.raw')
  const rawDeletions = names.topic('deletions.raw')
  const deadLetters = names.topic('dead-letter')
  const partitionIn = (topic: string): number => partitionOf(partner, counts.get(topic) ?? 1)
  const partitions = { properties: partitionIn(rawProperties), deletions: partitionIn(rawDeletions) }

  async function send(topic: string, messages: readonly Message[]): Promise<number | null> {
    return messages.length === 0 ? null : (await producer.send(topic, partitionIn(topic), messages)).nextOffset
  }

  const buried = (topic: string, value: string, error: PredioError): Message =>
    deadLetter(
      { key: `${partner}/`, value },
      { topic, partition: partitionIn(topic), offset: -1, role: 'source' },
      error,
    )

  const propertyMessage = (
    { externalId, body }: PropertyElement,
    context: PageContext,
    sequence: number,
    traceparent: string,
  ): Message => {
    const { cycle, page, receivedMs: timeMs } = context
    return {
      key: recordKey(partner, externalId, body),
      value: encodeProperty({ partner, cycle, sequence, received_at: timeMs, page, body }),
      headers: headersOf({
        id: `${partner}/${cycle}/1/${sequence}`,
        type: 'predio.property.received',
        partner,
        timeMs,
        traceparent,
      }),
    }
  }

  const deletionMessage = (
    id: string,
    context: PageContext,
    sequence: number,
    answer: DeletionOrigin,
    traceparent: string,
  ): Message => {
    const { cycle, receivedMs: timeMs } = context
    return {
      key: `${partner}/${id}`,
      value: encodeDeletion({
        partner,
        external_id: id,
        cycle,
        sequence,
        received_at: timeMs,
        generated_at: answer.generatedAt,
        whole: answer.whole,
      }),
      headers: headersOf({
        id: `${partner}/${cycle}/0/${sequence}`,
        type: 'predio.deletion.received',
        partner,
        timeMs,
        traceparent,
      }),
    }
  }

  return {
    partitions,
    async properties(elements, context) {
      const traceparent = newTraceparent()
      const messages: Message[] = []
      const oversize: Message[] = []
      elements.forEach((element, index) => {
        const message = propertyMessage(element, context, context.sequence + index, traceparent)
        const bytes = sizeBytesOf(message)
        if (bytes <= SEND_MAX_BYTES) messages.push(message)
        else
          oversize.push(
            buried(rawProperties, digestOf(element.body), new PredioError('RECORD_TOO_LARGE', { partner, bytes })),
          )
      })
      await send(deadLetters, oversize)
      return send(rawProperties, messages)
    },
    async deletions(ids, context, answer) {
      const traceparent = newTraceparent()
      const messages: Message[] = []
      const unusable: Message[] = []
      ids.forEach((id, index) => {
        if (isUsableExternalId(id))
          messages.push(deletionMessage(id, context, context.sequence + index, answer, traceparent))
        else
          unusable.push(buried(rawDeletions, unusableIdText(id), new PredioError('DELETED_ID_UNUSABLE', { partner })))
      })
      await send(deadLetters, unusable)
      return send(rawDeletions, messages)
    },
  }
}

/** Stands for a body that no topic takes. */
const digestOf = (body: string): string =>
  JSON.stringify({ sha256: createHash('sha256').update(body).digest('hex'), bytes: Buffer.byteLength(body) })

const ID_TEXT_MAX = 10_000

/** What stood in the place of an id. Nesting that JSON.parse takes overflows JSON.stringify's stack (trap S11). */
export function unusableIdText(id: unknown): string {
  try {
    return JSON.stringify(id).slice(0, ID_TEXT_MAX)
  } catch {
    return Array.isArray(id) ? '[...]' : '{...}'
  }
}
