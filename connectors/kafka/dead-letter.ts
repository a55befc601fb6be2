import type { IHeaders, Message } from 'kafkajs'
import { PredioError, sentenceOf } from '../../schemas/errors.ts'

/** Where a record came from; the source's own finds come from a feed and have no place in Kafka. */
export interface DeadLetterOrigin {
  readonly topic: string
  readonly partition: number
  readonly offset: string | number
  /** Role that could not process it. */
  readonly role: string
}

/** Kafka Connect's headers, which consoles know how to show. The message is our sentence, never the record's content. */
export function deadLetter(
  record: {
    readonly key: Buffer | string | null
    readonly value: Buffer | string | null
    readonly headers?: IHeaders | undefined
  },
  origin: DeadLetterOrigin,
  error: unknown,
): Message {
  return {
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      '__connect.errors.topic': origin.topic,
      '__connect.errors.partition': String(origin.partition),
      '__connect.errors.offset': String(origin.offset),
      '__connect.errors.connector.name': origin.role,
      '__connect.errors.stage': stageOf(error),
      '__connect.errors.exception.class.name': PredioError.is(error) ? error.code : ((error as Error)?.name ?? 'Error'),
      '__connect.errors.exception.message': messageOf(error).slice(0, 1_000),
    },
  }
}

/** Other errors' messages may quote what they could not read, contact data included (trap S14); their class says enough. */
const messageOf = (error: unknown): string => (PredioError.is(error) ? sentenceOf(error) : 'see the class')

/** Connect's words for where it happened: reading the value, or doing something with it. */
const stageOf = (error: unknown): string =>
  PredioError.is(error, 'RECORD_UNREADABLE') ? 'VALUE_CONVERTER' : 'TASK_PUT'
