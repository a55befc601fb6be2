import type { Logger } from 'pino'
import type { Names } from '../schemas/topology.ts'
import type { Environment } from './environment.ts'
import type { Partner } from './partners.ts'

/** What every role is started with. */
export interface RoleContext {
  readonly environment: Environment
  readonly names: Names
  readonly partners: readonly Partner[]
  /** Where `env:` references are looked up. */
  readonly variables: NodeJS.ProcessEnv
  readonly log: Logger
  /** For what the role cannot mend: the process ends with a non-zero code, so that whatever runs it starts it again. */
  readonly fatal: (error: Error) => void
}

export interface RunningRole {
  /** Finishes or gives up what is in hand, commits, leaves its groups, closes. */
  stop(): Promise<void>
}

/** Resolves once the role is at work. Rejects with a PredioError that says what is missing. */
export type StartRole = (context: RoleContext) => Promise<RunningRole>
