import { beforeAll, expect, test } from 'vitest'
import type { RoleName } from '../../operations/roles.ts'
import type { GroupKey, TopicKey } from '../../schemas/topology.ts'
import { listing } from '../support/listings.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

interface Standstill {
  readonly id: string
  readonly what: string
  /** @returns what ends it */
  readonly begin: () => Promise<() => Promise<unknown>>
  /** What the stages that still run get done meanwhile. */
  readonly done: readonly [GroupKey, TopicKey][]
}

const stopped = (role: RoleName, done: Standstill['done']): Standstill => ({
  id: role,
  what: `while ${role} is stopped`,
  begin: async () => {
    expect(await pipeline.stop(role)).toBe(0)
    return () => pipeline.start(role)
  },
  done,
})

const STANDSTILLS: readonly Standstill[] = [
  stopped('validator', [['catalog', 'deletions.raw']]),
  stopped('catalog', [['validator', 'properties.raw']]),
  stopped('checkpoint', [
    ['validator', 'properties.raw'],
    ['catalog', 'deletions.raw'],
    ['catalog', 'listings.accepted'],
  ]),
  {
    id: 'blocked',
    what: 'while an open transaction keeps the listings from the catalog',
    begin: async () => (await pipeline.view.openTransaction('listings.accepted', 'blocked')).abort,
    done: [
      ['validator', 'properties.raw'],
      ['catalog', 'deletions.raw'],
    ],
  },
]

/** A partner for each test, polled every second. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: ['A', 'B'].map(external_id => listing({ external_id })) }
  pipeline = await startPipeline({ partners: Object.fromEntries(STANDSTILLS.map(({ id }) => [id, plan])) })
  return pipeline.close
})

test.each(STANDSTILLS)('$what, `since` stands still; afterwards nothing was lost', async ({ id, begin, done }) => {
  const { view } = pipeline
  await pipeline.cycle(id, 2)
  const held = await pipeline.hold(id)
  const end = await begin()
  const since = await view.since(id)
  const checkpointed = pipeline.events('cycle_checkpointed', id).length

  const partner = pipeline.partner(id)
  partner.put(listing({ external_id: 'C' }))
  partner.delete('A')
  const polled = pipeline.next('cycle_polled', id)
  const unconfirmed = pipeline.next('cycle_unconfirmed', id) // comes after three intervals
  held.release()
  const { cycle } = await polled
  for (const [group, topic] of done) await view.caughtUp(group, topic)
  expect((await unconfirmed).cycle).toBe(cycle)
  const again = await pipeline.firstAfter(cycle as number, 'cycle_started', id)
  expect(again.since).toBe(since.metadata!.since)
  await pipeline.firstAfter(cycle as number, 'cycle_polled', id)
  expect(await view.since(id)).toEqual(since)
  expect(pipeline.events('cycle_checkpointed', id)).toHaveLength(checkpointed)

  await end()
  expect(await pipeline.cycleAfter(id, (cycle as number) - 1)).toMatchObject({ cycle, properties: 1, deletions: 1 })
  expect(await pipeline.cycle(id)).toMatchObject({ asked: expect.any(Number) })
  const rows = await pipeline.catalog(id)
  expect([...rows].map(([key, { status }]) => `${key} ${status}`)).toEqual(['A inactive', 'B published', 'C published'])
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
