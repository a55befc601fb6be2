import { beforeAll, expect, test } from 'vitest'
import type { FailPoint } from '../support/fail-point.ts'
import { expectAsWithoutKill, HeldPartners } from '../support/kill-rig.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const KILLS: readonly { id: string; where: string; point: FailPoint }[] = [
  {
    id: 'unwritten',
    where: 'before a COMMIT',
    point: { when: 'before', request: 'COMMIT', nth: 3, signal: 'SIGKILL' },
  },
  {
    id: 'written',
    where: 'after a COMMIT, before its offset',
    point: { when: 'after', request: 'COMMIT', nth: 3, signal: 'SIGKILL' },
  },
]

const held = new HeldPartners(['middle', ...KILLS.map(({ id }) => id)])
let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({ partners: held.plans, roles: ['source', 'validator', 'checkpoint'] })
  return pipeline.close
})

test.each(KILLS)('row 47: a catalog killed $where: the outcome is as without', async ({ id, point }) => {
  const doomed = await pipeline.start('catalog', point)
  held.release(id)
  expect(await doomed.exited).toBe('SIGKILL')
  await pipeline.start('catalog')
  expect(await expectAsWithoutKill(pipeline, id)).toHaveLength(1)
  expect(await pipeline.stop('catalog')).toBe(0)
})

test('row 47: a catalog killed with half a cycle in it: the outcome is as without', async () => {
  await pipeline.start('catalog')
  const half = await held.releaseUpToHalf(pipeline, 'middle')
  await pipeline.log.eventually('1,000 rows', async () => (await pipeline.catalog('middle')).size >= 1_000 || undefined)
  await pipeline.kill('catalog')
  half.goOn()
  await pipeline.next('cycle_polled', 'middle')
  await pipeline.view.caughtUp('validator', 'properties.raw')
  expect(pipeline.events('cycle_checkpointed', 'middle')).toEqual([])
  await pipeline.start('catalog')
  expect(await expectAsWithoutKill(pipeline, 'middle')).toHaveLength(1)
  expect(await pipeline.stop('catalog')).toBe(0)
})
