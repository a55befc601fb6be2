import { describe, expect, test } from 'vitest'
import { CYCLES_TOPIC, GROUPS, namesOf, TOPICS, TOPICS_AS_INPUT, type TopicKey } from '../../schemas/topology.ts'

const KEYS = Object.keys(TOPICS) as TopicKey[]

test('what each topic of a record’s way holds, and for how long (design section 2)', () => {
  const days = (count: number): number => count * 86_400_000
  expect(TOPICS).toMatchObject({
    'properties.raw': { schema: 'raw-property', retentionMs: days(30) },
    'deletions.raw': { schema: 'deletion', retentionMs: days(30) },
    'listings.accepted': { schema: 'listing', retentionMs: days(30) },
    'listings.draft': { schema: 'listing', retentionMs: days(30) },
    'listings.rejected': { schema: 'rejection', retentionMs: days(180) },
    'cycle-reports': { schema: 'cycle-report', retentionMs: days(180) },
    'dead-letter': { schema: null, retentionMs: days(30) },
  })
})

test('markers are kept for ever, in one partition: stock tools move `since` along them', () => {
  expect(CYCLES_TOPIC).toMatchObject({ schema: 'marker', retentionMs: -1, partitions: 1 })
})

test('what the validator writes keeps its input’s partition number', () => {
  expect(TOPICS_AS_INPUT).toEqual([
    'properties.raw',
    'listings.accepted',
    'listings.draft',
    'listings.rejected',
    'dead-letter',
  ])
})

describe('names of an installation', () => {
  const names = namesOf('market')

  test('all begin with the prefix, so one prefixed ACL covers them', () => {
    expect(KEYS.map(names.topic)).toEqual(KEYS.map(key => `market.${key}`))
    expect(GROUPS.map(names.group)).toEqual(GROUPS.map(key => `market.${key}`))
    expect(names.cycles('acme')).toBe('market.cycles.acme')
    expect(names.sinceGroup('acme')).toBe('market.since.acme')
    expect(names.transactionalId('validator', 'market.properties.raw.3')).toBe(
      'market.validator.market.properties.raw.3',
    )
  })

  test('no two are the same, and no partner’s topic is one of the shared ones', () => {
    const partners = [...KEYS, ...GROUPS, 'acme', 'reports', 'raw'].map(name => name.replaceAll('.', '-'))
    const topics = [...KEYS.map(names.topic), ...partners.map(names.cycles)]
    const groups = [...GROUPS.map(names.group), ...partners.map(names.sinceGroup)]
    expect(new Set(topics).size).toBe(topics.length - countTwice(partners))
    expect(new Set(groups).size).toBe(groups.length - countTwice(partners))
  })

  test('hold letters, digits, dots and hyphens only, and fit into Kafka’s 249 characters', () => {
    const longest = namesOf('a'.repeat(62))
    const partner = 'b'.repeat(40)
    for (const name of [...KEYS.map(longest.topic), longest.cycles(partner), longest.sinceGroup(partner)]) {
      expect(name).toMatch(/^[a-z0-9.-]{1,249}$/)
    }
  })
})

const countTwice = (values: readonly string[]): number => values.length - new Set(values).size
