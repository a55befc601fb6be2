import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { javaCommandOf, javaMajorOf, requireJava, requireMaven } from '../../../operations/stack/java-tools.ts'

/** First lines as printed by the vendors' own builds. */
test.each([
  {
    vendor: 'Debian OpenJDK 17',
    printed: 'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment',
    major: 17,
  },
  { vendor: 'Oracle 8', printed: 'java version "1.8.0_392"\nJava(TM) SE Runtime Environment', major: 8 },
  { vendor: 'Temurin 21, no minor', printed: 'openjdk version "21" 2023-09-19 LTS', major: 21 },
  { vendor: 'Oracle GraalVM', printed: 'java version "21.0.1" 2023-10-17 LTS', major: 21 },
  { vendor: 'IBM Semeru', printed: 'openjdk version "11.0.21" 2023-10-17\nIBM Semeru Runtime', major: 11 },
  { vendor: 'early access', printed: 'openjdk version "26-ea" 2026-03-17', major: 26 },
  { vendor: 'Java 10', printed: 'openjdk version "10.0.2" 2018-07-17', major: 10 },
  {
    vendor: 'with JAVA_TOOL_OPTIONS',
    printed: 'Picked up JAVA_TOOL_OPTIONS: -Dversion=3\nopenjdk version "17.0.9" 2023-10-17',
    major: 17,
  },
  {
    vendor: 'the stub of macOS',
    printed: 'The operation couldn’t be completed. Unable to locate a Java Runtime.',
    major: undefined,
  },
  { vendor: 'nothing', printed: '', major: undefined },
])('reads the version of $vendor', ({ printed, major }) => {
  expect(javaMajorOf(printed)).toBe(major)
})

test('JAVA_HOME wins over PATH; an empty one does not count', () => {
  expect(javaCommandOf({ JAVA_HOME: '/opt/jdk', PATH: '/usr/bin' })).toBe('/opt/jdk/bin/java')
  expect(javaCommandOf({ JAVA_HOME: '', PATH: '/usr/bin' })).toBe('java')
})

async function javaHomePrinting(line: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'predio-java-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await mkdir(join(home, 'bin'))
  await writeFile(join(home, 'bin', 'java'), `#!/bin/sh\necho '${line}' >&2\n`)
  await chmod(join(home, 'bin', 'java'), 0o755)
  return home
}

test('no Java: says what to install, and how to do without', async () => {
  await expect(requireJava({ PATH: '/nowhere' })).rejects.toMatchObject({
    code: 'STACK_JAVA_MISSING',
    exitCode: 2,
    message: expect.stringMatching(/needs Java 17 or newer \(tried java\): install .*KAFKA_BROKERS/),
  })
})

test('a Java that is too old is named', async () => {
  const JAVA_HOME = await javaHomePrinting('openjdk version "11.0.21" 2023-10-17')
  await expect(requireJava({ JAVA_HOME, PATH: process.env.PATH })).rejects.toThrow(/found Java 11/)
})

test('Java 17 is new enough', async () => {
  const JAVA_HOME = await javaHomePrinting('openjdk version "17" 2021-09-14')
  expect(await requireJava({ JAVA_HOME, PATH: process.env.PATH })).toBe(join(JAVA_HOME, 'bin', 'java'))
})

test('no Maven: says what to install', async () => {
  await expect(requireMaven({ PATH: '/nowhere' })).rejects.toMatchObject({ code: 'STACK_MAVEN_MISSING', exitCode: 2 })
})
