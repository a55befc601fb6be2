import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordOf } from '../../schemas/avro.ts'
import { PredioError } from '../../schemas/errors.ts'
import { connectKafka, probeKafka } from '../kafka/client.ts'
import { deadLetter } from '../kafka/dead-letter.ts'
import type { KafkaMessage } from '../kafka/kafkajs.ts'
import { partitionCounts, partitionOf } from '../kafka/partitions.ts'
import { RecordProducer } from '../kafka/record-producer.ts'
import { type Decode, Schemas } from '../kafka/schema-registry.ts'
import { runSink, type SinkBatch } from '../kafka/sink.ts'
import type { StartRole } from '../role.ts'
import { requireMigrated } from './migrations.ts'
import { createPool } from './pool.ts'
import { type Applied, type CatalogBatch, createCatalogStore } from './store.ts'

/** Rows of one statement: larger ones gain nothing and hold locks longer. */
const BATCH_RECORDS = 1_000
/** While the database is away: long enough to leave it alone, short enough for the group's heartbeat. */
const DATABASE_PAUSE_MS = 1_000

type CatalogRecord =
  | CatalogBatch['listings'][number]['listing']
  | CatalogBatch['rejections'][number]
  | CatalogBatch['deletions'][number]

/** Keeps the catalog current: accepted, draft and rejected listings and deletions into PostgreSQL. */
export const startCatalog: StartRole = async ({ environment, names, log, fatal }) => {
  const { kafka: settings, registryUrl, databaseUrl, clientId, sessionTimeoutMs } = environment
  const pool = createPool(databaseUrl, { max: 4, applicationName: 'predio-catalog' })
  await requireMigrated(pool)
  const kafka = connectKafka(settings, `catalog-${clientId}`, log)
  const accepted = names.topic('listings.accepted')
  const draft = names.topic('listings.draft')
  const rejected = names.topic('listings.rejected')
  const deletions = names.topic('deletions.raw')
  const deadLetters = names.topic('dead-letter')
  const probe = await probeKafka(settings, `catalog-${clientId}`, log)
  const topics = [accepted, draft, rejected, deletions]
  const counts = await partitionCounts(probe, [...topics, deadLetters]).finally(() => probe.disconnect())

  const schemas = new Schemas(registryUrl)
  const decodeListing = schemas.decoder('listing')
  const decodeRejection = schemas.decoder('rejection')
  const decodeDeletion = schemas.decoder('deletion')
  const store = createCatalogStore(pool)
  const producer = new RecordProducer(kafka)

  async function write(batch: SinkBatch): Promise<void> {
    const buried = new Map<KafkaMessage, unknown>()
    const origins = new Map<CatalogRecord, KafkaMessage>()
    const read = async <Name extends 'listing' | 'rejection' | 'deletion'>(decode: Decode<Name>) => {
      const records: RecordOf[Name][] = []
      for (const message of batch.messages) {
        try {
          const record: RecordOf[Name] = await decode(message.value)
          origins.set(record, message)
          records.push(record)
        } catch (error) {
          if (PredioError.is(error) && error.retriable) throw error
          buried.set(message, error)
        }
      }
      return records
    }
    const { topic } = batch
    const status = topic === draft ? 'draft' : 'published'
    const changes: CatalogBatch = {
      listings:
        topic === accepted || topic === draft ? (await read(decodeListing)).map(listing => ({ status, listing })) : [],
      rejections: topic === rejected ? await read(decodeRejection) : [],
      deletions: topic === deletions ? await read(decodeDeletion) : [],
    }
    const applied = await patiently(() => store.apply(changes), batch)
    for (const { record, sqlState, message } of applied.refused) {
      buried.set(origins.get(record)!, new PredioError('CATALOG_REFUSED', { sqlState, message }))
    }
    if (buried.size > 0) await bury(batch, buried)
    const { written, stale, deactivated } = applied
    log.debug({
      event: 'batch_applied',
      topic,
      partition: batch.partition,
      records: batch.messages.length,
      written,
      stale,
      deactivated,
    })
  }

  /** Waits while the database is away, without losing the place in the group. */
  async function patiently(apply: () => Promise<Applied>, { heartbeat, isWanted }: SinkBatch): Promise<Applied> {
    for (let waits = 0; ; waits++) {
      try {
        return await apply()
      } catch (error) {
        if (!(PredioError.is(error) && error.retriable) || !isWanted()) throw error
        if (waits % 30 === 0) log.warn({ event: 'catalog_waiting', error: error.message })
        await sleep(DATABASE_PAUSE_MS)
        await heartbeat()
      }
    }
  }

  async function bury({ topic, partition }: SinkBatch, buried: ReadonlyMap<KafkaMessage, unknown>): Promise<void> {
    const messages = [...buried].map(([message, error]) => {
      log.warn({
        event: 'record_dead_lettered',
        topic,
        partition,
        offset: message.offset,
        error: (error as Error).message,
      })
      return deadLetter(message, { topic, partition, offset: message.offset, role: 'catalog' }, error)
    })
    await producer.send(deadLetters, partitionOf(topic, counts.get(deadLetters) ?? 1), messages)
  }

  const running = await runSink({
    kafka,
    groupId: names.group('catalog'),
    sessionTimeoutMs,
    topics,
    batchRecords: BATCH_RECORDS,
    write,
    fatal,
  })
  log.info({ event: 'catalog_started' })
  return {
    async stop() {
      await running.stop()
      await producer.disconnect()
      await pool.end()
    },
  }
}
