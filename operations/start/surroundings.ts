import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PredioError } from '../../schemas/errors.ts'
import { type LocalStack, type PartExit, startLocalStack } from '../stack/local-stack.ts'
import { readLogTail } from '../stack/log-tail.ts'
import { childEnvOf } from '../stack/part.ts'
import { untilReady } from '../stack/readiness.ts'
import { cacheDirOf } from '../stack/stack-cache.ts'
import { startWatched, type WatchedChild } from '../stack/watched-child.ts'

const STACK_VARIABLES = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL'] as const

/** All of Kafka, registry and database are given, or none: half a local stack would write into somebody's cluster. */
export function needsLocalStack(variables: NodeJS.ProcessEnv): boolean {
  const missing = STACK_VARIABLES.filter(name => !variables[name] && !variables[`${name}_FILE`])
  if (missing.length === 0) return false
  if (missing.length === STACK_VARIABLES.length) return true
  throw new PredioError('CONFIG_INVALID', {
    environment: `${missing.join(' and ')} not set; set all of ${STACK_VARIABLES.join(', ')}, or none`,
  })
}

/** What the roles stand on: the variables that they need, and how to take it away again. */
export interface Surroundings {
  readonly variables: NodeJS.ProcessEnv
  readonly stack: LocalStack | undefined
  readonly dataDir: string
  stop(): Promise<void>
}

export interface SurroundingsOptions {
  readonly variables: NodeJS.ProcessEnv
  readonly dataDir: string | undefined
  readonly fresh: boolean
  readonly signal: AbortSignal
  readonly say: (words: string) => void
  readonly onExit: (exit: PartExit) => void
}

/** Starts what is missing: the local stack, and the sample partner where no partner file is given. */
export async function startSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  const { say, signal, fresh, onExit } = options
  const dataDir = options.dataDir ?? join(cacheDirOf(options.variables), 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  let variables = { ...options.variables }
  let stack: LocalStack | undefined
  let sample: WatchedChild | undefined
  const stop = async (): Promise<void> => {
    await sample?.stop()
    await stack?.stop()
  }
  try {
    if (needsLocalStack(variables)) {
      stack = await startLocalStack({ dataDir, fresh, log: say, env: variables, signal, onExit })
      const { brokers, registryUrl, databaseUrl } = stack
      variables = { ...variables, KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl, DATABASE_URL: databaseUrl }
    }
    if (!variables.PREDIO_PARTNERS) {
      sample = await startSamplePartner(dataDir, variables)
      const baseUrl = await readyAddress(sample, signal)
      const file = join(dataDir, 'sample-partner.yaml')
      writeFileSync(file, samplePartnerFile(baseUrl))
      variables = { ...variables, PREDIO_PARTNERS: file, SAMPLE_API_KEY }
      say(`the sample partner is up on ${baseUrl}`)
    }
    return { variables, stack, dataDir, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Guards nothing but made-up listings on loopback. */
const SAMPLE_API_KEY = 'sample-key'

export function samplePartnerFile(baseUrl: string): string {
  return `# The sample partner of examples/partner-crm. Written anew at each start.
partners:
  - id: sample
    base_url: ${baseUrl}
    auth: { header: x-api-key, secret: env:SAMPLE_API_KEY }
    every: 20s
    overlap: 10s
    requests_per_minute: 600
    allow_private: true
`
}

const SERVER = new URL('../../examples/partner-crm/server.mjs', import.meta.url).pathname

function startSamplePartner(dataDir: string, variables: NodeJS.ProcessEnv): Promise<WatchedChild> {
  return startWatched({
    name: 'sample-partner',
    command: process.execPath,
    args: [SERVER, '--port', '0', '--listings', '1000', '--change-every', '5s'],
    cwd: dataDir,
    env: { ...childEnvOf(variables), API_KEY: SAMPLE_API_KEY },
    logPath: join(dataDir, 'sample-partner.log'),
  })
}

const READY_LIMIT_MS = 30_000

async function readyAddress(sample: WatchedChild, signal: AbortSignal): Promise<string> {
  let address: string | undefined
  const probe = async (): Promise<boolean> => {
    address = /^READY (http:\S+)/m.exec(await readLogTail(sample.logPath))?.[1]
    return address !== undefined
  }
  await untilReady(sample, probe, READY_LIMIT_MS, signal)
  return address!
}
