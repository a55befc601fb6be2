import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder, lockStateOf } from '../../../operations/stack/folder-lock.ts'
import { birthOf, startTicksOf } from '../../../operations/stack/process-birth.ts'

const holder = { pid: 7, birth: 'boot/100', children: [{ pid: 8, birth: 'boot/101' }] }

test.each([
  { name: 'its holder runs', running: { 7: 'boot/100', 8: 'boot/101' }, expected: { kind: 'held', pid: 7 } },
  { name: 'holder and children are gone', running: {}, expected: { kind: 'free' } },
  { name: 'a child of the dead holder still runs', running: { 8: 'boot/101' }, expected: { kind: 'ending', pid: 8 } },
  { name: 'the pids belong to others by now', running: { 7: 'boot/900', 8: 'new/101' }, expected: { kind: 'free' } },
])('a lock when $name', ({ running, expected }) => {
  expect(lockStateOf(holder, pid => (running as Record<number, string>)[pid])).toEqual(expected)
})

test.each([
  { name: 'an ordinary process', stat: stat('(java)', 'S'), expected: '4242' },
  { name: 'a name with blanks and brackets', stat: stat('(tmux: a) b)', 'R'), expected: '4242' },
  { name: 'a zombie', stat: stat('(java)', 'Z'), expected: undefined },
])('start of $name', ({ stat, expected }) => {
  expect(startTicksOf(stat)).toBe(expected)
})

/** Fields 4 to 21 of /proc/PID/stat are zeros here; 22 is the start. */
function stat(name: string, state: string): string {
  return `123 ${name} ${state} ${'0 '.repeat(18)}4242 0 0`
}

async function lockPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'predio-lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'in-use.lock')
}

async function endedPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid!
}

const never = new AbortController().signal

test('the second one is told who has the folder; after the release it may', async () => {
  const path = await lockPath()
  const lock = await lockFolder(path, 'fail', never)
  await expect(lockFolder(path, 'fail', never)).rejects.toMatchObject({
    code: 'STACK_IN_USE',
    context: { folder: join(path, '..'), process: process.pid },
  })
  lock.release()
  expect(existsSync(path)).toBe(false)
  await lockFolder(path, 'fail', never)
})

test('whoever waits gets it when it is released', async () => {
  const path = await lockPath()
  const lock = await lockFolder(path, 'wait', never)
  const second = lockFolder(path, 'wait', never)
  lock.release()
  await expect(second).resolves.toBeDefined()
})

test('waiting can be given up', async () => {
  const path = await lockPath()
  await lockFolder(path, 'wait', never)
  const giveUp = new AbortController()
  const second = lockFolder(path, 'wait', giveUp.signal)
  giveUp.abort()
  await expect(second).rejects.toThrow(/abort/i)
})

test('the lock of a dead process is taken over', async () => {
  const path = await lockPath()
  await writeFile(path, JSON.stringify({ pid: await endedPid(), birth: 'boot/1', children: [] }))
  await lockFolder(path, 'fail', never)
})

test('not before what that process had started has ended', async () => {
  const path = await lockPath()
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  const left = { pid: child.pid!, birth: birthOf(child.pid!) }
  await writeFile(path, JSON.stringify({ pid: await endedPid(), birth: 'boot/1', children: [left] }))
  const events: string[] = []
  child.once('exit', () => events.push('child ended'))
  const taken = lockFolder(path, 'fail', never).then(() => events.push('lock taken'))
  child.kill()
  await taken
  expect(events).toEqual(['child ended', 'lock taken'])
})
