import { readFileSync } from 'node:fs'

/**
 * Tells a process from a later one with the same pid: after a restart of a container the numbers repeat at once.
 *
 * @returns undefined where no such process runs (a zombie does not run); 'unknown' where the system has no /proc
 */
export function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    const ticks = startTicksOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return ticks && `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return 'unknown'
  }
}

/**
 * @param stat content of /proc/PID/stat: `pid (name) state ppid ...`, where the name may hold blanks and brackets
 * @returns    field 22, the start in clock ticks since boot; undefined for a zombie or a dead process
 * @source     proc_pid_stat(5)
 */
export function startTicksOf(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}
