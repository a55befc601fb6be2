import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { readEnvironment } from '../../connectors/environment.ts'
import { type CommandChange, command } from '../../operations/partner-commands.ts'
import { silent } from './kafka.ts'

const CLI = new URL('../../operations/cli/main.ts', import.meta.url).pathname

/** Somebody with a terminal at a pipeline. @param env as its roles have it */
export type Operator = ReturnType<typeof operatorOf>

export const operatorOf = (env: NodeJS.ProcessEnv) => ({
  /** Resolves when Kafka has the command. */
  command: (partner: string, change: CommandChange) => command(readEnvironment(env), partner, change, silent),

  /** `npx predio ...`. @returns what it said, or the code and the words with which it failed */
  async predio(...args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return code === 0 ? stdout : `${code}: ${stderr}`
  },
})
