import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type PartName, startLocalStack } from '../../operations/stack/local-stack.ts'
import { requireKafkaTools } from '../../operations/stack/stack-cache.ts'

export interface ProvidedStack {
  readonly brokers: string
  readonly registryUrl: string
  readonly databaseUrl: string
  readonly toolsClasspath: string
  /** null where the servers are not ours but the ones of KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL */
  readonly pids: Readonly<Record<PartName, number>> | null
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: ProvidedStack
  }
}

/** The global setup of the `stack` project: one stack for all its test files. They read it with `inject('stack')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = givenStack(process.env)
  if (given !== undefined) {
    project.provide('stack', { ...given, toolsClasspath: await requireKafkaTools(say), pids: null })
    return async () => {}
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'predio-stack-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const stack = await startLocalStack({
      dataDir,
      log: say,
      onExit: ({ part, code, signal, logTail }) => say(`${part} ended (${signal ?? code}): ${logTail}`),
    })
    const { brokers, registryUrl, databaseUrl, toolsClasspath, pids } = stack
    project.provide('stack', { brokers, registryUrl, databaseUrl, toolsClasspath, pids })
    return async () => {
      await stack.stop()
      await remove()
    }
  } catch (error) {
    await remove()
    throw error
  }
}

function givenStack({ KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL }: NodeJS.ProcessEnv) {
  if (!KAFKA_BROKERS || !SCHEMA_REGISTRY_URL || !DATABASE_URL) return undefined
  return { brokers: KAFKA_BROKERS, registryUrl: SCHEMA_REGISTRY_URL, databaseUrl: DATABASE_URL }
}

function say(words: string): void {
  process.stderr.write(`stack: ${words}\n`)
}
