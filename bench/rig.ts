import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createPool } from '../connectors/catalog-sink/pool.ts'
import { readEnvironment } from '../connectors/environment.ts'
import { readPartners } from '../connectors/partners.ts'
import { openLog } from '../operations/log.ts'
import { type RoleEvent, type RoleProcess, startRoleProcess } from '../operations/role-process.ts'
import type { RoleName } from '../operations/roles.ts'
import { setup } from '../operations/setup.ts'
import type { LocalStack } from '../operations/stack/local-stack.ts'

export interface BenchPartners {
  /** How many partners share the one server, each with a feed of its own. */
  readonly count: number
  /** Listings of each. */
  readonly listings: number
  readonly requestsPerMinute: number
  /** As in the partner file. */
  readonly every: string
}

/** Topics, tables and partners of one measurement, and roles as processes of their own. */
export interface Rig {
  readonly baseUrl: string
  readonly pool: ReturnType<typeof createPool>
  readonly variables: NodeJS.ProcessEnv
  start(role: RoleName, onEvent: (event: RoleEvent) => void): RoleProcess
  close(): Promise<void>
}

export async function openRig(stack: LocalStack, name: string, partners: BenchPartners): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'predio-bench-'))
  const server = spawn(
    process.execPath,
    [new URL('./partner.ts', import.meta.url).pathname, String(partners.listings)],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const baseUrl = await addressOf(server)
  const databaseUrl = await freshDatabase(stack.databaseUrl, name)
  const file = join(folder, 'partners.yaml')
  writeFileSync(file, partnerFile(baseUrl, partners))
  const variables = {
    ...process.env,
    KAFKA_BROKERS: stack.brokers,
    SCHEMA_REGISTRY_URL: stack.registryUrl,
    DATABASE_URL: databaseUrl,
    PREDIO_PREFIX: name,
    PREDIO_PARTNERS: file,
    BENCH_KEY: 'k',
  }
  await setup({
    environment: readEnvironment(variables),
    partners: readPartners(file),
    dryRun: false,
    log: openLog('silent'),
  })
  const pool = createPool(databaseUrl, { max: 1, applicationName: 'bench' })
  const roles: RoleProcess[] = []
  return {
    baseUrl,
    pool,
    variables,
    start(role, onEvent) {
      const child = startRoleProcess(role, variables, event => {
        if (event.level !== 'info' && event.level !== 'debug') console.error(role, JSON.stringify(event))
        onEvent(event)
      })
      roles.push(child)
      return child
    },
    async close() {
      await Promise.all(roles.map(role => role.stop()))
      await pool.end()
      server.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

function partnerFile(baseUrl: string, { count, requestsPerMinute, every }: BenchPartners): string {
  const entries = Array.from({ length: count }, (_, index) => {
    const id = `bench-${String(index).padStart(4, '0')}`
    return `  - id: ${id}
    base_url: ${baseUrl}/${id}
    auth: { header: x-api-key, secret: env:BENCH_KEY }
    every: ${every}
    requests_per_minute: ${requestsPerMinute}
    allow_private: true
`
  })
  return `partners:\n${entries.join('')}`
}

async function addressOf(server: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string]
  return line.replace('READY ', '')
}

async function freshDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = createPool(adminUrl, { max: 1, applicationName: 'bench' })
  const database = name.replaceAll(/[^a-z0-9]/g, '_')
  await admin.query(`CREATE DATABASE ${database}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
