import { type RoleProcess, startRoleProcess } from '../../operations/role-process.ts'
import type { RoleName } from '../../operations/roles.ts'
import type { FailPoint } from './fail-point.ts'
import type { RoleLog } from './role-log.ts'

const FAIL_POINTS = new URL('fail-point.ts', import.meta.url).href

/** Roles as processes of their own, so that they can be killed. Their events go to the log. */
export function roleCrew(env: NodeJS.ProcessEnv, log: RoleLog) {
  const running = new Set<RoleProcess>()
  const newest = new Map<RoleName, RoleProcess>()

  /**
   * Resolves when the role is at work. With a fail point, its end is no failure; several of a role may run.
   *
   * @param more variables for this process alone
   */
  async function start(role: RoleName, failPoint?: FailPoint, more: NodeJS.ProcessEnv = {}): Promise<RoleProcess> {
    const armed = failPoint && { NODE_OPTIONS: `--import=${FAIL_POINTS}`, FAIL_POINT: JSON.stringify(failPoint) }
    const child = startRoleProcess(role, { ...env, ...armed, ...more }, event =>
      log.add({ ...event, role, pid: child.pid }),
    )
    running.add(child)
    newest.set(role, child)
    child.exited.then(how => {
      const isUnexpected = running.delete(child) && failPoint === undefined
      if (isUnexpected) log.fail(new Error(`${role} ended with ${how} though nobody stopped it${log.tail()}`))
    })
    await log.find(`start of ${role}`, ({ event, pid }) => event === `${role}_started` && pid === child.pid)
    return child
  }

  /** A role's newest process, or the one that is meant. */
  const meant = (which: RoleName | RoleProcess): RoleProcess => (typeof which === 'string' ? newest.get(which)! : which)

  /** SIGKILL; resolves when the process is gone. */
  async function kill(which: RoleName | RoleProcess): Promise<void> {
    const child = meant(which)
    running.delete(child)
    child.kill('SIGKILL')
    await child.exited
  }

  /** Ends it as an orchestrator does. @returns its exit code */
  async function stop(which: RoleName | RoleProcess): Promise<number | NodeJS.Signals> {
    const child = meant(which)
    running.delete(child)
    await child.stop()
    return child.exited
  }

  async function stopAll(): Promise<void> {
    const all = [...running]
    running.clear()
    for (const child of all) child.kill('SIGCONT') // one that a fail point froze
    await Promise.all(all.map(child => child.stop()))
  }

  return { start, kill, stop, stopAll }
}
