import { beforeAll, expect, test } from 'vitest'
import { partitionOf } from '../../connectors/kafka/partitions.ts'
import type { RoleProcess } from '../../operations/role-process.ts'
import { expectSoundLives } from '../support/cycle-lives.ts'
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

/** Each partner has had two more cycles, was handed over at most once since, and the catalog knows of the change. */
async function expectSettled(round: string, fromMs: number): Promise<void> {
  await Promise.all(PARTNERS.map(id => pipeline.cycle(id, 2)))
  for (const id of PARTNERS) {
    expect(runnersOf(id, fromMs).length, `${id} goes from one source to another once`).toBeLessThanOrEqual(2)
    const rows = await pipeline.catalog(id)
    expect(rows.get(`NEW-${round}`)?.status).toBe('published')
    expect(rows.get(`GONE-${round}`)?.status).toBe('inactive')
    expect(rows.get('KEPT')?.status).toBe('published')
    await expectSoundLives(pipeline, id)
  }
}

/** Both have partners, and who has one of a partition has the other one of it, too. */
function expectShared(): void {
  expect(sources.map(source => ownedBy(source).length).sort()).toEqual([2, 4])
  const owners = Map.groupBy(PARTNERS, id => partitionOf(id, PARTITIONS)).values()
  for (const [one, other] of owners) expect(ownerOf(one!)).toBe(ownerOf(other!))
}

/** Resolves when a source has read what it must know of partners that it did not have before. */
const owns = ({ pid }: RoleProcess) =>
  pipeline.log.find('partners of a source', event => event.event === 'partners_owned' && event.pid === pid)

test('row 50: two sources share the partners, each is polled by one', async () => {
  sources = [await pipeline.start('source')]
  await Promise.all(PARTNERS.map(id => pipeline.cycleAfter(id)))
  const fromMs = Date.now()
  change('shared')
  sources.push(await pipeline.start('source'))
  await owns(sources[1]!)
  await expectSettled('shared', fromMs)
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
  await expectSettled('killed', killedMs)
  expect(ownedBy(heir)).toEqual(PARTNERS)
  sources = [heir]
})

test('row 50: a source that joins in the middle of cycles takes partners over, and each cycle has one end', async () => {
  const held = await Promise.all(PARTNERS.map(id => pipeline.hold(id)))
  const fromMs = Date.now()
  change('joined')
  sources.push(await pipeline.start('source'))
  await owns(sources[1]!)
  for (const { release } of held) release()
  await expectSettled('joined', fromMs)
  expectShared()
})

test('row 51: a source that is stopped leaves its partners to the other one at once', async () => {
  const [heir, leaver] = sources as [RoleProcess, RoleProcess]
  change('left')
  const leftMs = Date.now()
  expect(await pipeline.stop(leaver)).toBe(0)
  await expectSettled('left', leftMs)
  expect(ownedBy(heir)).toEqual(PARTNERS)
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
