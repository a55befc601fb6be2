import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { PredioError } from '../../schemas/errors.ts'
import { javaCommandOf } from './java-tools.ts'

/** Kafka's stock tools, by the name of their script in Kafka's own download. */
export const KAFKA_TOOLS = {
  'consumer-groups': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  topics: 'org.apache.kafka.tools.TopicCommand',
  'console-consumer': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'get-offsets': 'org.apache.kafka.tools.GetOffsetShell',
  configs: 'kafka.admin.ConfigCommand',
  'delete-records': 'org.apache.kafka.tools.DeleteRecordsCommand',
} as const
export type KafkaTool = keyof typeof KAFKA_TOOLS

export interface ToolAnswer {
  readonly stdout: string
  readonly stderr: string
  /** null where a signal ended it. 0 is no proof: `consumer-groups` ends with 0 after refusing a reset */
  readonly code: number | null
}

/**
 * @param classpath of a local stack, or of requireKafkaTools
 * @throws          STACK_JAVA_MISSING, or the signal's AbortError
 */
export async function runKafkaTool(
  classpath: string,
  tool: KafkaTool,
  args: readonly string[],
  options: { readonly signal?: AbortSignal; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ToolAnswer> {
  const { signal, env = process.env } = options
  const child = spawn(javaCommandOf(env), javaArgs(classpath, tool, args), {
    env,
    ...(signal && { signal }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitCodeOf(child)])
  return { stdout, stderr, code }
}

/** At the user's terminal: keys, output and Ctrl-C go to the tool. @returns its exit code */
export async function runKafkaToolAtTerminal(
  classpath: string,
  tool: KafkaTool,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(javaCommandOf(env), javaArgs(classpath, tool, args), { env, stdio: 'inherit' })
  return (await exitCodeOf(child)) ?? 1
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  try {
    const [code] = await once(child, 'close')
    return code
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new PredioError('STACK_JAVA_MISSING', { tried: child.spawnfile }, { cause: error })
  }
}

function javaArgs(classpath: string, tool: KafkaTool, args: readonly string[]): string[] {
  const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData']
  return [...flags, '-cp', classpath, KAFKA_TOOLS[tool], ...args]
}
