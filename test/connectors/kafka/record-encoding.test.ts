import { createRequire } from 'node:module'
import { crc32c } from '@node-rs/crc32'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBatch, encodeRecord, type RecordParts } from '../../../connectors/kafka/record-encoding.ts'

// kafkajs as it comes: this file must not import anything that mends it.
const require = createRequire(import.meta.url)
type Encoder = { buffer: Buffer }
const kafkajsRecord = require('kafkajs/src/protocol/recordBatch/record/v0') as (parts: RecordParts) => Encoder
const { RecordBatch: kafkajsBatch } = require('kafkajs/src/protocol/recordBatch/v0') as {
  RecordBatch: (parts: object) => Promise<Encoder>
}

const bytes = fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array))
const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const part = fc.oneof(bytes, text, fc.constant(null))
const headers = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 20 }).filter(name => name !== '__proto__'),
  fc.oneof(bytes, text, fc.array(fc.oneof(bytes, text), { maxLength: 3 })),
  { maxKeys: 5 },
)
const record: fc.Arbitrary<RecordParts> = fc.record({
  offsetDelta: fc.integer({ min: 0, max: 1_000_000 }),
  timestampDelta: fc.oneof(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 2 ** 45 })),
  key: part,
  value: part,
  headers,
})

test('a record has the very bytes that kafkajs gives it', () => {
  fc.assert(
    fc.property(record, parts => {
      expect(encodeRecord(parts)).toEqual(kafkajsRecord(parts).buffer)
    }),
    { numRuns: 500 },
  )
})

test('a record without headers, key or deltas has the very bytes that kafkajs gives it', () => {
  const parts = { value: Buffer.from('x') }
  expect(encodeRecord(parts)).toEqual(kafkajsRecord(parts).buffer)
})

test('a batch has the very bytes that kafkajs gives it', async () => {
  const batch = fc.record({
    firstTimestamp: fc.oneof(fc.integer({ min: 0, max: 2 ** 45 }), fc.constant('1790000000000')),
    maxTimestamp: fc.integer({ min: 0, max: 2 ** 45 }),
    producerId: fc.integer({ min: -1, max: 2 ** 31 }),
    producerEpoch: fc.integer({ min: 0, max: 32_767 }),
    firstSequence: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    transactional: fc.boolean(),
    records: fc.array(record, { minLength: 1, maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(batch, async parts => {
      const theirs = await kafkajsBatch({
        ...parts,
        compression: 0,
        lastOffsetDelta: parts.records.length - 1,
        records: parts.records.map(kafkajsRecord),
      })
      const attributes = parts.transactional ? 16 : 0
      expect(encodeBatch({ ...parts, attributes, records: parts.records.map(encodeRecord) }, crc32c)).toEqual(
        theirs.buffer,
      )
    }),
    { numRuns: 200 },
  )
})
