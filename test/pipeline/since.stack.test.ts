import { beforeAll, expect, test } from 'vitest'
import type { PlacedMarker } from '../../connectors/kafka/markers.ts'
import { ROLE_NAMES } from '../../operations/roles.ts'
import { sinceText } from '../../schemas/instant.ts'
import { listing } from '../support/listings.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

/** The tool's words for it, and the offset that they should lead to. */
interface Reset {
  readonly args: readonly string[]
  readonly offset: number
}

const RESETS: readonly { id: string; how: string; reset: (markers: readonly PlacedMarker[]) => Reset }[] = [
  {
    id: 'back-one',
    how: '--shift-by -1: from the date before the last',
    reset: markers => ({ args: ['--shift-by', '-1'], offset: markers.length - 1 }),
  },
  {
    id: 'to-the-start',
    how: '--to-earliest: asks for all',
    reset: () => ({ args: ['--to-earliest'], offset: 0 }),
  },
  {
    id: 'to-a-date',
    how: '--to-datetime: from the last checkpoint before it',
    reset: markers => {
      const sinces = markers.map(({ marker }) => marker.since)
      const offset = sinces.findIndex((since, index) => since > (sinces[index - 1] ?? since))
      return { args: ['--to-datetime', new Date(sinces[offset]!).toISOString()], offset }
    },
  },
]

/** One partner for each test, all polled every second. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: ['A', 'B'].map(external_id => listing({ external_id })) }
  const ids = [...RESETS.map(({ id }) => id), 'forgotten', 'restarted']
  pipeline = await startPipeline({ partners: Object.fromEntries(ids.map(id => [id, plan])) })
  return pipeline.close
})

const askedOf = (markers: readonly PlacedMarker[], offset: number) =>
  offset === 0 ? null : markers[offset - 1]!.marker.since
const queryOf = (since: number | null) => (since === null ? undefined : sinceText(since))

test.each(RESETS)('row 41, row 42: the stock tool’s $how, also in the middle of a cycle', async ({ id, reset }) => {
  const { view } = pipeline
  await pipeline.cycle(id, 4)
  const held = await pipeline.hold(id)
  const markers = await view.markers(id)
  const { args, offset } = reset(markers)
  expect(await view.moveSince(id, '--reset-offsets', '--execute', ...args)).toBe(offset)

  const superseded = pipeline.next('cycle_superseded', id)
  held.release()
  const { cycle: cut } = await superseded
  const { cycle } = await pipeline.firstAfter(cut as number, 'cycle_started', id)
  const asked = askedOf(markers, offset)
  expect(await pipeline.cycleAfter(id, cut as number)).toMatchObject({ cycle, asked })

  const { requests } = pipeline.partner(id)
  const after = requests.filter(({ atMs }) => atMs >= (cycle as number))
  expect(after.find(({ feed }) => feed === 'deletions')!.query.since).toBe(queryOf(asked))
  expect(after.find(({ feed }) => feed === 'properties')!.query.updated_since).toBe(queryOf(asked))
  const since = await view.since(id)
  expect(since.offset, 'the markers before the reset stay').toBeGreaterThan(markers.length)
  expect((await pipeline.cycle(id)).asked).toBeGreaterThan(markers.at(-1)!.marker.since - 1)
})

test('row 40: a lost committed offset is committed again behind the last marker, not taken for a first cycle', async () => {
  const { view } = pipeline
  await pipeline.cycle('forgotten', 2)
  const held = await pipeline.hold('forgotten')
  const markers = await view.markers('forgotten')
  await view.moveSince('forgotten', '--delete-offsets')
  expect(await view.since('forgotten')).toMatchObject({ offset: -1, high: markers.length })

  const superseded = pipeline.next('cycle_superseded', 'forgotten')
  const recommitted = pipeline.next('since_recommitted', 'forgotten')
  held.release()
  expect(await recommitted).toMatchObject({ why: 'lost', offset: markers.length })
  const next = await pipeline.cycleAfter('forgotten', (await superseded).cycle as number)
  expect(next.asked).toBe(askedOf(markers, markers.length))
  const whole = pipeline.events('cycle_started', 'forgotten').filter(({ full }) => full)
  expect(whole).toHaveLength(1)
})

test('row 51: a restart of everything goes on from the committed date', async () => {
  const { view } = pipeline
  await pipeline.cycle('restarted', 2)
  for (const role of ROLE_NAMES) expect([role, await pipeline.stop(role)]).toEqual([role, 0])
  const { metadata } = await view.since('restarted')
  const partner = pipeline.partner('restarted')
  const before = partner.requests.length
  partner.put(listing({ external_id: 'C' }))
  partner.delete('A')

  await Promise.all(ROLE_NAMES.map(role => pipeline.start(role)))
  const cycle = await pipeline.cycle('restarted')
  const asked = partner.requests.slice(before).map(({ query }) => query.since ?? query.updated_since)
  expect(asked[0]).toBe(sinceText(metadata!.since))
  expect(asked).not.toContain(undefined)
  expect(cycle.asked).toBeGreaterThanOrEqual(metadata!.since)
  const rows = await pipeline.catalog('restarted')
  expect([...rows].map(([id, { status }]) => `${id} ${status}`)).toEqual(['A inactive', 'B published', 'C published'])
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
