import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../connectors/catalog-sink/pool.ts'
import { readEnvironment } from '../connectors/environment.ts'
import { readPartners } from '../connectors/partners.ts'
import { openLog } from '../operations/log.ts'
import { startRoleProcess } from '../operations/role-process.ts'
import { ROLE_NAMES } from '../operations/roles.ts'
import { setup } from '../operations/setup.ts'
import type { LocalStack } from '../operations/stack/local-stack.ts'
import { type ProcessUse, useOf } from './machine.ts'

export interface FeedToCatalog {
  readonly listings: number
  /** From the partner's first request to the last listing in the catalog. */
  readonly seconds: number
  readonly listingsPerSecond: number
  /** From the first request to the moved `since`. */
  readonly checkpointedSeconds: number
  readonly roles: Readonly<Record<string, ProcessUse>>
  readonly servers: Readonly<Record<string, ProcessUse>>
}

/** A first cycle, from an HTTP feed without rate limit into an empty catalog, every role a process of its own. */
export async function feedToCatalog(stack: LocalStack, listings: number, name: string): Promise<FeedToCatalog> {
  const folder = mkdtempSync(join(tmpdir(), 'predio-bench-'))
  const partner = spawn(process.execPath, [new URL('./partner.ts', import.meta.url).pathname, String(listings)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const databaseUrl = await freshDatabase(stack.databaseUrl, name)
  const pool = createPool(databaseUrl, { max: 1, applicationName: 'bench' })
  try {
    const baseUrl = await addressOf(partner)
    const file = join(folder, 'partners.yaml')
    writeFileSync(file, partnerFile(baseUrl))
    const variables = {
      ...process.env,
      KAFKA_BROKERS: stack.brokers,
      SCHEMA_REGISTRY_URL: stack.registryUrl,
      DATABASE_URL: databaseUrl,
      PREDIO_PREFIX: name,
      PREDIO_PARTNERS: file,
      BENCH_KEY: 'k',
    }
    const environment = readEnvironment(variables)
    await setup({ environment, partners: readPartners(file), dryRun: false, log: openLog('silent') })
    const { promise: checkpointed, resolve } = Promise.withResolvers<number>()
    const serversBefore = useOfServers(stack)
    // The source last, so that the others are at work when the first page comes.
    const roles = [...ROLE_NAMES].reverse().map(role =>
      startRoleProcess(role, variables, event => {
        if (event.event === 'cycle_checkpointed') resolve(Date.now())
        if (event.level !== 'info') console.error(role, JSON.stringify(event))
      }),
    )
    const appliedMs = await whenApplied(pool, listings)
    const firstMs = Number(await (await fetch(`${baseUrl}/first`)).text())
    const checkpointedMs = await checkpointed
    const use = Object.fromEntries(roles.map(({ role, pid }) => [role, useOf(pid)]))
    const servers = difference(useOfServers(stack), serversBefore)
    await Promise.all(roles.map(role => role.stop()))
    const seconds = (appliedMs - firstMs) / 1_000
    return {
      listings,
      seconds,
      listingsPerSecond: Math.round(listings / seconds),
      checkpointedSeconds: (checkpointedMs - firstMs) / 1_000,
      roles: use,
      servers,
    }
  } finally {
    await pool.end()
    partner.kill()
    rmSync(folder, { recursive: true })
  }
}

const partnerFile = (baseUrl: string): string => `partners:
  - id: bench
    base_url: ${baseUrl}
    auth: { header: x-api-key, secret: env:BENCH_KEY }
    every: 1d
    requests_per_minute: 6000000
    allow_private: true
`

async function addressOf(partner: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: partner.stdout! }), 'line')) as [string]
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

const LOOK_EVERY_MS = 50

/** The tally counts records as they are applied, so this costs the database nothing. */
async function whenApplied(pool: ReturnType<typeof createPool>, listings: number): Promise<number> {
  for (;;) {
    const { rows } = await pool.query(`SELECT coalesce(sum(records), 0)::int AS applied FROM predio.cycle_tally`)
    if (rows[0].applied >= listings) return Date.now()
    await sleep(LOOK_EVERY_MS)
  }
}

function useOfServers({ pids }: LocalStack): Record<string, ProcessUse> {
  return Object.fromEntries(Object.entries(pids).map(([part, pid]) => [part, useOf(pid)]))
}

function difference(after: Record<string, ProcessUse>, before: Record<string, ProcessUse>): Record<string, ProcessUse> {
  return Object.fromEntries(
    Object.entries(after).map(([part, { peakMb, cpuSeconds }]) => {
      return [part, { peakMb, cpuSeconds: Math.round((cpuSeconds - (before[part]?.cpuSeconds ?? 0)) * 100) / 100 }]
    }),
  )
}
