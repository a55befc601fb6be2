import { describe, expect, test } from 'vitest'
import { parsePartners } from '../../../connectors/partners.ts'
import { needsLocalStack, samplePartnerFile } from '../../../operations/start/surroundings.ts'
import { errorOf } from '../../schemas/error-of.ts'

const ALL = { KAFKA_BROKERS: 'a:1', SCHEMA_REGISTRY_URL: 'http://a', DATABASE_URL: 'postgres://a/b' }

describe('needsLocalStack', () => {
  test.each<{ name: string; variables: NodeJS.ProcessEnv; needed: boolean }>([
    { name: 'nothing is given', variables: {}, needed: true },
    { name: 'all is given', variables: ALL, needed: false },
    {
      name: 'the database’s address in a file',
      variables: { ...ALL, DATABASE_URL: undefined, DATABASE_URL_FILE: '/run/secrets/db' },
      needed: false,
    },
    {
      name: 'empty is not given',
      variables: { KAFKA_BROKERS: '', SCHEMA_REGISTRY_URL: '', DATABASE_URL: '' },
      needed: true,
    },
    {
      name: 'other variables do not count',
      variables: { PREDIO_PARTNERS: 'p.yaml', KAFKA_SASL_USERNAME: 'u' },
      needed: true,
    },
  ])('$name: $needed', ({ variables, needed }) => {
    expect(needsLocalStack(variables)).toBe(needed)
  })

  test.each<{ name: string; variables: NodeJS.ProcessEnv; missing: string }>([
    {
      name: 'Kafka alone',
      variables: { KAFKA_BROKERS: 'a:1' },
      missing: 'SCHEMA_REGISTRY_URL and DATABASE_URL not set',
    },
    { name: 'all but Kafka', variables: { ...ALL, KAFKA_BROKERS: undefined }, missing: 'KAFKA_BROKERS not set' },
    { name: 'an empty database', variables: { ...ALL, DATABASE_URL: '' }, missing: 'DATABASE_URL not set' },
    {
      name: 'the database alone, in a file',
      variables: { DATABASE_URL_FILE: '/run/secrets/db' },
      missing: 'KAFKA_BROKERS and SCHEMA_REGISTRY_URL not set',
    },
  ])('half a stack would write into somebody’s cluster: $name', ({ variables, missing }) => {
    const error = errorOf(() => needsLocalStack(variables))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.context.environment).toBe(
      `${missing}; set all of KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL, or none`,
    )
  })
})

describe('samplePartnerFile', () => {
  test('is a partner file without a mistake, whose secret stands in the environment', () => {
    const { partners, mistakes } = parsePartners(samplePartnerFile('http://127.0.0.1:45678'))
    expect(mistakes).toEqual([])
    expect(partners).toMatchObject([
      {
        id: 'sample',
        base_url: 'http://127.0.0.1:45678',
        auth: { header: 'x-api-key', secret: 'env:SAMPLE_API_KEY' },
        allow_private: true,
      },
    ])
  })

  test('is polled often, so that one sees it move, and every cycle overlaps the one before', () => {
    const [sample] = parsePartners(samplePartnerFile('http://127.0.0.1:1')).partners
    expect(sample!.every).toBeLessThanOrEqual(60_000)
    expect(sample!.overlap).toBeGreaterThan(0)
  })
})
