import { beforeAll, expect, test } from 'vitest'
import { expectSoundLives } from '../support/cycle-lives.ts'
import type { CheckpointedCycle } from '../support/cycle-view.ts'
import { listing } from '../support/listings.ts'
import { type Operator, operatorOf } from '../support/operator.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const MINUTE_MS = 60_000

/** A partner for each test, and one of either kind that no command is about. */
let pipeline: Pipeline
let operator: Operator
beforeAll(async () => {
  const listings = [listing({ external_id: 'A' })]
  const hourly = { listings, every: '1h' }
  const partners = {
    ...{ paused: { listings }, running: hourly, whole: hourly, resting: hourly, early: hourly, late: hourly },
    ...{ 'by-hand': { listings }, bystander: { listings }, untouched: hourly },
  }
  pipeline = await startPipeline({ partners })
  operator = operatorOf(pipeline.env)
  return pipeline.close
})

/** The source has read the partner's command and lets the partner rest. */
const pauseOf = (id: string) =>
  pipeline.log.next(`pause of ${id}`, ({ event, partner, paused }) => {
    return event === 'partner_waits' && partner === id && paused === true
  })

/** The source sleeps until the partner's next slot, an hour or so away. */
const restOf = (id: string) =>
  pipeline.log.find(`rest of ${id}`, ({ event, partner, dueMs }) => {
    return event === 'partner_waits' && partner === id && (dueMs as number) > Date.now() + MINUTE_MS
  })

/** What both feeds were asked from in a cycle; undefined where the parameter was not sent at all. */
function askedIn(id: string, { cycle }: Pick<CheckpointedCycle, 'cycle'>): Set<string | undefined> {
  const asked = pipeline.partner(id).requests.filter(({ atMs }) => atMs >= cycle)
  return new Set(asked.map(({ feed, query }) => (feed === 'deletions' ? query.since : query.updated_since)))
}

test('a paused partner is not polled any more, not by the next source either, until it is resumed', async () => {
  const partner = pipeline.partner('paused')
  await pipeline.cycle('paused')
  const paused = pauseOf('paused')
  await operator.command('paused', { paused: true })
  await paused
  const last = (await expectSoundLives(pipeline, 'paused')).at(-1)!
  const before = partner.requests.length
  partner.put(listing({ external_id: 'NEW' }))
  await pipeline.cycle('bystander', 3)
  expect(partner.requests).toHaveLength(before)

  expect(await pipeline.stop('source')).toBe(0)
  const stillPaused = pauseOf('paused')
  await pipeline.start('source')
  await stillPaused
  await pipeline.cycle('bystander', 2)
  expect(partner.requests).toHaveLength(before)

  await operator.command('paused', { paused: false })
  const resumed = await pipeline.cycleAfter('paused', last.cycle)
  expect(resumed).toMatchObject({ asked: last.told.at(-1)!.next_since, properties: 1 })
  await pipeline.cycle('paused', 2)
})

test('a cycle that is asked for comes at once, though the next slot is far', async () => {
  const first = await pipeline.cycleAfter('running')
  await restOf('running')
  pipeline.partner('running').put(listing({ external_id: 'NEW' }))
  await operator.command('running', { run_requested_at: Date.now() })
  const cycle = await pipeline.cycleAfter('running', first.cycle)
  expect(cycle).toMatchObject({ asked: first.since, properties: 1 })
})

test('a whole cycle asks both feeds for all they have, the one after it again for what changed', async () => {
  const first = await pipeline.cycleAfter('whole')
  await restOf('whole')
  await operator.command('whole', { run_requested_at: Date.now(), run_full: true })
  const whole = await pipeline.cycleAfter('whole', first.cycle)
  expect(whole).toMatchObject({ asked: null, properties: 1 })
  expect(askedIn('whole', whole)).toEqual(new Set([undefined]))

  await operator.command('whole', { run_requested_at: Date.now(), run_full: false })
  const next = await pipeline.cycleAfter('whole', whole.cycle)
  expect(next).toMatchObject({ asked: whole.since, properties: 0 })
})

test('a paused partner is polled once when that is asked for, and rests again', async () => {
  const first = await pipeline.cycleAfter('resting')
  await operator.command('resting', { paused: true })
  await operator.command('resting', { run_requested_at: Date.now() })
  const asked = await pipeline.cycleAfter('resting', first.cycle)
  const restsAgain = pauseOf('resting')
  await operator.command('resting', { paused: true })
  await restsAgain
  expect((await expectSoundLives(pipeline, 'resting')).map(({ cycle }) => cycle)).toEqual([first.cycle, asked.cycle])
})

test.each([
  { id: 'early', what: 'ahead of', shiftMs: 10 * MINUTE_MS },
  { id: 'late', what: 'behind', shiftMs: -10 * MINUTE_MS },
])('an operator’s clock $what the source’s asks for one cycle as well', async ({ id, shiftMs }) => {
  const first = await pipeline.cycleAfter(id)
  await restOf(id)
  await operator.command(id, { run_requested_at: Date.now() + shiftMs })
  const asked = await pipeline.cycleAfter(id, first.cycle)
  await pipeline.cycle('bystander', 3)
  expect((await expectSoundLives(pipeline, id)).map(({ cycle }) => cycle)).toEqual([first.cycle, asked.cycle])
})

test('at the terminal: pause, run, resume', async () => {
  await pipeline.cycle('by-hand')
  const paused = pauseOf('by-hand')
  expect(JSON.parse(await operator.predio('pause', 'by-hand', '--json'))).toMatchObject({
    ...{ partner: 'by-hand', paused: true, run_requested_at: null },
  })
  await paused
  const last = (await expectSoundLives(pipeline, 'by-hand')).at(-1)!

  expect(await operator.predio('cycle', 'run', 'by-hand', '--full')).toBe('by-hand will be polled now\n')
  const whole = await pipeline.cycleAfter('by-hand', last.cycle)
  expect(whole.asked).toBe(null)
  expect(askedIn('by-hand', whole)).toEqual(new Set([undefined]))

  expect(await operator.predio('resume', 'by-hand')).toBe('by-hand is polled again\n')
  const next = await pipeline.cycleAfter('by-hand', whole.cycle)
  expect(next.asked).toBe(whole.since)
  expect(await operator.predio('pause', 'nobody')).toMatch(/^2: predio: .*nobody/)
})

test('none of it concerned another partner', async () => {
  expect(await expectSoundLives(pipeline, 'untouched')).toHaveLength(1)
  const bystander = await expectSoundLives(pipeline, 'bystander')
  const asked = bystander.map(({ told }) => told[0]!.since)
  expect(asked.lastIndexOf(null), 'asked for all in its first cycle alone').toBe(0)
})
