import { beforeAll, expect, test } from 'vitest'
import type { FailPoint } from '../support/fail-point.ts'
import { expectAsWithoutKill, HeldPartners } from '../support/kill-rig.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const report = { request: 'produce', type: 'predio.cycle.polled', nth: 1, signal: 'SIGKILL' } as const
const KILLS: readonly { id: string; where: string; point: FailPoint }[] = [
  { id: 'unreported', where: 'between the last page and its report', point: { when: 'before', ...report } },
  { id: 'reported', where: 'after its report', point: { when: 'after', ...report } },
]

const held = new HeldPartners(['middle', ...KILLS.map(({ id }) => id)], { every: '5s' })
let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({ partners: held.plans, roles: ['validator', 'catalog', 'checkpoint'] })
  return pipeline.close
})

test.each(KILLS)('row 45: a source killed $where: the outcome is as without', async ({ id, point }) => {
  const doomed = await pipeline.start('source', point)
  held.release(id)
  expect(await doomed.exited).toBe('SIGKILL')
  await pipeline.start('source')
  await expectAsWithoutKill(pipeline, id)
  expect(await pipeline.stop('source')).toBe(0)
})

test('row 45: a source killed in the middle of a cycle polls it again from the same date, all of it', async () => {
  await pipeline.start('source')
  const half = await held.releaseUpToHalf(pipeline, 'middle')
  await pipeline.kill('source')
  half.goOn()
  await pipeline.start('source')
  const [checkpointed] = await expectAsWithoutKill(pipeline, 'middle')
  const started = pipeline.events('cycle_started', 'middle')
  const again = started.findIndex(({ cycle }) => cycle === checkpointed)
  expect(started.slice(again - 1, again + 1).map(({ since }) => since)).toEqual([null, null])
  expect(await pipeline.stop('source')).toBe(0)
})
