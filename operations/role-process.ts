import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { RoleName } from './roles.ts'

/** One event of a role's log. */
export type RoleEvent = Readonly<Record<string, unknown>> & { readonly event?: string; readonly level?: string }

export interface RoleProcess {
  readonly role: RoleName
  readonly pid: number
  readonly exited: Promise<number | NodeJS.Signals>
  kill(signal: NodeJS.Signals): void
  /** SIGTERM, and SIGKILL where that does not end it. */
  stop(): Promise<void>
}

const CLI = new URL('./cli/main.ts', import.meta.url).pathname
/** A small young generation: a role then takes some 100 MB less, in the same CPU time (docs/benchmarks.md). */
const NODE_FLAGS = ['--max-semi-space-size=4']
/** A page in flight and the groups' farewells fit into it. */
const STOP_LIMIT_MS = 20_000

/**
 * A role in a process of its own, as `predio run` starts it. It ends when we end: an IPC channel ties it to us. In its
 * own process group a Ctrl-C at the terminal reaches us alone, so that the order of the shutdown is ours.
 */
export function startRoleProcess(
  role: RoleName,
  env: NodeJS.ProcessEnv,
  onEvent: (event: RoleEvent) => void,
): RoleProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, 'run', role], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const read = (line: string): void => {
    try {
      onEvent(JSON.parse(line) as RoleEvent)
    } catch {
      onEvent({ event: 'said', level: 'error', said: line })
    }
  }
  createInterface({ input: child.stdout! }).on('line', read)
  createInterface({ input: child.stderr! }).on('line', read)
  const exited = exitOf(child)
  return {
    role,
    pid: child.pid!,
    exited,
    kill: signal => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(impatient)
    },
  }
}

function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise(resolve => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1))
    child.once('error', () => resolve(1))
  })
}
