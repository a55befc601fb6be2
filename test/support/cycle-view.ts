import type { CatalogStore, Tally } from '../../connectors/catalog-sink/store.ts'
import type { TestPartner } from './partner.ts'
import type { LoggedEvent, RoleLog } from './role-log.ts'

/** A checkpointed cycle. Times are milliseconds since the Unix epoch. */
export interface CheckpointedCycle {
  readonly cycle: number
  /** What the partner was asked for; null for all it has. */
  readonly asked: number | null
  /** What the next cycle asks from. */
  readonly since: number
  readonly pages: number
  readonly properties: number
  readonly deletions: number
  readonly tally: Tally
}

export interface CycleViewPorts {
  readonly log: RoleLog
  readonly partner: (id: string) => TestPartner
  readonly tally: CatalogStore['tally']
}

/** The partners' cycles as the roles tell of them, and how to be there when one begins. */
export function cycleView({ log, partner, tally }: CycleViewPorts) {
  const named = (name: string, id: string, more: (event: LoggedEvent) => boolean = () => true) =>
    [`${name} of ${id}`, (event: LoggedEvent) => event.event === name && event.partner === id && more(event)] as const

  /** The next event of that name about the partner. */
  const next = (name: string, id: string) => log.next(...named(name, id))

  /** The first event of that name about a later cycle than that, past or to come. Ids are instants: one will do as well. */
  const firstAfter = (cycle: number, name: string, id: string) =>
    log.find(...named(name, id, event => (event.cycle as number) > cycle))

  /** Past events of that name about the partner. */
  const events = (name: string, id: string) => log.events.filter(named(name, id)[1])

  /** The first checkpointed cycle after that one, or without one the very first. */
  async function cycleAfter(id: string, last = 0): Promise<CheckpointedCycle> {
    const { cycle, since } = (await firstAfter(last, 'cycle_checkpointed', id)) as unknown as CheckpointedCycle
    const about = (name: string) => log.find(...named(name, id, event => event.cycle === cycle))
    const [started, polled] = await Promise.all([about('cycle_started'), about('cycle_polled')])
    const { pages, properties, deletions } = polled as unknown as CheckpointedCycle
    const asked = started.since as number | null
    return { cycle, asked, since, pages, properties, deletions, tally: await tally(id, cycle) }
  }

  /** The first cycle that begins after this call and is checkpointed, or the nth: it knows of all that the partner has now. */
  async function cycle(id: string, nth = 1): Promise<CheckpointedCycle> {
    const first = await cycleAfter(id, Date.now() - 1)
    let last = first
    for (let count = 1; count < nth; count++) last = await cycleAfter(id, last.cycle)
    return last
  }

  /** Stops the partner's next cycle at its first request. Takes the place of the partner's fault script. */
  async function hold(id: string): Promise<{ release(): void }> {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const run = () => {
      partner(id).fault(undefined)
      reach()
      return released
    }
    partner(id).fault(({ feed }) => (feed === 'deletions' ? { kind: 'before', run } : undefined))
    await reached
    return { release }
  }

  /**
   * Changes the partner as its next cycle begins, so that this cycle and none before knows of the change. The change may
   * set a fault script.
   */
  async function cycleWith(id: string, change: (partner: TestPartner) => void): Promise<CheckpointedCycle> {
    const held = await hold(id)
    const before = partner(id).requests.filter(({ feed }) => feed === 'deletions')
    change(partner(id))
    held.release()
    return cycleAfter(id, before.at(-2)?.atMs)
  }

  return { next, firstAfter, events, cycleAfter, cycle, hold, cycleWith }
}
