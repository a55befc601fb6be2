import type { PartnerCommand } from '../../schemas/records/partner-command.ts'

/** The operators' wishes as far as they were read, and a bell for whoever sleeps until the next one. */
export class CommandBoard {
  readonly #commands = new Map<string, PartnerCommand>()
  readonly #bells = new Map<string, () => void>()

  read(command: PartnerCommand): void {
    this.#commands.set(command.partner, command)
    this.#bells.get(command.partner)?.()
  }

  of(partner: string): PartnerCommand | undefined {
    return this.#commands.get(partner)
  }

  /** Resolves with the next command for the partner, or after `ms`; rejects when the signal fires. */
  changed(partner: string, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // A timer holds 24.8 days at most; whoever waits longer looks once more in between.
    const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1))
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    this.#bells.set(partner, resolve)
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#bells.delete(partner)
    })
  }
}

/** Whether a cycle was asked for that has not begun yet. */
export function isRunWanted(command: PartnerCommand | undefined, lastStartMs: number | undefined): boolean {
  return command !== undefined && command.run_requested_at !== null && command.run_requested_at > (lastStartMs ?? 0)
}
