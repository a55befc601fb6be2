import { open } from 'node:fs/promises'

const TAIL_BYTES = 16_384
const LOUD = /\b(?:FATAL|ERROR|PANIC|Caused by:|[\w.]*(?:Exception|Error)\b)/
const STACK_FRAME = /^\s+(?:at |\.\.\. \d+ )/

/**
 * The one line of a log that tells a person why a program ended: the last that names an error, not a stack frame and
 * not the shutdown chatter after it; the last line of any kind where none does.
 */
export function lineThatMatters(log: string): string | undefined {
  const lines = tellingLines(log)
  return (lines.findLast(line => LOUD.test(line)) ?? lines.at(-1))?.trim()
}

/** Maven says what is wrong first, then explains at length how to learn more. */
export function firstErrorIn(log: string): string | undefined {
  const lines = tellingLines(log)
  return (lines.find(line => LOUD.test(line)) ?? lines.at(-1))?.trim()
}

function tellingLines(log: string): string[] {
  return log.split('\n').filter(line => line.trim() !== '' && !STACK_FRAME.test(line))
}

/** @returns the end of the file, at most 16 KiB; empty where it cannot be read */
export async function readLogTail(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES))
    await file.read(buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8')
  } catch {
    return ''
  }
}
