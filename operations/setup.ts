import type { Logger } from 'pino'
import { migrate, pendingMigrations } from '../connectors/catalog-sink/migrations.ts'
import type { Environment } from '../connectors/environment.ts'
import { probeKafka } from '../connectors/kafka/client.ts'
import { Schemas, subjectOf } from '../connectors/kafka/schema-registry.ts'
import { createTopics, missingTopics, wantedTopics } from '../connectors/kafka/topics.ts'
import type { Partner } from '../connectors/partners.ts'
import { CYCLES_TOPIC, namesOf, type SchemaName, TOPICS, type TopicKey } from '../schemas/topology.ts'

/** What setup did, or would do: names only. */
export interface SetupPlan {
  readonly topics: readonly string[]
  readonly subjects: readonly string[]
  readonly migrations: readonly string[]
}

export interface SetupOptions {
  readonly environment: Environment
  readonly partners: readonly Partner[]
  readonly dryRun: boolean
  readonly log: Logger
}

/** Creates what is missing: topics, schemas, tables. Changes nothing that exists; done twice, the second does nothing. */
export async function setup({ environment, partners, dryRun, log }: SetupOptions): Promise<SetupPlan> {
  const { kafka: settings, registryUrl, databaseUrl, prefix, partitions, replicationFactor } = environment
  const names = namesOf(prefix)
  const ids = partners.map(({ id }) => id)
  const admin = await probeKafka(settings, 'setup', log)
  try {
    const wanted = wantedTopics(names, ids, { partitions, replicationFactor })
    const topics = dryRun
      ? (await missingTopics(admin, wanted)).map(({ topic }) => topic)
      : await createTopics(admin, wanted)
    const schemas = new Schemas(registryUrl)
    const subjects: string[] = []
    for (const [topic, schema] of schemasByTopic(prefix, ids)) {
      if ((await schemas.idOf(schema, topic)) !== undefined) continue
      if (!dryRun) await schemas.register(schema, topic)
      subjects.push(subjectOf(topic))
    }
    const migrations = dryRun ? await pendingMigrations(databaseUrl) : await migrate(databaseUrl)
    return { topics, subjects, migrations }
  } finally {
    await admin.disconnect()
  }
}

function schemasByTopic(prefix: string, partners: readonly string[]): [topic: string, schema: SchemaName][] {
  const names = namesOf(prefix)
  const shared = (Object.keys(TOPICS) as TopicKey[]).flatMap(key => {
    const { schema } = TOPICS[key]
    return schema === null ? [] : [[names.topic(key), schema] as [string, SchemaName]]
  })
  return [...shared, ...partners.map((id): [string, SchemaName] => [names.cycles(id), CYCLES_TOPIC.schema])]
}
