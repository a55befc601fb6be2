import { describe, expect, test } from 'vitest'
import { readEnvironment } from '../../connectors/environment.ts'
import { PredioError } from '../../schemas/errors.ts'
import { fileHolding } from './given-file.ts'

const GIVEN = {
  KAFKA_BROKERS: 'broker-1:9092,broker-2:9093',
  SCHEMA_REGISTRY_URL: 'http://registry:8081',
  DATABASE_URL: 'postgres://predio:canary@database/predio',
}
const read = (changes: NodeJS.ProcessEnv) => readEnvironment({ ...GIVEN, ...changes })

function mistakesOf(changes: NodeJS.ProcessEnv): string[] {
  try {
    read(changes)
  } catch (error) {
    if (!PredioError.is(error, 'CONFIG_INVALID')) throw error
    expect(`${error.message} ${error.cause}`).not.toContain('canary')
    return String(error.context.environment).split('; ')
  }
  return []
}

describe('readEnvironment (design section 11)', () => {
  test('the least that must be given, with every default', () => {
    expect(read({})).toEqual({
      kafka: { brokers: ['broker-1:9092', 'broker-2:9093'] },
      registryUrl: GIVEN.SCHEMA_REGISTRY_URL,
      databaseUrl: GIVEN.DATABASE_URL,
      prefix: 'marketplace',
      partitions: 6,
      replicationFactor: -1,
      sourceConcurrency: 50,
      clientId: expect.any(String),
      sessionTimeoutMs: undefined,
    })
  })

  test('numbers come out as numbers', () => {
    const numbers = {
      PREDIO_PARTITIONS: '12',
      PREDIO_REPLICATION: '3',
      PREDIO_SOURCE_CONCURRENCY: '1',
      KAFKA_SESSION_TIMEOUT: '6000',
    }
    expect(read(numbers)).toMatchObject({
      partitions: 12,
      replicationFactor: 3,
      sourceConcurrency: 1,
      sessionTimeoutMs: 6_000,
    })
  })

  test('what else stands in the environment does not matter', () => {
    expect(mistakesOf({ HOME: '/root', KAFKA_HEAP_OPTS: '-Xmx1g' })).toEqual([])
  })
})

