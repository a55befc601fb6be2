import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CachedPart, cacheDirOf, fillCache, missingParts } from '../../../operations/stack/stack-cache.ts'

test.each([
  { name: 'PREDIO_CACHE first', env: { PREDIO_CACHE: '/big', XDG_CACHE_HOME: '/xdg' }, expected: '/big' },
  { name: 'then XDG', env: { XDG_CACHE_HOME: '/xdg' }, expected: '/xdg/predio' },
  { name: 'else the home folder', env: {}, expected: '/home/ana/.cache/predio' },
  { name: 'empty does not count', env: { PREDIO_CACHE: '', XDG_CACHE_HOME: '' }, expected: '/home/ana/.cache/predio' },
])('cache folder: $name', ({ env, expected }) => {
  expect(cacheDirOf(env, '/home/ana')).toBe(expected)
})

test.each<{ name: string; wanted: CachedPart[]; entries: string[]; expected: CachedPart[] }>([
  { name: 'an empty cache', wanted: ['kafka', 'registry'], entries: [], expected: ['kafka', 'registry'] },
  { name: 'another version', wanted: ['kafka'], entries: ['kafka-4.2.0'], expected: ['kafka'] },
  { name: 'an interrupted fetch', wanted: ['kafka'], entries: ['.fetch-a1b2c3'], expected: ['kafka'] },
  { name: 'one of two', wanted: ['kafka', 'registry'], entries: ['kafka-4.3.1', 'data'], expected: ['registry'] },
  { name: 'all', wanted: ['kafka'], entries: ['kafka-4.3.1', 'apicurio-registry-3.0.9'], expected: [] },
])('to fetch with $name: $expected', ({ wanted, entries, expected }) => {
  expect(missingParts(wanted, entries)).toEqual(expected)
})

async function cacheWith(...entries: string[]): Promise<string> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'predio-cache-'))
  onTestFinished(() => rm(cacheDir, { recursive: true }))
  for (const entry of entries) await mkdir(join(cacheDir, entry))
  return cacheDir
}
const quietly = { env: { PATH: '/nowhere' }, log: () => {}, signal: new AbortController().signal }

test('with a full cache Maven is not needed', async () => {
  const cacheDir = await cacheWith('kafka-4.3.1', 'apicurio-registry-3.0.9')
  await fillCache(cacheDir, ['kafka', 'registry'], quietly)
  expect(await readdir(cacheDir)).toEqual(['apicurio-registry-3.0.9', 'kafka-4.3.1'])
})

test('with an empty one it is, and nothing is touched without it', async () => {
  const cacheDir = await cacheWith()
  await expect(fillCache(cacheDir, ['kafka'], quietly)).rejects.toMatchObject({ code: 'STACK_MAVEN_MISSING' })
  expect(await readdir(cacheDir)).toEqual([])
})
