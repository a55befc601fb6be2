import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PredioError } from '../../schemas/errors.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Kafka 4 and Apicurio Registry 3.0 are compiled for Java 17; an older Java ends with a class version error. */
const OLDEST_JAVA = 17
/** A sleeping laptop disk may take seconds; a Java that says nothing for this long is broken. */
const ANSWER_LIMIT_MS = 20_000

/** JAVA_HOME wins over PATH, as it does for Maven. */
export function javaCommandOf(env: Env): string {
  return env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java'
}

/**
 * @param printed what `java -version` wrote, both streams; a JAVA_TOOL_OPTIONS notice may come first
 * @returns       17 for "17.0.15", 8 for "1.8.0_392"; undefined where no Java answered (the stub of macOS)
 */
export function javaMajorOf(printed: string): number | undefined {
  const major = /\bversion "(?:1\.)?(\d+)/.exec(printed)?.[1]
  return major === undefined ? undefined : Number(major)
}

/**
 * @returns the command that starts Java 17 or newer
 * @throws  STACK_JAVA_MISSING
 */
export async function requireJava(env: Env): Promise<string> {
  const command = javaCommandOf(env)
  const printed = await answerOf(command, ['-version'], env)
  const major = printed === undefined ? undefined : javaMajorOf(printed)
  if (major === undefined) throw new PredioError('STACK_JAVA_MISSING', { tried: command })
  if (major < OLDEST_JAVA) throw new PredioError('STACK_JAVA_MISSING', { found: `Java ${major}`, tried: command })
  return command
}

/** @throws STACK_MAVEN_MISSING */
export async function requireMaven(env: Env): Promise<string> {
  const printed = await answerOf('mvn', ['-v'], env)
  if (printed === undefined) throw new PredioError('STACK_MAVEN_MISSING')
  return 'mvn'
}

async function answerOf(command: string, args: readonly string[], env: Env): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { env, timeout: ANSWER_LIMIT_MS })
    return stdout + stderr
  } catch {
    return undefined // not found, not executable, or it failed: for us there is none
  }
}
