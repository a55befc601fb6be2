import type { RoleEvent } from '../../operations/role-process.ts'
import type { RoleName } from '../../operations/roles.ts'

export type LoggedEvent = RoleEvent & { readonly role: RoleName; readonly pid: number }

/** Only ever reached by a test that fails. */
const PATIENCE_MS = 60_000
const PROBE_EVERY_MS = 25
const SHOWN_EVENTS = 25

interface Waiting {
  readonly match: (event: LoggedEvent) => boolean
  readonly resolve: (event: LoggedEvent) => void
  readonly reject: (error: Error) => void
}

/** What the roles of a pipeline have logged, and waits for what they will log. */
export class RoleLog {
  readonly events: LoggedEvent[] = []
  readonly #waiting = new Set<Waiting>()
  #failure: Error | undefined

  add(event: LoggedEvent): void {
    this.events.push(event)
    for (const waiting of [...this.#waiting].filter(({ match }) => match(event))) waiting.resolve(event)
  }

  /** Whoever waits would wait in vain, now and later. */
  fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting) reject(this.#failure)
  }

  /** The first event that matches, past or to come. @param what for the error when it does not come */
  async find(what: string, match: (event: LoggedEvent) => boolean): Promise<LoggedEvent> {
    return this.events.find(match) ?? this.next(what, match)
  }

  /** The next event that matches. */
  async next(what: string, match: (event: LoggedEvent) => boolean): Promise<LoggedEvent> {
    if (this.#failure !== undefined) throw this.#failure
    const { promise, resolve, reject } = Promise.withResolvers<LoggedEvent>()
    const timer = setTimeout(() => reject(new Error(`no ${what} within ${PATIENCE_MS} ms${this.tail()}`)), PATIENCE_MS)
    const waiting = { match, resolve, reject }
    this.#waiting.add(waiting)
    const told = promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
    })
    told.catch(() => {}) // a test that fails before it awaits this has its own reason
    return told
  }

  /** For what no role logs: asks again and again until there is an answer. */
  async eventually<T>(what: string, probe: () => Promise<T | undefined>): Promise<T> {
    const giveUpMs = Date.now() + PATIENCE_MS
    for (;;) {
      const found = await probe()
      if (found !== undefined) return found
      if (this.#failure !== undefined) throw this.#failure
      if (Date.now() > giveUpMs) throw new Error(`no ${what} within ${PATIENCE_MS} ms${this.tail()}`)
      await new Promise(resolve => setTimeout(resolve, PROBE_EVERY_MS))
    }
  }

  /** The last words, for an error. */
  tail(): string {
    const told = this.events.filter(({ event }) => event !== 'kafka_client').slice(-SHOWN_EVENTS)
    return ['; the last that the roles said:', ...told.map(event => JSON.stringify(event))].join('\n  ')
  }
}
