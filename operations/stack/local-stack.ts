import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { requireJava } from './java-tools.ts'
import { readKafkaFolder, startKafka } from './kafka-broker.ts'
import { needsRecovery } from './kafka-settings.ts'
import { readLogTail } from './log-tail.ts'
import { childEnvOf, type Part } from './part.ts'
import { claimPorts, type Ports } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { type PostgresHome, postgresHomeOf } from './postgres-home.ts'
import { registryUrlOf, startRegistry } from './schema-registry.ts'
import { cacheDirOf, fillCache, kafkaClasspathOf, registryJarOf } from './stack-cache.ts'
import { startWatched, type WatchedChild } from './watched-child.ts'

export type PartName = 'kafka' | 'registry' | 'postgres'

export interface PartExit {
  readonly part: PartName
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly logPath: string
  /** the last 16 KiB at most */
  readonly logTail: string
}

export interface LocalStackOptions {
  /** kept between starts; default: `data` in the cache folder */
  readonly dataDir?: string
  /** jars, fetched once; default: PREDIO_CACHE, or `predio` in the user's cache folder */
  readonly cacheDir?: string
  /** starts with empty data */
  readonly fresh?: boolean
  /** must be free; what is not given stays as at the last start where it can */
  readonly ports?: Partial<Ports>
  /** for load: Kafka gets 1 GiB and Java's full compiler, and starts slower */
  readonly heavy?: boolean
  readonly env?: NodeJS.ProcessEnv
  /** gives the start up; once started, use stop() */
  readonly signal?: AbortSignal
  /** short words about what is going on */
  readonly log: (words: string) => void
  /** a part ended though nobody stopped the stack */
  readonly onExit?: (exit: PartExit) => void
}

export interface LocalStack {
  /** host:port */
  readonly brokers: string
  readonly registryUrl: string
  /** holds the password */
  readonly databaseUrl: string
  /** for runKafkaTool */
  readonly toolsClasspath: string
  readonly logsDir: string
  /** of the parts as they run now */
  readonly pids: Readonly<Record<PartName, number>>
  /** Ends a part from outside the stack's order, as a crash would; reported to onExit. */
  kill(part: PartName, signal?: NodeJS.Signals): void
  /** Brings a part that has ended back, same port and data. */
  restart(part: PartName): Promise<void>
  /** Registry, then Kafka and PostgreSQL; resolves when all are gone. May be called twice. */
  stop(): Promise<void>
}

/** All that we ever write into the data folder: `fresh` removes these and nothing else. */
const OURS = ['stack.json', 'logs', 'tmp', 'kafka', 'kafka.properties', 'kafka-log4j2.properties', 'postgres']

