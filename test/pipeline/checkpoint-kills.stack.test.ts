import { beforeAll, expect, test } from 'vitest'
import type { FailPoint } from '../support/fail-point.ts'
import { expectAsWithoutKill, HeldPartners } from '../support/kill-rig.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const KILLS: readonly { id: string; where: string; point: FailPoint }[] = [
  {
    id: 'marked',
    where: 'after the marker, before `since` moves',
    point: { when: 'before', request: 'addOffsetsToTxn', nth: 1, signal: 'SIGKILL' },
  },
  {
    id: 'moving',
    where: 'while `since` moves',
    point: { when: 'before', request: 'commitTransaction', nth: 1, signal: 'SIGKILL' },
  },
  {
    id: 'moved',
    where: 'after `since` moved, before it says so',
    point: { when: 'after', request: 'commitTransaction', nth: 1, signal: 'SIGKILL' },
  },
  {
    id: 'told',
    where: 'after it said so, before its own offset',
    point: { when: 'after', request: 'produce', type: 'predio.cycle.checkpointed', nth: 1, signal: 'SIGKILL' },
  },
]

const held = new HeldPartners(['middle', ...KILLS.map(({ id }) => id)])
let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({ partners: held.plans, roles: ['source', 'validator', 'catalog'] })
  return pipeline.close
})

test.each(KILLS)(
  'row 48, row 67: a checkpoint killed $where: one marker, the outcome is as without',
  async ({ id, point }) => {
    const doomed = await pipeline.start('checkpoint', point)
    held.release(id)
    expect(await doomed.exited).toBe('SIGKILL')
    await pipeline.start('checkpoint')
    expect(await expectAsWithoutKill(pipeline, id)).toHaveLength(1)
    expect(await pipeline.stop('checkpoint')).toBe(0)
  },
)

test('row 48: a checkpoint killed in the middle of a cycle: the outcome is as without', async () => {
  await pipeline.start('checkpoint')
  const half = await held.releaseUpToHalf(pipeline, 'middle')
  await pipeline.kill('checkpoint')
  half.goOn()
  await pipeline.next('cycle_polled', 'middle')
  await pipeline.start('checkpoint')
  expect(await expectAsWithoutKill(pipeline, 'middle')).toHaveLength(1)
  expect(await pipeline.stop('checkpoint')).toBe(0)
})
