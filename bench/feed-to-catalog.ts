import { setTimeout as sleep } from 'node:timers/promises'
import { ROLE_NAMES } from '../operations/roles.ts'
import type { LocalStack } from '../operations/stack/local-stack.ts'
import { type ProcessUse, useOf } from './machine.ts'
import { openRig, type Rig } from './rig.ts'

export interface FeedToCatalog {
  readonly listings: number
  /** From the partner's first request to the last listing in the catalog. */
  readonly seconds: number
  readonly perSecond: number
  /** From the first request to the moved `since`. */
  readonly checkpointedSeconds: number
  readonly roles: Readonly<Record<string, ProcessUse>>
  readonly servers: Readonly<Record<string, ProcessUse>>
}

/** A first cycle, from an HTTP feed without rate limit into an empty catalog, every role a process of its own. */
export async function feedToCatalog(stack: LocalStack, listings: number, name: string): Promise<FeedToCatalog> {
  const rig = await openRig(stack, name, { count: 1, listings, requestsPerMinute: 6_000_000, every: '1d' })
  try {
    const { promise: checkpointed, resolve } = Promise.withResolvers<number>()
    const serversBefore = useOfServers(stack)
    // The source last, so that the others are at work when the first page comes.
    const roles = [...ROLE_NAMES].reverse().map(role =>
      rig.start(role, ({ event }) => {
        if (event === 'cycle_checkpointed') resolve(Date.now())
      }),
    )
    const appliedMs = await whenApplied(rig, listings)
    const firstMs = Number(await (await fetch(`${rig.baseUrl}/first`)).text())
    const checkpointedMs = await checkpointed
    const seconds = (appliedMs - firstMs) / 1_000
    return {
      listings,
      seconds,
      perSecond: Math.round(listings / seconds),
      checkpointedSeconds: (checkpointedMs - firstMs) / 1_000,
      roles: Object.fromEntries(roles.map(({ role, pid }) => [role, useOf(pid)])),
      servers: difference(useOfServers(stack), serversBefore),
    }
  } finally {
    await rig.close()
  }
}

const LOOK_EVERY_MS = 50

/** The tally counts records as they are applied, so this costs the database nothing. */
async function whenApplied({ pool }: Rig, listings: number): Promise<number> {
  for (;;) {
    const { rows } = await pool.query(`SELECT coalesce(sum(records), 0)::int AS applied FROM predio.cycle_tally`)
    if (rows[0].applied >= listings) return Date.now()
    await sleep(LOOK_EVERY_MS)
  }
}

/** PostgreSQL's are of its first process alone: its connections come and go. */
function useOfServers({ pids }: LocalStack): Record<string, ProcessUse> {
  return { kafka: useOf(pids.kafka), registry: useOf(pids.registry) }
}

function difference(after: Record<string, ProcessUse>, before: Record<string, ProcessUse>): Record<string, ProcessUse> {
  return Object.fromEntries(
    Object.entries(after).map(([part, { peakMb, cpuSeconds }]) => {
      return [part, { peakMb, cpuSeconds: Math.round((cpuSeconds - (before[part]?.cpuSeconds ?? 0)) * 100) / 100 }]
    }),
  )
}
