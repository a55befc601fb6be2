import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BROKER_LOG4J, jvmFlags, needsRecovery, serverProperties } from './kafka-settings.ts'
import type { Part } from './part.ts'
import { answersTcp, untilDone, untilReady } from './readiness.ts'
import type { WatchedChild } from './watched-child.ts'

const START_LIMIT_MS = 60_000
const RECOVERY_LIMIT_MS = 600_000

/** Formats the data folder on its first start. Resolves once the port answers. */
export async function startKafka(part: Part, classpath: string, heavy: boolean): Promise<WatchedChild> {
  const { dataDir, ports, launch, signal } = part
  await writeFile(join(dataDir, 'kafka.properties'), serverProperties(ports))
  await writeFile(join(dataDir, 'kafka-log4j2.properties'), BROKER_LOG4J)
  const run = (name: string, main: string, args: readonly string[]) =>
    launch({ name, command: part.java, args: [...javaArgs(part.tempDir, heavy), '-cp', classpath, main, ...args] })

  const entries = await readKafkaFolder(dataDir)
  if (!entries.includes('meta.properties')) {
    const format = ['format', '--cluster-id', newClusterId(), '--config', 'kafka.properties']
    await untilDone(await run('kafka-format', 'kafka.tools.StorageTool', format))
  }
  const broker = await run('kafka', 'kafka.Kafka', ['kafka.properties'])
  const limitMs = needsRecovery(entries) ? RECOVERY_LIMIT_MS : START_LIMIT_MS
  await untilReady(broker, () => answersTcp(ports.kafka), limitMs, signal)
  return broker
}

/** @returns the names in the broker's data folder, which is made where it is missing */
export async function readKafkaFolder(dataDir: string): Promise<string[]> {
  await mkdir(join(dataDir, 'kafka'), { recursive: true, mode: 0o700 })
  return readdir(join(dataDir, 'kafka'))
}

function javaArgs(tempDir: string, heavy: boolean): string[] {
  const log4j = '-Dlog4j2.configurationFile=kafka-log4j2.properties'
  return [...jvmFlags(heavy), '-XX:-UsePerfData', `-Djava.io.tmpdir=${tempDir}`, log4j]
}

/** 16 random bytes as base64url, as Kafka makes them; never with a leading dash, which would look like an option. */
function newClusterId(): string {
  return `p${randomBytes(16).toString('base64url').slice(1)}`
}
