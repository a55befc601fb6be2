/**
 * What exists in Kafka, as data (design section 2). Setup, the stages, the documents and the tests read this table;
 * a misspelt topic does not compile.
 */
const DAY_MS = 86_400_000

export interface TopicSpec {
  /** Name of the value schema in `records/`; null for bytes as they came. */
  readonly schema: SchemaName | null
  /** Deleted by age unless it says compact: then the newest record of each key is kept for ever. */
  readonly cleanup?: 'compact'
  readonly retentionMs: number
  readonly holds: string
}

export const TOPICS = {
  'properties.raw': {
    schema: 'raw-property',
    retentionMs: 30 * DAY_MS,
    holds: 'every property as the partner sent it',
  },
  'deletions.raw': { schema: 'deletion', retentionMs: 30 * DAY_MS, holds: 'every deleted or withdrawn id' },
  'listings.accepted': { schema: 'listing', retentionMs: 30 * DAY_MS, holds: 'properties that may be published' },
  'listings.draft': { schema: 'listing', retentionMs: 30 * DAY_MS, holds: 'properties kept as draft' },
  'listings.rejected': {
    schema: 'rejection',
    retentionMs: 180 * DAY_MS,
    holds: 'refused properties with every reason',
  },
  'cycle-reports': { schema: 'cycle-report', retentionMs: 180 * DAY_MS, holds: 'how each cycle went' },
  'partner-commands': {
    schema: 'partner-command',
    cleanup: 'compact',
    retentionMs: -1,
    holds: 'what operators want of each partner: pause, resume, run now',
  },
  'dead-letter': { schema: null, retentionMs: 30 * DAY_MS, holds: 'records no stage could process, as they came' },
} as const satisfies Record<string, TopicSpec>

export type TopicKey = keyof typeof TOPICS
export type SchemaName =
  | 'raw-property'
  | 'deletion'
  | 'listing'
  | 'rejection'
  | 'cycle-report'
  | 'marker'
  | 'partner-command'

/** Topics whose records stay in the partition number of their input: none may have fewer partitions than `properties.raw`. */
export const TOPICS_AS_INPUT = [
  'properties.raw',
  'listings.accepted',
  'listings.draft',
  'listings.rejected',
  'dead-letter',
] as const satisfies readonly TopicKey[]

/** Markers live in one topic per partner, so that stock tools can move one partner's `since` alone (design section 3.9). */
export const CYCLES_TOPIC = {
  schema: 'marker',
  retentionMs: -1,
  partitions: 1,
  holds: 'one marker per checkpointed cycle',
} as const

export const GROUPS = ['source', 'validator', 'catalog', 'checkpoint', 'feedback'] as const
export type GroupKey = (typeof GROUPS)[number]

/** The names of one installation. Only dots and hyphens: `.` and `_` collide in Kafka's metric names. */
export interface Names {
  topic(key: TopicKey): string
  cycles(partner: string): string
  group(key: GroupKey): string
  sinceGroup(partner: string): string
  transactionalId(group: GroupKey, suffix: string | number): string
}

/** @param prefix `PREDIO_PREFIX`: one prefixed ACL covers all topics, groups and transactional ids of an installation. */
export function namesOf(prefix: string): Names {
  return {
    topic: key => `${prefix}.${key}`,
    cycles: partner => `${prefix}.cycles.${partner}`,
    group: key => `${prefix}.${key}`,
    sinceGroup: partner => `${prefix}.since.${partner}`,
    transactionalId: (group, suffix) => `${prefix}.${group}.${suffix}`,
  }
}