describe('mistakes, named without their value', () => {
  const BROKERS = 'KAFKA_BROKERS must be host:port, several parted by commas'
  const PREFIX = 'PREDIO_PREFIX may hold a-z, 0-9, dots and hyphens'
  test.each<{ name: string; changes: NodeJS.ProcessEnv; mistake: string }>([
    { name: 'no brokers', changes: { KAFKA_BROKERS: undefined }, mistake: 'KAFKA_BROKERS is not set' },
    { name: 'empty brokers', changes: { KAFKA_BROKERS: '' }, mistake: BROKERS },
    { name: 'no port', changes: { KAFKA_BROKERS: 'canary' }, mistake: BROKERS },
    { name: 'one without a port', changes: { KAFKA_BROKERS: 'a:1,canary' }, mistake: BROKERS },
    { name: 'a comma too many', changes: { KAFKA_BROKERS: 'a:1,' }, mistake: BROKERS },
    { name: 'a URL for a broker', changes: { KAFKA_BROKERS: 'http://a:1' }, mistake: BROKERS },
    {
      name: 'an unknown protocol',
      changes: { KAFKA_SECURITY_PROTOCOL: 'canary' },
      mistake: 'KAFKA_SECURITY_PROTOCOL Invalid option: expected one of "PLAINTEXT"|"SSL"|"SASL_PLAINTEXT"|"SASL_SSL"',
    },
    {
      name: 'an unknown mechanism',
      changes: { KAFKA_SASL_MECHANISM: 'canary' },
      mistake: 'KAFKA_SASL_MECHANISM Invalid option: expected one of "PLAIN"|"SCRAM-SHA-256"|"SCRAM-SHA-512"',
    },
    { name: 'no registry', changes: { SCHEMA_REGISTRY_URL: undefined }, mistake: 'SCHEMA_REGISTRY_URL is not set' },
    {
      name: 'a registry that is no URL',
      changes: { SCHEMA_REGISTRY_URL: 'canary' },
      mistake: 'SCHEMA_REGISTRY_URL must be an http(s) URL',
    },
    {
      name: 'a registry of another scheme',
      changes: { SCHEMA_REGISTRY_URL: 'ftp://canary' },
      mistake: 'SCHEMA_REGISTRY_URL must be an http(s) URL',
    },
    { name: 'no database', changes: { DATABASE_URL: undefined }, mistake: 'DATABASE_URL is not set' },
    {
      name: 'a database of another make',
      changes: { DATABASE_URL: 'mysql://canary@a/b' },
      mistake: 'DATABASE_URL must be a postgres:// URL',
    },
    { name: 'an empty prefix', changes: { PREDIO_PREFIX: '' }, mistake: PREFIX },
    { name: 'an underscore in the prefix', changes: { PREDIO_PREFIX: 'a_b' }, mistake: PREFIX },
    { name: 'a prefix that ends with a dot', changes: { PREDIO_PREFIX: 'a.' }, mistake: PREFIX },
    { name: 'a prefix of 63 characters', changes: { PREDIO_PREFIX: 'a'.repeat(63) }, mistake: PREFIX },
    {
      name: 'no partitions',
      changes: { PREDIO_PARTITIONS: '0' },
      mistake: 'PREDIO_PARTITIONS Too small: expected number to be >=1',
    },
    {
      name: 'too many partitions',
      changes: { PREDIO_PARTITIONS: '1001' },
      mistake: 'PREDIO_PARTITIONS Too big: expected number to be <=1000',
    },
    {
      name: 'half a partition',
      changes: { PREDIO_PARTITIONS: '1.5' },
      mistake: 'PREDIO_PARTITIONS Invalid input: expected int, received number',
    },
    {
      name: 'partitions in words',
      changes: { PREDIO_PARTITIONS: 'canary' },
      mistake: 'PREDIO_PARTITIONS Invalid input: expected number, received NaN',
    },
    {
      name: 'a session that no broker allows',
      changes: { KAFKA_SESSION_TIMEOUT: '5999' },
      mistake: 'KAFKA_SESSION_TIMEOUT Too small: expected number to be >=6000',
    },
    {
      name: 'a session of a day',
      changes: { KAFKA_SESSION_TIMEOUT: '86400000' },
      mistake: 'KAFKA_SESSION_TIMEOUT Too big: expected number to be <=1800000',
    },
    {
      name: 'SASL without a user',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SASL_SSL', KAFKA_SASL_PASSWORD: 'canary' },
      mistake: 'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are needed',
    },
    {
      name: 'SASL without a password',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT', KAFKA_SASL_USERNAME: 'u' },
      mistake: 'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are needed',
    },
    {
      name: 'a certificate without its key',
      changes: { KAFKA_SSL_CERT: 'canary' },
      mistake: 'KAFKA_SSL_CERT and KAFKA_SSL_KEY are needed together',
    },
    {
      name: 'a key without its certificate',
      changes: { KAFKA_SSL_KEY: 'canary' },
      mistake: 'KAFKA_SSL_CERT and KAFKA_SSL_KEY are needed together',
    },
  ])('$name', ({ changes, mistake }) => {
    expect(mistakesOf(changes)).toEqual([mistake])
  })

  test('all of them at once, whatever their kind', () => {
    const changes = {
      ...{
        KAFKA_BROKERS: undefined,
        DATABASE_URL: 'canary',
        KAFKA_SSL_CERT: 'canary',
        KAFKA_SSL_KEY_FILE: '/nowhere/canary',
      },
      KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
    }
    expect(mistakesOf(changes)).toEqual([
      'KAFKA_SSL_KEY_FILE cannot be read',
      'KAFKA_BROKERS is not set',
      'DATABASE_URL must be a postgres:// URL',
      'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are needed',
      'KAFKA_SSL_CERT and KAFKA_SSL_KEY are needed together',
    ])
  })
})

