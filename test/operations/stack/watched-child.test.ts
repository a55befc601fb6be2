import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { birthOf } from '../../../operations/stack/process-birth.ts'
import { untilDone, untilReady } from '../../../operations/stack/readiness.ts'
import { startWatched, type WatchedChild } from '../../../operations/stack/watched-child.ts'

const never = new AbortController().signal

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'predio-child-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function shell(script: string, cwd?: string): Promise<WatchedChild> {
  cwd ??= await folder()
  const child = await startWatched({
    name: 'part',
    command: 'sh',
    args: ['-c', script],
    cwd,
    env: { PATH: process.env.PATH },
    logPath: join(cwd, 'part.log'),
  })
  onTestFinished(() => child.stop())
  return child
}

test('stop ends it, asking first', async () => {
  const child = await shell('trap "echo asked; exit 0" TERM; echo up; while :; do sleep 0.02; done')
  await untilReady(child, async () => (await readFile(child.logPath, 'utf8')).includes('up'), 5_000, never)
  await child.stop()
  expect(await readFile(child.logPath, 'utf8')).toBe('up\nasked\n')
  expect(await child.exited).toEqual({ code: 0, signal: null })
  expect(birthOf(child.pid)).toBeUndefined()
})

test('it leads a process group of its own, which the terminal’s Ctrl-C does not reach', async () => {
  const child = await shell('ps -o pgid= -p $$')
  await untilDone(child)
  expect(Number(await readFile(child.logPath, 'utf8'))).toBe(child.pid)
})

test('the log of the start before is kept', async () => {
  const cwd = await folder()
  await untilDone(await shell('echo first', cwd))
  const { logPath } = await shell('echo second', cwd)
  expect(await readFile(`${logPath}.previous`, 'utf8')).toBe('first\n')
})

test('one that ends before it is ready: part, log and the line that matters', async () => {
  const child = await shell('echo "FATAL: disk is full" >&2; echo bye; exit 3')
  await expect(untilReady(child, async () => false, 60_000, never)).rejects.toMatchObject({
    code: 'STACK_START_FAILED',
    context: { part: 'part', log: child.logPath, line: 'FATAL: disk is full' },
  })
})

test('one that is not ready in time', async () => {
  const child = await shell('echo still thinking; exec sleep 60')
  await expect(untilReady(child, async () => false, 60, never)).rejects.toMatchObject({ code: 'STACK_START_FAILED' })
})

test('giving up ends the waiting with the reason given', async () => {
  const child = await shell('exec sleep 60')
  await expect(untilReady(child, async () => false, 5_000, AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow(
    'Ctrl-C',
  )
})

test('a program that is not there', async () => {
  const cwd = await folder()
  const spec = { name: 'kafka', command: '/nowhere/java', args: [], cwd, env: {}, logPath: join(cwd, 'kafka.log') }
  await expect(startWatched(spec)).rejects.toThrow(/part kafka, reason \/nowhere\/java cannot be started: ENOENT/)
})
