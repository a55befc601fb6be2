import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Admin, Kafka as KafkaClient, LogEntry, RetryOptions, SASLOptions } from 'kafkajs'
import type { Logger } from 'pino'
import { PredioError } from '../../schemas/errors.ts'
import { CompressionCodecs, CompressionTypes, Kafka, logLevel } from './kafkajs.ts'

/** How to reach the cluster: the words of the Java clients, so an operator can copy them (design section 11). */
export interface KafkaSettings {
  readonly brokers: readonly string[]
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | true
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
}

CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async (encoder: { buffer: Buffer }) => zstdCompressSync(encoder.buffer),
  decompress: async (buffer: Buffer) => zstdDecompressSync(buffer),
})

/** Rides out a broker that restarts: about 30 s of retries before an operation is given up. */
const RETRY = { initialRetryTime: 200, factor: 0.2, multiplier: 1.7, maxRetryTime: 4_000, retries: 10 } as const

/** Says within seconds that nobody is there. */
const PROBE_RETRY = { ...RETRY, maxRetryTime: 1_000, retries: 3 } as const

export function connectKafka(
  settings: KafkaSettings,
  clientId: string,
  log: Logger,
  retry: RetryOptions = RETRY,
): KafkaClient {
  return new Kafka({
    clientId,
    brokers: [...settings.brokers],
    ...(settings.ssl === undefined ? {} : { ssl: sslOf(settings.ssl) }),
    ...(settings.sasl === undefined ? {} : { sasl: settings.sasl as SASLOptions }),
    connectionTimeout: 5_000,
    requestTimeout: 30_000,
    retry,
    logLevel: logLevel.INFO,
    logCreator: () => entry => logKafka(log, entry),
  })
}

function sslOf(ssl: NonNullable<KafkaSettings['ssl']>): boolean | { ca?: string[]; cert?: string; key?: string } {
  if (ssl === true) return true
  const { ca, cert, key } = ssl
  return { ...(ca && { ca: [ca] }), ...(cert && { cert }), ...(key && { key }) }
}

/**
 * kafkajs reports what it goes on to retry at ERROR, start-up included. What a stage must know reaches it as a
 * rejected call or a crash event, so here nothing is louder than debug, except an outright crash.
 */
function logKafka(log: Logger, { log: { message, error, groupId }, namespace, level }: LogEntry): void {
  const fields = { event: 'kafka_client', namespace, groupId, error: error instanceof Error ? error.message : error }
  if (level === logLevel.ERROR && message.startsWith('Crash:')) log.warn(fields, message)
  else log.debug(fields, message)
}

/**
 * An admin client that has answered once, so a wrong address is said at start and in one sentence.
 *
 * @throws BROKER_UNREACHABLE, BROKER_REFUSED
 */
export async function probeKafka(settings: KafkaSettings, clientId: string, log: Logger): Promise<Admin> {
  const admin = connectKafka(settings, clientId, log, PROBE_RETRY).admin()
  try {
    await admin.connect()
    await admin.describeCluster()
    return admin
  } catch (cause) {
    await admin.disconnect().catch(() => {})
    throw kafkaError(cause, settings.brokers)
  }
}

function kafkaError(cause: unknown, brokers: readonly string[]): PredioError {
  const { type, name } = cause as { type?: string; name?: string }
  const refused = /AUTHORI[SZ]ATION|AUTHENTICATION|SASL/i.test(`${type} ${name}`)
  return new PredioError(refused ? 'BROKER_REFUSED' : 'BROKER_UNREACHABLE', { brokers: brokers.join(',') }, { cause })
}

/** For all that asks about groups, offsets and topics while a role runs. */
export async function connectAdmin(kafka: KafkaClient): Promise<Admin> {
  const admin = kafka.admin()
  await admin.connect()
  return admin
}