describe('values at their limits', () => {
  test.each<{ name: string; changes: NodeJS.ProcessEnv; environment: object }>([
    { name: 'a prefix of one character', changes: { PREDIO_PREFIX: 'm' }, environment: { prefix: 'm' } },
    { name: 'a prefix of 62', changes: { PREDIO_PREFIX: 'a'.repeat(62) }, environment: { prefix: 'a'.repeat(62) } },
    {
      name: 'a prefix with dots and hyphens',
      changes: { PREDIO_PREFIX: 'team.market-1' },
      environment: { prefix: 'team.market-1' },
    },
    {
      name: 'the broker’s own replication',
      changes: { PREDIO_REPLICATION: '-1' },
      environment: { replicationFactor: -1 },
    },
    {
      name: 'the longest session',
      changes: { KAFKA_SESSION_TIMEOUT: '1800000' },
      environment: { sessionTimeoutMs: 1_800_000 },
    },
    {
      name: 'postgresql:// for a scheme',
      changes: { DATABASE_URL: 'postgresql://a/b' },
      environment: { databaseUrl: 'postgresql://a/b' },
    },
    {
      name: 'a registry with a user',
      changes: { SCHEMA_REGISTRY_URL: 'https://u:canary@r/api' },
      environment: { registryUrl: 'https://u:canary@r/api' },
    },
  ])('$name', ({ changes, environment }) => {
    expect(read(changes)).toMatchObject(environment)
  })
})

describe('how to reach Kafka', () => {
  const PASSWORD = { KAFKA_SASL_USERNAME: 'predio', KAFKA_SASL_PASSWORD: 'canary' }
  const brokers = GIVEN.KAFKA_BROKERS.split(',')
  const scram = { mechanism: 'scram-sha-512', username: 'predio', password: 'canary' }
  test.each<{ name: string; changes: NodeJS.ProcessEnv; kafka: object }>([
    { name: 'in the clear', changes: {}, kafka: { brokers } },
    { name: 'in the clear, whatever else is set', changes: { ...PASSWORD, KAFKA_SSL_CA: 'ca' }, kafka: { brokers } },
    {
      name: 'TLS with the authorities of the machine',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SSL' },
      kafka: { brokers, ssl: true },
    },
    {
      name: 'TLS with an authority of one’s own',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SSL', KAFKA_SSL_CA: 'ca' },
      kafka: { brokers, ssl: { ca: 'ca' } },
    },
    {
      name: 'TLS on both sides',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SSL', KAFKA_SSL_CERT: 'cert', KAFKA_SSL_KEY: 'key' },
      kafka: { brokers, ssl: { cert: 'cert', key: 'key' } },
    },
    {
      name: 'SASL in the clear',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT', ...PASSWORD },
      kafka: { brokers, sasl: scram },
    },
    {
      name: 'SASL over TLS',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SASL_SSL', ...PASSWORD },
      kafka: { brokers, ssl: true, sasl: scram },
    },
    {
      name: 'SASL PLAIN',
      changes: { KAFKA_SECURITY_PROTOCOL: 'SASL_SSL', KAFKA_SASL_MECHANISM: 'PLAIN', ...PASSWORD },
      kafka: { brokers, ssl: true, sasl: { ...scram, mechanism: 'plain' } },
    },
  ])('$name', ({ changes, kafka }) => {
    expect(read(changes).kafka).toEqual(kafka)
  })
})

describe('a secret in a file', () => {
  test.each(['postgres://u:p@h/d', 'postgres://u:p@h/d\n', ' postgres://u:p@h/d \r\n'])('that holds %j', text => {
    expect(read({ DATABASE_URL: undefined, DATABASE_URL_FILE: fileHolding(text) }).databaseUrl).toBe(
      'postgres://u:p@h/d',
    )
  })

  test('wins over the variable', () => {
    expect(read({ SCHEMA_REGISTRY_URL_FILE: fileHolding('http://other') }).registryUrl).toBe('http://other')
  })

  test('that is not there', () => {
    expect(mistakesOf({ DATABASE_URL_FILE: '/nowhere/canary' })).toEqual(['DATABASE_URL_FILE cannot be read'])
  })

  test('that holds something else is wrong, not unset', () => {
    expect(mistakesOf({ DATABASE_URL: undefined, DATABASE_URL_FILE: fileHolding('canary') })).toEqual([
      'DATABASE_URL must be a postgres:// URL',
    ])
  })

  test.each(['KAFKA_SASL_PASSWORD', 'KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'])('%s may stand in one', name => {
    const all = {
      KAFKA_SASL_USERNAME: 'u',
      KAFKA_SASL_PASSWORD: 'p',
      KAFKA_SSL_CA: 'a',
      KAFKA_SSL_CERT: 'c',
      KAFKA_SSL_KEY: 'k',
    }
    const { kafka } = read({
      ...all,
      KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
      [name]: undefined,
      [`${name}_FILE`]: fileHolding('from a file\n'),
    })
    expect(JSON.stringify(kafka)).toContain('"from a file"')
  })
})
