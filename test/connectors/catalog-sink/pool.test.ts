import { inspect } from 'node:util'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createPool, databaseFault, isDataFault, placeOf } from '../../../connectors/catalog-sink/pool.ts'
import { PredioError } from '../../../schemas/errors.ts'

const PLACE = { host: 'db.example', port: 5433, database: 'market' }

function sqlError(code: string, message = 'as the server says'): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error')
  error.code = code
  return error
}

describe('placeOf', () => {
  test.each([
    { url: 'postgres://ana:canary@db.example:5433/market', place: PLACE },
    { url: 'postgresql://db.example/market', place: { host: 'db.example', port: 5432, database: 'market' } },
    { url: 'postgres://ana:ca%2Fnary@[::1]:5433/m', place: { host: '::1', port: 5433, database: 'm' } },
  ])('$url', ({ url, place }) => {
    expect(placeOf({ connectionString: url })).toEqual(place)
  })
})

test('a URL that cannot be read is reported without the password in it', () => {
  const making = () =>
    createPool('postgres://ana:canary@db.example:no-port/market', { max: 1, applicationName: 'test' })
  expect(making).toThrow(/DATABASE_URL/)
  try {
    making()
  } catch (error) {
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('canary')
  }
})

describe('databaseFault', () => {
  test.each([
    { name: 'connection lost (08)', cause: sqlError('08006'), code: 'DATABASE_UNREACHABLE', retriable: true },
    { name: 'deadlock (40)', cause: sqlError('40P01'), code: 'DATABASE_UNREACHABLE', retriable: true },
    { name: 'disk full (53)', cause: sqlError('53100'), code: 'DATABASE_UNREACHABLE', retriable: true },
    {
      name: 'shut down by an administrator (57)',
      cause: sqlError('57P01'),
      code: 'DATABASE_UNREACHABLE',
      retriable: true,
    },
    {
      name: 'read-only after a failover (25)',
      cause: sqlError('25006'),
      code: 'DATABASE_UNREACHABLE',
      retriable: true,
    },
    { name: 'no table', cause: sqlError('42P01'), code: 'DATABASE_NOT_READY', retriable: false },
    { name: 'no column', cause: sqlError('42703'), code: 'DATABASE_NOT_READY', retriable: false },
    { name: 'no schema', cause: sqlError('3F000'), code: 'DATABASE_NOT_READY', retriable: false },
    { name: 'no SQLSTATE at all', cause: new Error('terminated'), code: 'DATABASE_UNREACHABLE', retriable: true },
  ])('$name', ({ cause, code, retriable }) => {
    expect(databaseFault(cause, PLACE)).toMatchObject({ code, retriable, cause, context: PLACE })
  })

  test('says why in one line', () => {
    expect(databaseFault(new Error('first\nsecond'), PLACE).context.reason).toBe('first')
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    expect(databaseFault(refused, PLACE).context.reason).toBe('ECONNREFUSED')
  })

  test('leaves an error of ours as it is', () => {
    const ours = new PredioError('DATABASE_NOT_READY')
    expect(databaseFault(ours, PLACE)).toBe(ours)
  })
})

test.each([
  { error: sqlError('22P05'), data: true },
  { error: sqlError('23514'), data: true },
  { error: sqlError('54000'), data: true },
  { error: sqlError('53100'), data: false },
  { error: sqlError('25P02'), data: false },
  { error: new Error('22P05'), data: false },
])('SQLSTATE $error.code about data: $data (reliability S12)', ({ error, data }) => {
  expect(isDataFault(error)).toBe(data)
})
