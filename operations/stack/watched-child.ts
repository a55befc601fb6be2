import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { PredioError } from '../../schemas/errors.ts'
import { lineThatMatters, readLogTail } from './log-tail.ts'

export interface ChildSpec {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** both output streams; the file of the start before is kept beside it as `.previous` */
  readonly logPath: string
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** asks for an orderly end: SIGINT for PostgreSQL's fast shutdown, SIGTERM for the rest */
  readonly stopSignal?: 'SIGTERM' | 'SIGINT'
}

export interface ChildExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface WatchedChild {
  readonly name: string
  readonly pid: number
  readonly logPath: string
  readonly exited: Promise<ChildExit>
  kill(signal: NodeJS.Signals): void
  /** Asks, waits 10 s, then kills. Resolves when the process is gone. */
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 10_000

/**
 * Lives exactly as long as we do: its stdin is a pipe that only we hold open, so even our SIGKILL reaches it as
 * end of file. It reads the child's pid, then one line if the child ended by itself.
 */
const WATCHDOG = `
read -r pid || exit 0
read -r ended && exit 0
kill -s "$1" "$pid" 2>/dev/null
n=0
while [ $n -lt 10 ] && kill -0 "$pid" 2>/dev/null; do sleep 1; n=$((n+1)); done
kill -s KILL "$pid" 2>/dev/null`

/**
 * Starts a process that ends when we end, however we end. It gets its own process group: a Ctrl-C at the terminal
 * reaches us alone, so that the order of the shutdown is ours.
 *
 * @throws STACK_START_FAILED when it cannot be started at all
 */
export async function startWatched(spec: ChildSpec): Promise<WatchedChild> {
  const stopSignal = spec.stopSignal ?? 'SIGTERM'
  if (existsSync(spec.logPath)) await rename(spec.logPath, `${spec.logPath}.previous`)
  await using log = await open(spec.logPath, 'w')

  const watchdog = spawn('sh', ['-c', WATCHDOG, 'watchdog', stopSignal.slice(3)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.stdin.on('error', () => {}) // somebody killed it: the child is still stopped by stop()
  await spawned(watchdog, { ...spec, command: 'sh' })
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    ...(spec.account && { uid: spec.account.uid, gid: spec.account.gid }),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  })
  if (child.pid !== undefined) watchdog.stdin.write(`${child.pid}\n`)
  const exited = exitOf(child).finally(() => watchdog.stdin.end('ended\n'))
  await spawned(child, spec)
  return handleOf(child, spec, stopSignal, exited)
}

async function spawned(child: ChildProcess, { name, command }: ChildSpec): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (error) {
    const reason = `${command} cannot be started: ${(error as NodeJS.ErrnoException).code}`
    throw new PredioError('STACK_START_FAILED', { part: name, reason }, { cause: error })
  }
}

function exitOf(child: ChildProcess): Promise<ChildExit> {
  return new Promise(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
}

function handleOf(
  child: ChildProcess,
  spec: ChildSpec,
  stopSignal: NodeJS.Signals,
  exited: Promise<ChildExit>,
): WatchedChild {
  return {
    name: spec.name,
    pid: child.pid!,
    logPath: spec.logPath,
    exited,
    kill: signal => void child.kill(signal),
    async stop() {
      child.kill(stopSignal)
      const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(impatient)
    },
  }
}

/** What a person needs to know about a part that ended or never came up. */
export async function startFailure(child: WatchedChild, cause?: unknown): Promise<PredioError> {
  const line = lineThatMatters(await readLogTail(child.logPath))
  return new PredioError('STACK_START_FAILED', { part: child.name, log: child.logPath, line }, { cause })
}
