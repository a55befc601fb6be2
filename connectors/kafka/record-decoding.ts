/**
 * Decodes a record of a Kafka record batch (format v2), the other half of `record-encoding.ts`: kafkajs copies the
 * headers once for every header, and counts in 64-bit objects where a number does.
 */
export interface BatchContext {
  readonly firstOffset: string
  readonly firstTimestamp: string
  readonly maxTimestamp: string
  readonly magicByte: number
  readonly isControlBatch: boolean
  readonly timestampType: number
}

type HeaderValue = Buffer | null

export interface DecodedRecord {
  readonly magicByte: number
  readonly attributes: number
  readonly timestamp: string
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: Record<string, HeaderValue | HeaderValue[]>
  readonly isControlRecord: boolean
  readonly batchContext: BatchContext
}

/** `message.timestamp.type` LogAppendTime: the batch's own time counts for all of its records. */
const LOG_APPEND_TIME = 1

/** Where reading has got to; one record is read at a time. */
let at = 0

/** @param record without its length; keys, values and headers stay views of it */
export function decodeRecord(record: Buffer, batchContext: BatchContext): DecodedRecord {
  const { firstOffset, firstTimestamp, maxTimestamp, magicByte, isControlBatch, timestampType } = batchContext
  const attributes = record.readInt8(0)
  at = 1
  const timestampDelta = readVarint(record)
  const timestamp =
    timestampType === LOG_APPEND_TIME && maxTimestamp ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta)
  const offset = String(Number(firstOffset) + readVarint(record))
  const key = readPart(record)
  const value = readPart(record)
  return {
    magicByte,
    attributes,
    timestamp,
    offset,
    key,
    value,
    headers: readHeaders(record),
    isControlRecord: isControlBatch,
    batchContext,
  }
}

function readHeaders(record: Buffer): DecodedRecord['headers'] {
  const headers: DecodedRecord['headers'] = {}
  for (let count = readVarint(record); count > 0; count--) {
    const nameLength = readVarint(record)
    const name = record.toString('utf8', at, at + nameLength)
    at += nameLength
    const value = readPart(record)
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (Array.isArray(before)) before.push(value)
    else headers[name] = [before, value]
  }
  return headers
}

function readPart(record: Buffer): Buffer | null {
  const length = readVarint(record)
  if (length < 0) return null
  const part = record.subarray(at, at + length)
  at += length
  return part
}

/** Zigzag, as in `record-encoding.ts`; exact up to 2^52. */
function readVarint(record: Buffer): number {
  let zigzag = 0
  let scale = 1
  for (;;) {
    const byte = record[at++]!
    zigzag += (byte & 0x7f) * scale
    if (byte < 0x80) return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    scale *= 0x80
  }
}
