import { setTimeout as sleep } from 'node:timers/promises'
import { ROLE_NAMES } from '../operations/roles.ts'
import type { LocalStack } from '../operations/stack/local-stack.ts'
import { type ProcessUse, useOf } from './machine.ts'
import { openRig } from './rig.ts'

/** One partner, the source alone: from the first request to the report that all is acknowledged in `properties.raw`. */
export async function feedToRaw(
  stack: LocalStack,
  listings: number,
  name: string,
): Promise<{ perSecond: number; source: ProcessUse }> {
  const rig = await openRig(stack, name, { count: 1, listings, requestsPerMinute: 6_000_000, every: '1d' })
  try {
    const { promise: polled, resolve } = Promise.withResolvers<number>()
    const source = rig.start('source', ({ event, ms }) => event === 'cycle_polled' && resolve(Number(ms)))
    const ms = await polled
    return { perSecond: Math.round((listings * 1_000) / ms), source: useOf(source.pid) }
  } finally {
    await rig.close()
  }
}

/** What the source adds to a rate limit: n requests cost n - 1 pauses at the least. */
export async function underLimit(
  stack: LocalStack,
  pages: number,
  name: string,
): Promise<{ seconds: number; limitSeconds: number; added: number }> {
  const rig = await openRig(stack, name, { count: 1, listings: pages * 200, requestsPerMinute: 60, every: '1d' })
  try {
    const { promise: polled, resolve } = Promise.withResolvers<number>()
    rig.start('source', ({ event, ms }) => event === 'cycle_polled' && resolve(Number(ms)))
    const seconds = (await polled) / 1_000
    const limitSeconds = pages // one request for the deletions, one for each page: `pages` pauses of a second between them
    return { seconds, limitSeconds, added: Math.round((seconds / limitSeconds - 1) * 10_000) / 10_000 }
  } finally {
    await rig.close()
  }
}

export interface ManyPartners {
  readonly partners: number
  /** From the source's start to the last partner's moved `since`. */
  readonly seconds: number
  readonly roles: Readonly<Record<string, ProcessUse>>
  /** Of the source while nothing is due, in percent of a core. */
  readonly idlePercent: number
  /** From the start of another source to the first moment at which it knows every `since`. */
  readonly restartSeconds: number
}

const IDLE_MS = 30_000

/** A cycle of many small partners, 50 at a time; then the source idles, and is started anew. */
export async function manyPartners(stack: LocalStack, partners: number, name: string): Promise<ManyPartners> {
  const rig = await openRig(stack, name, { count: partners, listings: 400, requestsPerMinute: 6_000, every: '1d' })
  try {
    const confirmed = new Set<unknown>()
    const { promise: all, resolve } = Promise.withResolvers<number>()
    const startedMs = Date.now()
    const roles = [...ROLE_NAMES].reverse().map(role =>
      rig.start(role, ({ event, partner }) => {
        if (event !== 'cycle_checkpointed') return
        confirmed.add(partner)
        if (confirmed.size === partners) resolve(Date.now())
      }),
    )
    const seconds = ((await all) - startedMs) / 1_000
    const source = roles.find(({ role }) => role === 'source')!
    const use = Object.fromEntries(roles.map(({ role, pid }) => [role, useOf(pid)]))
    await sleep(5_000)
    const before = useOf(source.pid).cpuSeconds
    await sleep(IDLE_MS)
    const idlePercent = Math.round(((useOf(source.pid).cpuSeconds - before) / (IDLE_MS / 1_000)) * 10_000) / 100
    await source.stop()
    const restartMs = Date.now()
    const { promise: known, resolve: knows } = Promise.withResolvers<number>()
    let waiting = 0
    rig.variables.LOG_LEVEL = 'debug'
    rig.start('source', ({ event }) => {
      if (event === 'partner_waits' && ++waiting === partners) knows(Date.now())
    })
    return { partners, seconds, roles: use, idlePercent, restartSeconds: ((await known) - restartMs) / 1_000 }
  } finally {
    await rig.close()
  }
}
