import type { Part } from './part.ts'
import { answersHttp, untilReady } from './readiness.ts'
import type { WatchedChild } from './watched-child.ts'

const START_LIMIT_MS = 60_000
const CONFLUENT_API = '/apis/ccompat/v7'

export function registryUrlOf(port: number): string {
  return `http://127.0.0.1:${port}${CONFLUENT_API}`
}

/**
 * Apicurio Registry, its storage in Kafka. May be started before Kafka listens: it asks again for a minute.
 * Resolves once it knows all schemas: it answers requests before it has read its journal to the end, and 404 for a
 * schema that it has not come to yet. Its readiness check waits for that end.
 */
export async function startRegistry(part: Part, jar: string): Promise<WatchedChild> {
  const { ports, launch, signal, tempDir } = part
  const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData']
  const registry = await launch({
    name: 'registry',
    command: part.java,
    args: [...flags, `-Djava.io.tmpdir=${tempDir}`, '-jar', jar],
    env: registryEnv(ports.kafka, ports.registry),
  })
  const readyUrl = new URL('/health/ready', registryUrlOf(ports.registry))
  await untilReady(registry, () => answersHttp(readyUrl), START_LIMIT_MS, signal)
  return registry
}

export function registryEnv(kafkaPort: number, port: number): Record<string, string> {
  return {
    APICURIO_STORAGE_KIND: 'kafkasql',
    APICURIO_KAFKASQL_BOOTSTRAP_SERVERS: `127.0.0.1:${kafkaPort}`,
    // It looks for a snapshot this long at every start, 5 s by default. We keep the journal whole and make none.
    APICURIO_KAFKASQL_CONSUMER_POLL_TIMEOUT: '100',
    APICURIO_KAFKASQL_SNAPSHOT_EVERY_SECONDS: 'off',
    QUARKUS_HTTP_HOST: '127.0.0.1',
    QUARKUS_HTTP_PORT: String(port),
    QUARKUS_HTTP_ACCESS_LOG_ENABLED: 'false',
    QUARKUS_BANNER_ENABLED: 'false',
    QUARKUS_LOG_LEVEL: 'WARN',
  }
}
