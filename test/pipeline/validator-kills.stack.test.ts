import { beforeAll, expect, test } from 'vitest'
import type { FailPoint } from '../support/fail-point.ts'
import { expectAsWithoutKill, HeldPartners } from '../support/kill-rig.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const KILLS: readonly { id: string; where: string; point: FailPoint }[] = [
  {
    id: 'sent',
    where: 'between its records and their offset',
    point: { when: 'before', request: 'addOffsetsToTxn', nth: 2, signal: 'SIGKILL' },
  },
  {
    id: 'uncommitted',
    where: 'before a commit',
    point: { when: 'before', request: 'commitTransaction', nth: 2, signal: 'SIGKILL' },
  },
  {
    id: 'committed',
    where: 'after a commit that it does not know of',
    point: { when: 'after', request: 'commitTransaction', nth: 2, signal: 'SIGKILL' },
  },
]

const held = new HeldPartners(['middle', 'frozen', ...KILLS.map(({ id }) => id)])
let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({ partners: held.plans, roles: ['source', 'catalog', 'checkpoint'] })
  return pipeline.close
})

test.each(KILLS)('row 46: a validator killed $where: the outcome is as without', async ({ id, point }) => {
  const doomed = await pipeline.start('validator', point)
  held.release(id)
  expect(await doomed.exited).toBe('SIGKILL')
  await pipeline.start('validator')
  expect(await expectAsWithoutKill(pipeline, id)).toHaveLength(1)
  expect(await pipeline.stop('validator')).toBe(0)
})

test('row 46: a validator killed in the middle of a cycle: the outcome is as without', async () => {
  await pipeline.start('validator')
  const half = await held.releaseUpToHalf(pipeline, 'middle')
  await pipeline.kill('validator')
  half.goOn()
  await pipeline.start('validator')
  expect(await expectAsWithoutKill(pipeline, 'middle')).toHaveLength(1)
  expect(await pipeline.stop('validator')).toBe(0)
})

test('row 49: a validator frozen before a commit, thawed when another one has done its work, is refused', async () => {
  const zombie = await pipeline.start('validator', {
    ...{ when: 'before', request: 'commitTransaction', nth: 2, signal: 'SIGSTOP' },
  })
  held.release('frozen')
  await pipeline.log.next('frozen validator', ({ event, pid }) => event === 'fail_point' && pid === zombie.pid)
  await pipeline.start('validator')
  expect(await expectAsWithoutKill(pipeline, 'frozen')).toHaveLength(1)

  zombie.kill('SIGCONT')
  await zombie.stop()
  const refused = pipeline.log.events.filter(({ event, pid }) => event === 'transaction_failed' && pid === zombie.pid)
  expect(refused).toHaveLength(1)
  expect(await expectAsWithoutKill(pipeline, 'frozen')).toHaveLength(1)
  expect(await pipeline.stop('validator')).toBe(0)
})
