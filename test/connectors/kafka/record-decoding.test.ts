import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRecord } from '../../../connectors/kafka/record-decoding.ts'
import { encodeRecord } from '../../../connectors/kafka/record-encoding.ts'

// kafkajs as it comes: this file must not import anything that mends it.
const require = createRequire(import.meta.url)
const Decoder = require('kafkajs/src/protocol/decoder') as new (
  buffer: Buffer,
) => { readVarIntBytes(): Buffer; buffer: Buffer }
const kafkajsRecord = require('kafkajs/src/protocol/recordBatch/record/v0/decoder') as (
  decoder: object,
  context: object,
) => object

const bytes = fc.uint8Array({ maxLength: 200 }).map(array => Buffer.from(array))
const name = fc.string({ minLength: 1, maxLength: 12 }).filter(text => text !== '__proto__')
const record = fc.record({
  offsetDelta: fc.integer({ min: 0, max: 1_000_000 }),
  timestampDelta: fc.oneof(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 2 ** 45 })),
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc.dictionary(name, fc.oneof(bytes, fc.constant(null), fc.array(bytes, { minLength: 2, maxLength: 4 })), {
    maxKeys: 8,
  }),
})
const context = fc.record({
  firstOffset: fc.nat().map(String),
  firstTimestamp: fc.integer({ min: 0, max: 2 ** 44 }).map(String),
  maxTimestamp: fc.integer({ min: 0, max: 2 ** 44 }).map(String),
  magicByte: fc.constant(2),
  isControlBatch: fc.boolean(),
  timestampType: fc.constantFrom(0, 1),
})

test('a record is read as kafkajs reads it', () => {
  fc.assert(
    fc.property(record, context, (parts, batch) => {
      const body = new Decoder(encodeRecord(parts)).readVarIntBytes()
      expect(decodeRecord(body, batch)).toEqual(kafkajsRecord(new Decoder(body), batch))
    }),
    { numRuns: 500 },
  )
})
