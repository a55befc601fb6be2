import { beforeAll, expect, test } from 'vitest'
import { partitionOf } from '../../connectors/kafka/partitions.ts'
import type { RoleProcess } from '../../operations/role-process.ts'
import { expectAskedFromMarkers, expectSoundLives } from '../support/cycle-lives.ts'
import type { FailPoint } from '../support/fail-point.ts'
import { listing } from '../support/listings.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

/** Two in each of the three partitions, all polled every second. */
const PARTNERS = ['acme', 'dune', 'birch', 'iris', 'cedar', 'elm']
const PARTITIONS = 3
/** As the pipeline sets it, and what a rebalance takes afterwards on a machine that is busy. */
const SESSION_MS = 6_000
const REBALANCE_MS = 9_000

let pipeline: Pipeline
/** The two sources that run after the last test. */
let sources: RoleProcess[] = []
beforeAll(async () => {
  const plan = { listings: ['OLD', 'KEPT'].map(external_id => listing({ external_id })) }
  const partners = Object.fromEntries(PARTNERS.map(id => [id, plan]))
  pipeline = await startPipeline({ partners, roles: ['validator', 'catalog', 'checkpoint'] })
  return pipeline.close
})

/** Who ran the partner's cycles from then on, one after another. Ids tell the order: lines of two processes may cross. */
function runnersOf(partner: string, fromMs: number): number[] {
  const cycles = pipeline.events('cycle_started', partner).filter(({ cycle }) => (cycle as number) >= fromMs)
  const pids = cycles.sort((a, b) => (a.cycle as number) - (b.cycle as number)).map(({ pid }) => pid)
  return pids.filter((pid, index) => pid !== pids[index - 1])
}
const ownerOf = (partner: string): number => runnersOf(partner, 0).at(-1)!
const ownedBy = ({ pid }: RoleProcess): string[] => PARTNERS.filter(partner => ownerOf(partner) === pid)

/** Something new, something deleted, in the middle of whatever happens then. */
function change(round: string): void {
  for (const id of PARTNERS) {
    pipeline.partner(id).put(listing({ external_id: `NEW-${round}` }))
    pipeline.partner(id).put(listing({ external_id: `GONE-${round}` }))
    pipeline.partner(id).delete(`GONE-${round}`)
  }
}

/** Each partner has two more cycles, and then the catalog knows of the change. */
async function expectNothingLost(round: string): Promise<void> {
  await Promise.all(PARTNERS.map(id => pipeline.cycle(id, 2)))
  for (const id of PARTNERS) {
    const rows = await pipeline.catalog(id)
    expect(rows.get(`NEW-${round}`)?.status).toBe('published')
    expect(rows.get(`GONE-${round}`)?.status).toBe('inactive')
    expect(rows.get('KEPT')?.status).toBe('published')
  }
}

/** The same; from that time on each partner went from one source to another once at most, with no cycle of either in between. */
async function expectHandedOver(round: string, fromMs: number): Promise<void> {
  await expectNothingLost(round)
  for (const id of PARTNERS) {
    expect(runnersOf(id, fromMs).length, `sources of ${id}`).toBeLessThanOrEqual(2)
    await expectSoundLives(pipeline, id)
  }
}

/** Both have partners, and who has one of a partition has the other one of it, too. */
function expectShared(): void {
  expect(sources.map(source => ownedBy(source).length).sort()).toEqual([2, 4])
  const owners = Map.groupBy(PARTNERS, id => partitionOf(id, PARTITIONS)).values()
  for (const [one, other] of owners) expect(ownerOf(one!)).toBe(ownerOf(other!))
}

/** An event of that source, past or to come. `partners_owned`: it has read what it must know of partners that are new to it. */
const said = ({ pid }: RoleProcess, name: string) =>
  pipeline.log.find(`${name} of source ${pid}`, event => event.event === name && event.pid === pid)

/** Freezes a source that lost partners to another one, before it says how their cycles ended. */
const LAST_WORDS: FailPoint = {
  ...{ when: 'before', request: 'produce', type: 'predio.cycle.failed', nth: 1, signal: 'SIGSTOP' },
}
/** Freezes a source that has read all of a feed, before it says so. */
const POLLED: FailPoint = { ...LAST_WORDS, type: 'predio.cycle.polled' }

test('row 50: two sources share the partners, each is polled by one', async () => {
  sources = [await pipeline.start('source')]
  await Promise.all(PARTNERS.map(id => pipeline.cycleAfter(id)))
  const fromMs = Date.now()
  change('shared')
  sources.push(await pipeline.start('source', LAST_WORDS))
  await said(sources[1]!, 'partners_owned')
  await expectHandedOver('shared', fromMs)
  expectShared()
})

test('row 45: the partners of a killed source are polled by the other one within the session timeout', async () => {
  const [doomed, heir] = sources as [RoleProcess, RoleProcess]
  const orphans = ownedBy(doomed)
  change('killed')
  await pipeline.kill(doomed)
  const killedMs = Date.now()
  await Promise.all(
    orphans.map(id =>
      pipeline.log.find(`cycle of ${id} after the kill`, ({ event, partner, pid }) => {
        return event === 'cycle_started' && partner === id && pid === heir.pid
      }),
    ),
  )
  expect(Date.now() - killedMs).toBeLessThan(SESSION_MS + REBALANCE_MS)
  await expectHandedOver('killed', killedMs)
  expect(ownedBy(heir)).toEqual(PARTNERS)
  sources = [heir]
})

test('row 50: a source that joins in the middle of cycles hears from the other one, though late, how they ended', async () => {
  const held = await Promise.all(PARTNERS.map(id => pipeline.hold(id)))
  const [elder] = sources as [RoleProcess]
  const fromMs = Date.now()
  change('joined')
  sources.push(await pipeline.start('source'))
  await Promise.all([said(elder, 'fail_point'), said(sources[1]!, 'partners_owned')])
  elder.kill('SIGCONT')
  for (const { release } of held) release()
  await expectHandedOver('joined', fromMs)
  expectShared()
})

test('row 51: a source that is stopped leaves its partners to the other one at once', async () => {
  const [heir, leaver] = sources as [RoleProcess, RoleProcess]
  change('left')
  const leftMs = Date.now()
  expect(await pipeline.stop(leaver)).toBe(0)
  await expectHandedOver('left', leftMs)
  expect(ownedBy(heir)).toEqual(PARTNERS)
})

test('row 50: a source frozen past its session and thawed does no harm, though it says its word after another’s', async () => {
  const [heir] = sources as [RoleProcess]
  const zombie = await pipeline.start('source', POLLED)
  await said(zombie, 'fail_point')
  change('frozen')
  const lost = ownedBy(zombie)
  await Promise.all(
    lost.map(id =>
      pipeline.log.next(`cycle of ${id}`, ({ event, partner }) => event === 'cycle_started' && partner === id),
    ),
  )
  const isBack = pipeline.log.next('return', ({ event, pid }) => event === 'partners_owned' && pid === zombie.pid)
  zombie.kill('SIGCONT')
  await isBack
  await expectNothingLost('frozen')
  sources = [heir, zombie]
  expectShared()
  const lives = (await Promise.all(PARTNERS.map(id => expectAskedFromMarkers(pipeline, id)))).flat()
  const told = lives.map(life => life.told.map(({ outcome }) => outcome).filter(outcome => outcome !== 'checkpointed'))
  expect(told).toContainEqual(['started', 'abandoned', 'polled'])
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
