import { describe, expect, test } from 'vitest'
import { deadLetter } from '../../../connectors/kafka/dead-letter.ts'
import { PredioError } from '../../../schemas/errors.ts'

const ORIGIN = { topic: 'marketplace.properties.raw', partition: 3, offset: '42', role: 'validator' }
const RECORD = { key: Buffer.from('acme/1'), value: Buffer.from([0, 255]), headers: { ce_id: 'acme/7/1/0' } }
const headersFor = (error: unknown) => deadLetter(RECORD, ORIGIN, error).headers!

describe('deadLetter', () => {
  test('the bytes as they came, with Kafka Connect’s headers behind their own', () => {
    expect(deadLetter(RECORD, ORIGIN, new PredioError('RECORD_UNREADABLE', { schema: 'raw-property' }))).toEqual({
      key: RECORD.key,
      value: RECORD.value,
      headers: {
        ce_id: 'acme/7/1/0',
        '__connect.errors.topic': 'marketplace.properties.raw',
        '__connect.errors.partition': '3',
        '__connect.errors.offset': '42',
        '__connect.errors.connector.name': 'validator',
        '__connect.errors.stage': 'VALUE_CONVERTER',
        '__connect.errors.exception.class.name': 'RECORD_UNREADABLE',
        '__connect.errors.exception.message':
          'a record cannot be decoded (schema raw-property): see the dead-letter topic. [RECORD_UNREADABLE]',
      },
    })
  })

  test('a record of nothing', () => {
    const letter = deadLetter(
      { key: null, value: null },
      { ...ORIGIN, partition: 0, offset: -1 },
      new PredioError('RECORD_TOO_LARGE'),
    )
    expect(letter).toMatchObject({ key: null, value: null })
    expect(letter.headers).toMatchObject({ '__connect.errors.partition': '0', '__connect.errors.offset': '-1' })
  })

  test('what a record says of itself does not stand for what we found', () => {
    const forged = { ...RECORD, headers: { '__connect.errors.topic': 'elsewhere' } }
    expect(deadLetter(forged, ORIGIN, new Error()).headers).toMatchObject({ '__connect.errors.topic': ORIGIN.topic })
  })

  test.each([
    { name: 'bytes that no schema explains', error: new PredioError('RECORD_UNREADABLE'), stage: 'VALUE_CONVERTER' },
    { name: 'a record that nothing holds', error: new PredioError('RECORD_TOO_LARGE'), stage: 'TASK_PUT' },
    { name: 'a deleted id that is none', error: new PredioError('DELETED_ID_UNUSABLE'), stage: 'TASK_PUT' },
    { name: 'a fault of our own', error: new TypeError('x'), stage: 'TASK_PUT' },
  ])('Connect’s word for where it happened: $name', ({ error, stage }) => {
    expect(headersFor(error)['__connect.errors.stage']).toBe(stage)
  })

  test.each([
    { name: 'another error', error: new TypeError('maria@acme.example is no number'), named: 'TypeError' },
    { name: 'a thrown text', error: 'maria@acme.example', named: 'Error' },
    { name: 'nothing', error: undefined, named: 'Error' },
  ])('$name is named by its class alone: its message may quote the record (S14)', ({ error, named }) => {
    const headers = headersFor(error)
    expect(headers['__connect.errors.exception.class.name']).toBe(named)
    expect(JSON.stringify(headers)).not.toContain('maria')
  })

  test('a long sentence is cut', () => {
    const message = headersFor(new PredioError('RECORD_UNREADABLE', { reason: 'x'.repeat(5_000) }))[
      '__connect.errors.exception.message'
    ]
    expect(message).toHaveLength(1_000)
  })
})
