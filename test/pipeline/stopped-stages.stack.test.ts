import { beforeAll, expect, test } from 'vitest'
import type { RoleName } from '../../operations/roles.ts'
import type { GroupKey, TopicKey } from '../../schemas/topology.ts'
import { listing } from '../support/listings.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

/** What the stages that still run get done without the stopped one. */
const STOPPED: readonly { role: RoleName; done: readonly [GroupKey, TopicKey][] }[] = [
  { role: 'validator', done: [['catalog', 'deletions.raw']] },
  { role: 'catalog', done: [['validator', 'properties.raw']] },
  {
    role: 'checkpoint',
    done: [
      ['validator', 'properties.raw'],
      ['catalog', 'deletions.raw'],
      ['catalog', 'listings.accepted'],
    ],
  },
]

/** A partner for each role, polled every second. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: ['A', 'B'].map(external_id => listing({ external_id })) }
  pipeline = await startPipeline({ partners: Object.fromEntries(STOPPED.map(({ role }) => [role, plan])) })
  return pipeline.close
})

test.each(STOPPED)(
  'while $role is stopped, `since` stands still; when it is back, nothing was lost',
  async ({ role, done }) => {
    const { view } = pipeline
    await pipeline.cycle(role, 2)
    const held = await pipeline.hold(role)
    expect(await pipeline.stop(role)).toBe(0)
    const since = await view.since(role)
    const checkpointed = pipeline.events('cycle_checkpointed', role).length

    const partner = pipeline.partner(role)
    partner.put(listing({ external_id: 'C' }))
    partner.delete('A')
    const polled = pipeline.next('cycle_polled', role)
    const unconfirmed = pipeline.next('cycle_unconfirmed', role) // comes after three intervals
    held.release()
    const { cycle } = await polled
    for (const [group, topic] of done) await view.caughtUp(group, topic)
    expect((await unconfirmed).cycle).toBe(cycle)
    const again = await pipeline.firstAfter(cycle as number, 'cycle_started', role)
    expect(again.since).toBe(since.metadata!.since)
    await pipeline.firstAfter(cycle as number, 'cycle_polled', role)
    expect(await view.since(role)).toEqual(since)
    expect(pipeline.events('cycle_checkpointed', role)).toHaveLength(checkpointed)

    await pipeline.start(role)
    expect(await pipeline.cycleAfter(role, (cycle as number) - 1)).toMatchObject({ cycle, properties: 1, deletions: 1 })
    expect(await pipeline.cycle(role)).toMatchObject({ asked: expect.any(Number) })
    const rows = await pipeline.catalog(role)
    expect([...rows].map(([id, { status }]) => `${id} ${status}`)).toEqual(['A inactive', 'B published', 'C published'])
  },
)

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
