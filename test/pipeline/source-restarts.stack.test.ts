import { beforeAll, expect, test } from 'vitest'
import { clockShift } from '../support/clock-shift.ts'
import { cycleLives, expectSoundLives } from '../support/cycle-lives.ts'
import type { FailPoint } from '../support/fail-point.ts'
import { listing } from '../support/listings.ts'
import { type Operator, operatorOf } from '../support/operator.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const HOUR_MS = 3_600_000
const IDS = Array.from({ length: 120 }, (_, index) => `P-${index}`)
const titled = (title: string) => IDS.map(external_id => listing({ external_id, title }))

/** `cut` is polled every second. The other two are asked by hand; they share a partition, so commands to them are read in order. */
let pipeline: Pipeline
let operator: Operator
beforeAll(async () => {
  pipeline = await startPipeline({
    partners: {
      cut: { listings: [listing({ external_id: 'OLD' })] },
      unconfirmed: { listings: [listing({ external_id: 'OLD' })], every: '1h' },
      witness: { every: '1h' },
    },
  })
  operator = operatorOf(pipeline.env)
  return pipeline.close
})

/** Three pages of changes, and what ends the source in the middle of the cycle that brings them. */
const CUTS: readonly { where: string; cut: () => Promise<void> }[] = [
  {
    where: 'between two pages',
    cut: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const run = () => pipeline.kill('source').then(resolve)
      pipeline.partner('cut').fault(({ feed, page }) => {
        return feed === 'properties' && page === 1 ? { kind: 'before', run } : undefined
      })
      return promise
    },
  },
  {
    where: 'before its first request',
    cut: async () => {
      expect(await pipeline.stop('source')).toBe(0)
      const type = 'predio.cycle.started'
      const point: FailPoint = { when: 'after', request: 'produce', type, nth: 2, signal: 'SIGKILL' }
      const doomed = await pipeline.start('source', point)
      expect(await doomed.exited).toBe('SIGKILL')
    },
  },
]

test.each(CUTS)(
  'row 45: a cycle cut off $where is abandoned once, and asked for again from the same date',
  async ({ where, cut }) => {
    await pipeline.cycle('cut')
    const partner = pipeline.partner('cut')
    const held = await pipeline.hold('cut')
    for (const property of titled(where)) partner.put(property)
    partner.delete('OLD')
    const isCut = cut()
    held.release()
    await isCut
    partner.fault(undefined)
    const doomed = (await cycleLives(pipeline, 'cut')).at(-1)!
    expect(doomed.end).toBe(undefined)

    await pipeline.start('source')
    const again = await pipeline.cycleAfter('cut', doomed.cycle)
    expect(again).toMatchObject({ asked: doomed.told[0]!.since, properties: 120, deletions: 1 })
    const rows = await pipeline.catalog('cut')
    expect(rows.get('OLD')?.status).toBe('inactive')
    expect(IDS.map(id => rows.get(id)?.body)).toEqual(titled(where))

    expect(await pipeline.stop('source')).toBe(0)
    await pipeline.start('source')
    await pipeline.cycle('cut')
    const lives = await expectSoundLives(pipeline, 'cut')
    const abandoned = lives.filter(({ end }) => end?.outcome === 'abandoned').map(({ cycle }) => cycle)
    expect(abandoned.filter(cycle => cycle >= doomed.cycle)).toEqual([doomed.cycle])
    const said = pipeline.events('cycle_abandoned', 'cut').filter(({ cycle }) => cycle === doomed.cycle)
    expect(said).toHaveLength(1)
  },
)

test('a polled cycle that is not closed yet is not polled again by the next source; once it is closed, polling goes on', async () => {
  const run = (id: string) => operator.command(id, { run_requested_at: Date.now() })
  const witnessed = async () => {
    const failed = pipeline.next('cycle_failed', 'witness')
    await run('witness')
    await failed
  }
  const first = await pipeline.cycleAfter('unconfirmed')
  await pipeline.cycleAfter('witness')
  expect(await pipeline.stop('catalog')).toBe(0)
  const partner = pipeline.partner('unconfirmed')
  partner.put(listing({ external_id: 'NEW' }))
  await run('unconfirmed')
  const { cycle } = await pipeline.log.eventually('a polled report', async () => {
    return (await cycleLives(pipeline, 'unconfirmed')).find(life => life.cycle > first.cycle && life.end !== undefined)
  })
  await pipeline.kill('source')
  const before = partner.requests.length

  await pipeline.start('source')
  await run('unconfirmed')
  pipeline.partner('witness').fault(() => ({ kind: 'status', status: 500 }))
  await witnessed()
  await witnessed()
  expect(partner.requests.length, 'the source works, and waits').toBe(before)

  await pipeline.start('catalog')
  const closed = await pipeline.cycleAfter('unconfirmed', first.cycle)
  expect(closed).toMatchObject({ cycle, asked: first.since, properties: 1 })
  const next = await pipeline.cycleAfter('unconfirmed', closed.cycle)
  expect(next.asked).toBe(closed.since)
  await expectSoundLives(pipeline, 'unconfirmed')
})

test('row 23: behind a clock that was set back ids grow on, also past a cycle that failed, and no change is lost', async () => {
  await pipeline.cycle('cut')
  const partner = pipeline.partner('cut')
  for (const property of titled('of the cycle that fails')) partner.put(property)
  partner.fault(({ page }) => (page === 1 ? { kind: 'status', status: 500 } : undefined))
  const { cycle } = await pipeline.next('cycle_failed', 'cut')
  await operator.command('cut', { paused: true })
  await pipeline.view.caughtUp('source', 'cycle-reports')
  expect(await pipeline.stop('source')).toBe(0)

  partner.fault(undefined)
  for (const property of titled('of the cycle after it')) partner.put(property)
  await operator.command('cut', { paused: false })
  await pipeline.start('source', undefined, clockShift(-HOUR_MS))
  await pipeline.cycleAfter('cut', cycle as number)
  await expectSoundLives(pipeline, 'cut')
  const rows = await pipeline.catalog('cut')
  expect(IDS.map(id => rows.get(id)?.body)).toEqual(titled('of the cycle after it'))
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