/**
 * Apache Kafka, a schema registry and PostgreSQL on loopback, for this process: they end when it ends, even by SIGKILL.
 *
 * @throws STACK_JAVA_MISSING, STACK_MAVEN_MISSING, STACK_FETCH_FAILED, STACK_IN_USE before anything is started;
 *         STACK_START_FAILED after what had started was stopped; the signal's reason
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { env = process.env, log } = options
  const givenUp = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, givenUp.signal]) : givenUp.signal
  const cacheDir = resolve(options.cacheDir ?? cacheDirOf(env))
  const dataDir = resolve(options.dataDir ?? join(cacheDir, 'data'))

  const java = await requireJava(env)
  await fillCache(cacheDir, ['kafka', 'registry'], { env, log, signal })
  await makeDataDir(dataDir)
  const lock = await lockFolder(join(dataDir, 'in-use.lock'), 'fail', signal)
  const crew = crewOf(lock)
  let starts: Promise<unknown>[] = []
  try {
    const postgresHome = await postgresHomeOf(dataDir)
    const ports = await prepareData(dataDir, postgresHome, options)
    const launch = launcher(dataDir, childEnvOf(env), signal, crew)
    const part: Part = { java, ports, dataDir, tempDir: join(dataDir, 'tmp'), signal, launch }

    let databaseUrl = ''
    const start: Record<PartName, () => Promise<void>> = {
      async kafka() {
        await startKafka(part, kafkaClasspathOf(cacheDir), options.heavy ?? false)
        log(`Kafka is up on 127.0.0.1:${ports.kafka}`)
      },
      async registry() {
        await startRegistry(part, registryJarOf(cacheDir))
        log(`the schema registry is up on ${registryUrlOf(ports.registry)}`)
      },
      async postgres() {
        databaseUrl = (await startPostgres(part, postgresHome))[1]
        const elsewhere = postgresHome.folder.startsWith(dataDir) ? '' : `, its data in ${postgresHome.folder}`
        log(`PostgreSQL is up on 127.0.0.1:${ports.postgres}${elsewhere}`)
      },
    }
    // The registry asks for Kafka again and again while that starts, which saves seconds; but not for ever.
    const recovering = needsRecovery(await readKafkaFolder(dataDir))
    if (recovering) log('Kafka was not stopped in order and checks its data first')
    const kafka = start.kafka()
    starts = [kafka, recovering ? kafka.then(start.registry) : start.registry(), start.postgres()]
    await Promise.all(starts)
    const parts: PartName[] = ['kafka', 'registry', 'postgres']
    for (const name of parts) report(name, crew, options.onExit)
    return {
      brokers: `127.0.0.1:${ports.kafka}`,
      registryUrl: registryUrlOf(ports.registry),
      databaseUrl,
      toolsClasspath: kafkaClasspathOf(cacheDir),
      logsDir: join(dataDir, 'logs'),
      get pids() {
        return Object.fromEntries(parts.map(name => [name, crew.get(name).pid])) as Record<PartName, number>
      },
      kill: (name, how = 'SIGKILL') => crew.get(name).kill(how),
      async restart(name) {
        await crew.get(name).exited
        await start[name]()
        report(name, crew, options.onExit)
      },
      stop: crew.stop,
    }
  } catch (error) {
    givenUp.abort()
    await Promise.allSettled(starts)
    await crew.stop()
    throw error
  }
}

/** Who is running, and the order in which they go. */
function crewOf(lock: FolderLock) {
  const running = new Map<string, WatchedChild>()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await running.get('registry')?.stop()
    await Promise.all([...running.values()].map(child => child.stop()))
    lock.release()
  }
  return {
    add(child: WatchedChild) {
      running.set(child.name, child)
      lock.addChild(child.pid)
    },
    get: (name: PartName) => running.get(name)!,
    isStopping: () => stopped !== undefined,
    stop: () => (stopped ??= stop()),
  }
}
type Crew = ReturnType<typeof crewOf>

function launcher(dataDir: string, childEnv: NodeJS.ProcessEnv, signal: AbortSignal, crew: Crew): Part['launch'] {
  return async spec => {
    signal.throwIfAborted()
    const logPath = join(dataDir, 'logs', `${spec.name}.log`)
    const child = await startWatched({ ...spec, cwd: dataDir, env: { ...childEnv, ...spec.env }, logPath })
    crew.add(child)
    return child
  }
}

function report(part: PartName, crew: Crew, onExit: LocalStackOptions['onExit']): void {
  const { exited, logPath } = crew.get(part)
  exited.then(async ({ code, signal }) => {
    if (!crew.isStopping()) onExit?.({ part, code, signal, logPath, logTail: await readLogTail(logPath) })
  })
}

/**
 * As root, PostgreSQL's own account must get through to its data. What is in the folder shuts others out itself. One
 * that somebody already uses keeps its mode; an empty one was made for us, perhaps by mkdtemp, for its maker alone.
 */
async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  if (process.getuid?.() === 0 && (await readdir(dataDir)).length === 0) await chmod(dataDir, 0o711)
}

/**
 * A data folder that is new must not meet the PostgreSQL data of a folder of that name that somebody removed: for root
 * they lie elsewhere.
 */
async function prepareData(dataDir: string, { folder }: PostgresHome, options: LocalStackOptions): Promise<Ports> {
  const memory = join(dataDir, 'stack.json')
  if (options.fresh || !existsSync(memory)) {
    const gone = [...OURS.map(name => join(dataDir, name)), folder]
    await Promise.all(gone.map(path => rm(path, { recursive: true, force: true })))
  }
  await rm(join(dataDir, 'tmp'), { recursive: true, force: true })
  await Promise.all(['logs', 'tmp'].map(name => mkdir(join(dataDir, name), { recursive: true, mode: 0o700 })))
  const ports = await claimPorts(options.ports ?? {}, await lastPorts(memory))
  await writeFile(memory, JSON.stringify({ ports }))
  return ports
}

async function lastPorts(memory: string): Promise<Partial<Ports>> {
  try {
    return (JSON.parse(await readFile(memory, 'utf8')) as { ports: Partial<Ports> }).ports
  } catch {
    return {} // a first start, or a file that a full disk cut off: any free ports will do
  }
}
