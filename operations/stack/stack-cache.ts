import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PredioError } from '../../schemas/errors.ts'
import { lockFolder } from './folder-lock.ts'
import { requireJava, requireMaven } from './java-tools.ts'
import { TOOLS_LOG4J } from './kafka-settings.ts'
import { firstErrorIn, readLogTail } from './log-tail.ts'
import { type ChildSpec, startWatched } from './watched-child.ts'

type Env = NodeJS.ProcessEnv
type Log = (words: string) => void

const KAFKA_VERSION = '4.3.1'
/** 3.1 and later need Java 21. */
const REGISTRY_VERSION = '3.0.9'
/** Kafka's artifacts name log4j's API only; without this binding broker and tools would log nothing. */
const LOG4J_VERSION = '2.25.4'

const PARTS = {
  kafka: { folder: `kafka-${KAFKA_VERSION}`, title: `Kafka ${KAFKA_VERSION}`, sizeMb: 54 },
  registry: {
    folder: `apicurio-registry-${REGISTRY_VERSION}`,
    title: `Apicurio Registry ${REGISTRY_VERSION}`,
    sizeMb: 109,
  },
} as const
export type CachedPart = keyof typeof PARTS

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>predio</groupId><artifactId>local-kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>${LOG4J_VERSION}</version></dependency>
  </dependencies>
</project>
`

/** Where the jars are kept, shared by all local stacks of a user. */
export function cacheDirOf(env: Env, home = homedir()): string {
  return env.PREDIO_CACHE || join(env.XDG_CACHE_HOME || join(home, '.cache'), 'predio')
}

/**
 * A part is there as a whole or not at all, so its folder's name is proof enough. Whoever changes what goes into a
 * folder (POM, TOOLS_LOG4J) has to change its name too: caches of before are never looked into.
 */
export function missingParts(wanted: readonly CachedPart[], entries: readonly string[]): CachedPart[] {
  return wanted.filter(part => !entries.includes(PARTS[part].folder))
}

/** For `java -cp`: Kafka's jars and the log4j configuration that keeps its tools quiet. */
export function kafkaClasspathOf(cacheDir: string): string {
  const folder = join(cacheDir, PARTS.kafka.folder)
  return [join(folder, 'config'), join(folder, 'libs', '*')].join(delimiter)
}

export function registryJarOf(cacheDir: string): string {
  return join(cacheDir, PARTS.registry.folder, `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`)
}

/**
 * Fetches with Maven what is not there yet. A second process meanwhile waits for the first.
 *
 * @throws STACK_MAVEN_MISSING, STACK_FETCH_FAILED, or the signal's reason
 */
export async function fillCache(
  cacheDir: string,
  wanted: readonly CachedPart[],
  { env, log, signal }: { env: Env; log: Log; signal: AbortSignal },
): Promise<void> {
  await mkdir(cacheDir, { recursive: true })
  if (missingParts(wanted, await readdir(cacheDir)).length === 0) return
  const maven = await requireMaven(env)
  const lock = await lockFolder(join(cacheDir, 'fetch.lock'), 'wait', signal)
  try {
    await removeLeftovers(cacheDir)
    for (const part of missingParts(wanted, await readdir(cacheDir))) {
      log(`fetching ${PARTS[part].title} (${PARTS[part].sizeMb} MB, once)`)
      const folder = await mkdtemp(join(cacheDir, '.fetch-'))
      const run = (command: string, args: readonly string[]) =>
        runIn(folder, { name: PARTS[part].title, command, args, env }, lock.addChild, signal)
      if (part === 'kafka') await fetchKafka(folder, maven, run)
      else await fetchRegistry(folder, maven, run)
      await rename(folder, join(cacheDir, PARTS[part].folder))
    }
  } finally {
    lock.release()
  }
}

/**
 * The class path of Kafka's stock tools, fetched where it is missing; for use against any cluster.
 *
 * @throws STACK_JAVA_MISSING, STACK_MAVEN_MISSING, STACK_FETCH_FAILED
 */
export async function requireKafkaTools(
  log: Log,
  { cacheDir, env = process.env }: { cacheDir?: string; env?: Env } = {},
): Promise<string> {
  const folder = cacheDir ?? cacheDirOf(env)
  await requireJava(env)
  await fillCache(folder, ['kafka'], { env, log, signal: new AbortController().signal })
  return kafkaClasspathOf(folder)
}

type Run = (command: string, args: readonly string[]) => Promise<void>

async function fetchKafka(folder: string, maven: string, run: Run): Promise<void> {
  await writeFile(join(folder, 'pom.xml'), POM)
  await run(maven, [...MAVEN_FLAGS, 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'libs')}`])
  await mkdir(join(folder, 'config'))
  await writeFile(join(folder, 'config', 'log4j2.properties'), TOOLS_LOG4J)
}

/** There must be no pom.xml in the folder, or Maven resolves the artifact's whole tree. */
async function fetchRegistry(folder: string, maven: string, run: Run): Promise<void> {
  const artifact = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`
  const archive = `apicurio-registry-app-${REGISTRY_VERSION}-all.tar.gz`
  await run(maven, [...MAVEN_FLAGS, 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`])
  await run('tar', ['xzf', archive])
  await rm(join(folder, archive))
}

/** Quiet, no questions, and a wrong checksum is an error instead of a warning. */
const MAVEN_FLAGS = ['-q', '-B', '-C']

async function runIn(
  cwd: string,
  spec: Pick<ChildSpec, 'name' | 'command' | 'args' | 'env'>,
  note: (pid: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const child = await startWatched({ ...spec, cwd, logPath: join(cwd, 'fetch.log') })
  note(child.pid)
  const end = () => void child.stop()
  signal.addEventListener('abort', end, { once: true })
  const { code } = await child.exited
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
  if (code === 0) return
  const line = firstErrorIn(await readLogTail(child.logPath))
  throw new PredioError('STACK_FETCH_FAILED', { fetching: spec.name, log: child.logPath, line })
}

/** Of interrupted fetches; nobody else is fetching while we hold the lock. */
async function removeLeftovers(cacheDir: string): Promise<void> {
  const leftovers = (await readdir(cacheDir)).filter(name => name.startsWith('.fetch-'))
  await Promise.all(leftovers.map(name => rm(join(cacheDir, name), { recursive: true })))
}
