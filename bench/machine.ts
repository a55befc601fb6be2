import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** What a figure was measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  readonly java: string
  readonly kafka: string
  readonly postgres: string
  readonly predio: string
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    java: firstLine('java', ['-version']),
    kafka: '4.3.1',
    postgres: '18',
    predio: firstLine('git', ['describe', '--always', '--dirty']),
  }
}

function firstLine(command: string, args: readonly string[]): string {
  try {
    return execFileSync('sh', ['-c', [command, ...args, '2>&1'].join(' ')], { encoding: 'utf8' }).split('\n')[0] ?? ''
  } catch {
    return 'unknown'
  }
}

export interface ProcessUse {
  /** Most memory held at any time, MB (10^6 bytes). */
  readonly peakMb: number
  readonly cpuSeconds: number
}

/** What the kernel has counted for a process so far; Linux only. */
export function useOf(pid: number): ProcessUse {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const peakKib = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { peakMb: Math.round((peakKib * 1_024) / 1e6), cpuSeconds: ticks / 100 }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
