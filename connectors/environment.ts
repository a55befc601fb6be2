import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'
import { PredioError } from '../schemas/errors.ts'
import type { KafkaSettings } from './kafka/client.ts'

/**
 * The process's environment (design section 11), checked whole: every mistake is named, no value is printed.
 * A secret `X` may stand in a file that `X_FILE` names.
 */
export interface Environment {
  readonly kafka: KafkaSettings
  readonly registryUrl: string
  readonly databaseUrl: string
  readonly prefix: string
  readonly partitions: number
  readonly replicationFactor: number
  /** Partners polled at the same time by one source. */
  readonly sourceConcurrency: number
  readonly clientId: string
  /** Of every consumer, in place of its own default; undefined leaves that. */
  readonly sessionTimeoutMs: number | undefined
}

const SASL_MECHANISMS = { PLAIN: 'plain', 'SCRAM-SHA-256': 'scram-sha-256', 'SCRAM-SHA-512': 'scram-sha-512' } as const

const shape = z.object({
  KAFKA_BROKERS: z.string().regex(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, 'must be host:port, several parted by commas'),
  KAFKA_SECURITY_PROTOCOL: z.enum(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']).default('PLAINTEXT'),
  KAFKA_SASL_MECHANISM: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']).default('SCRAM-SHA-512'),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  KAFKA_SSL_CA: z.string().optional(),
  KAFKA_SSL_CERT: z.string().optional(),
  KAFKA_SSL_KEY: z.string().optional(),
  /** Milliseconds, within what brokers allow unless told otherwise (`group.min|max.session.timeout.ms`). */
  KAFKA_SESSION_TIMEOUT: z.coerce.number().int().min(6_000).max(1_800_000).optional(),
  SCHEMA_REGISTRY_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
  PREDIO_PREFIX: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$/, 'may hold a-z, 0-9, dots and hyphens')
    .default('marketplace'),
  PREDIO_PARTITIONS: z.coerce.number().int().min(1).max(1_000).default(6),
  PREDIO_REPLICATION: z.coerce.number().int().min(-1).max(10).default(-1),
  PREDIO_SOURCE_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(50),
})

const SECRETS = [
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SSL_CA',
  'KAFKA_SSL_CERT',
  'KAFKA_SSL_KEY',
  'DATABASE_URL',
  'SCHEMA_REGISTRY_URL',
]

/** @throws CONFIG_INVALID naming every variable that is missing or wrong */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const files = secretFiles(variables)
  const given: NodeJS.ProcessEnv = { ...variables, ...files.found }
  const parsed = shape.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const mistakes = [...files.mistakes, ...issues.map(issue => mistakeOf(issue, given)), ...missingPairs(given)]
  if (!parsed.success || mistakes.length > 0) {
    throw new PredioError('CONFIG_INVALID', { environment: mistakes.join('; ') })
  }
  const checked = parsed.data
  const protocol = checked.KAFKA_SECURITY_PROTOCOL
  const sasl = protocol.startsWith('SASL')
  return {
    kafka: {
      brokers: checked.KAFKA_BROKERS.split(','),
      ...(protocol.endsWith('SSL') && { ssl: sslOf(checked) }),
      ...(sasl && {
        sasl: {
          mechanism: SASL_MECHANISMS[checked.KAFKA_SASL_MECHANISM],
          username: checked.KAFKA_SASL_USERNAME ?? '',
          password: checked.KAFKA_SASL_PASSWORD ?? '',
        },
      }),
    },
    registryUrl: checked.SCHEMA_REGISTRY_URL,
    databaseUrl: checked.DATABASE_URL,
    prefix: checked.PREDIO_PREFIX,
    partitions: checked.PREDIO_PARTITIONS,
    replicationFactor: checked.PREDIO_REPLICATION,
    sourceConcurrency: checked.PREDIO_SOURCE_CONCURRENCY,
    clientId: hostname(),
    sessionTimeoutMs: checked.KAFKA_SESSION_TIMEOUT,
  }
}

function sslOf({
  KAFKA_SSL_CA,
  KAFKA_SSL_CERT,
  KAFKA_SSL_KEY,
}: z.infer<typeof shape>): NonNullable<KafkaSettings['ssl']> {
  if (!KAFKA_SSL_CA && !KAFKA_SSL_CERT) return true
  return {
    ...(KAFKA_SSL_CA && { ca: KAFKA_SSL_CA }),
    ...(KAFKA_SSL_CERT && { cert: KAFKA_SSL_CERT }),
    ...(KAFKA_SSL_KEY && { key: KAFKA_SSL_KEY }),
  }
}

function mistakeOf({ path, message }: z.core.$ZodIssue, given: NodeJS.ProcessEnv): string {
  const name = path.join('.')
  return given[name] === undefined ? `${name} is not set` : `${name} ${message}`
}

/** What is of no use without its other half. */
function missingPairs(given: NodeJS.ProcessEnv): string[] {
  const mistakes: string[] = []
  if (given.KAFKA_SECURITY_PROTOCOL?.startsWith('SASL') && !(given.KAFKA_SASL_USERNAME && given.KAFKA_SASL_PASSWORD)) {
    mistakes.push('KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are needed')
  }
  if (!given.KAFKA_SSL_CERT !== !given.KAFKA_SSL_KEY) {
    mistakes.push('KAFKA_SSL_CERT and KAFKA_SSL_KEY are needed together')
  }
  return mistakes
}

function secretFiles(variables: NodeJS.ProcessEnv): { found: Record<string, string>; mistakes: string[] } {
  const found: Record<string, string> = {}
  const mistakes: string[] = []
  for (const name of SECRETS) {
    const path = variables[`${name}_FILE`]
    if (path === undefined) continue
    try {
      found[name] = readFileSync(path, 'utf8').trim()
    } catch {
      mistakes.push(`${name}_FILE cannot be read`)
    }
  }
  return { found, mistakes }
}
