import { PredioError } from '../../schemas/errors.ts'
import { type RoleEvent, type RoleProcess, startRoleProcess } from '../role-process.ts'
import { ROLE_NAMES, type RoleName } from '../roles.ts'

/** A role that ends sooner than this after its start is not started again: it would only fail again. */
const SHORTEST_LIFE_MS = 5_000
const RESTART_PAUSE_MS = 1_000

/** Keeps one process per role alive until told to stop. */
export function superviseRoles(
  env: NodeJS.ProcessEnv,
  onEvent: (role: RoleName) => (event: RoleEvent) => void,
  fail: (error: Error) => void,
) {
  const running = new Map<RoleName, RoleProcess>()
  let stopping: Promise<unknown> | undefined
  const keep = (role: RoleName): void => {
    const bornMs = Date.now()
    let lastWords = ''
    const child = startRoleProcess(role, env, event => {
      if (event.level === 'error' || event.level === 'fatal') lastWords = String(event.error ?? event.said)
      onEvent(role)(event)
    })
    running.set(role, child)
    child.exited.then(how => {
      if (stopping !== undefined) return
      if (Date.now() - bornMs < SHORTEST_LIFE_MS)
        return fail(new PredioError('ROLE_DIED', { role, exit: how, said: lastWords }))
      onEvent(role)({ event: 'role_restarted', level: 'warn', error: `it ended with ${how}` })
      setTimeout(() => stopping === undefined && keep(role), RESTART_PAUSE_MS)
    })
  }
  for (const role of ROLE_NAMES) keep(role)
  return {
    stop: async (): Promise<void> => {
      stopping ??= Promise.all([...running.values()].map(child => child.stop()))
      await stopping
    },
  }
}
