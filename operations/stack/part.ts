import type { Ports } from './ports.ts'
import type { ChildSpec, WatchedChild } from './watched-child.ts'

/** What every part of the local stack is started with. */
export interface Part {
  readonly java: string
  readonly ports: Ports
  /** absolute; also the working directory of what is launched */
  readonly dataDir: string
  /** for files that need not outlive the process; emptied at each start */
  readonly tempDir: string
  /** fires when the start is given up */
  readonly signal: AbortSignal
  /** Starts a process that the stack stops again. */
  launch(
    spec: Pick<ChildSpec, 'name' | 'command' | 'args' | 'account' | 'stopSignal'> & LaunchEnv,
  ): Promise<WatchedChild>
}

interface LaunchEnv {
  /** on top of the few variables that every child gets */
  readonly env?: Readonly<Record<string, string>>
}

const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS']

/**
 * Servers get no more of our environment than they need: it may hold partners' secrets, and a stray QUARKUS_ or PG
 * variable would change their settings. Without a UTF-8 locale Java cannot open folders with accents in their names.
 */
export function childEnvOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { LANG: 'C.UTF-8', ...Object.fromEntries(PASSED_ON.filter(name => env[name]).map(name => [name, env[name]])) }
}
