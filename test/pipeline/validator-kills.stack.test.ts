import { beforeAll, expect, test } from 'vitest'
import type { RoleProcess } from '../../operations/role-process.ts'
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

const held = new HeldPartners(['middle', 'frozen', 'late', ...KILLS.map(({ id }) => id)])
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

/** A validator that stands still before it commits its second transaction. */
async function frozenBeforeCommit(id: string): Promise<RoleProcess> {
  const frozen = await pipeline.start('validator', {
    ...{ when: 'before', request: 'commitTransaction', nth: 2, signal: 'SIGSTOP' },
  })
  held.release(id)
  await reached(frozen)
  return frozen
}

const reached = ({ pid }: RoleProcess) =>
  pipeline.log.find('fail point', event => event.event === 'fail_point' && event.pid === pid)

const refusedCommits = ({ pid }: RoleProcess) =>
  pipeline.log.events.filter(event => event.event === 'transaction_failed' && event.pid === pid)

test('row 49: a validator frozen before a commit, thawed when another one has done its work, is refused', async () => {
  const zombie = await frozenBeforeCommit('frozen')
  await pipeline.start('validator')
  expect(await expectAsWithoutKill(pipeline, 'frozen')).toHaveLength(1)

  zombie.kill('SIGCONT')
  await zombie.stop()
  expect(refusedCommits(zombie)).toHaveLength(1)
  expect(await expectAsWithoutKill(pipeline, 'frozen')).toHaveLength(1)
  expect(await pipeline.stop('validator')).toBe(0)
})

test('row 49: a validator frozen before a commit, thawed before another one takes over, is gone on behind', async () => {
  const zombie = await frozenBeforeCommit('late')
  const successor = await pipeline.start('validator', {
    ...{ when: 'before', request: 'initProducerId', nth: 1, signal: 'SIGSTOP' },
  })
  await reached(successor) // it has the partition and has read where to begin; it has not fenced anybody yet
  zombie.kill('SIGCONT')
  await zombie.stop()
  expect(refusedCommits(zombie)).toEqual([])
  successor.kill('SIGCONT')
  expect(await expectAsWithoutKill(pipeline, 'late')).toHaveLength(1)
  expect(await pipeline.stop('validator')).toBe(0)
})
