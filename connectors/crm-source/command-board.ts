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

  /**
   * Resolves when another command than `known` holds for the partner, or after `ms`; rejects when the signal fires.
   *
   * @param known what was acted on; a newer one may have been read since
   */
  changed(partner: string, known: PartnerCommand | undefined, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.of(partner) !== known) return Promise.resolve()
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

/** Names the wish for a cycle: its time by the operator's clock, which may be any; 0 when there is none. */
export const wishOf = (command: PartnerCommand | undefined): number => command?.run_requested_at ?? 0

/**
 * The wish that a loop takes for answered when it begins: then, and only then, must clocks tell whether a cycle came
 * after it.
 */
export function answeredWish(command: PartnerCommand | undefined, lastCycle: number | undefined): number {
  const wish = wishOf(command)
  return wish > (lastCycle ?? 0) ? 0 : wish
}

/** Whether a cycle was asked for that has not begun yet: one wish, one cycle, whatever time it names. */
export function isRunWanted(command: PartnerCommand | undefined, answered: number): boolean {
  const wish = wishOf(command)
  return wish !== 0 && wish !== answered
}
