import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CheckpointWorld } from './checkpoint-world.ts'

/** What can happen around a checkpoint, in any order. */
type Happening =
  | {
      readonly kind: 'poll'
      readonly partner: string
      readonly properties: readonly number[]
      readonly deletions: number
    }
  | { readonly kind: 'validate' | 'apply-deletions'; readonly records: number }
  | { readonly kind: 'apply'; readonly topic: number; readonly records: number }
  | { readonly kind: 'reset'; readonly partner: string; readonly back: number }
  | { readonly kind: 'look' | 'restart' }
  | { readonly kind: 'crash'; readonly calls: number }

const partner = fc.constantFrom('acme', 'beta')
const records = fc.integer({ min: 1, max: 6 })
/** For each property the listings topic that the validator puts it into. */
const properties = fc.array(fc.constantFrom(0, 1, 2), { maxLength: 4 })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('poll' as const), partner, properties, deletions: fc.nat(2) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('validate' as const), records }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('apply' as const), topic: fc.nat(2), records }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply-deletions' as const), records }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reset' as const), partner, back: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 8, arbitrary: fc.constant({ kind: 'look' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), calls: fc.nat(5) }) },
)

async function happen(world: CheckpointWorld, what: Happening): Promise<void> {
  switch (what.kind) {
    case 'poll':
      return world.poll(what.partner, what.properties, what.deletions)
    case 'validate':
      return world.validate(what.records)
    case 'apply':
      return world.apply(what.topic, what.records)
    case 'apply-deletions':
      return world.applyDeletions(what.records)
    case 'reset':
      return world.reset(what.partner, what.back)
    case 'look':
      await world.look()
      return
    case 'restart':
      return world.restart()
    case 'crash':
      return world.crashAfter(what.calls)
  }
}

describe('the checkpoint, whatever happens in whatever order (design section 3.7; faults 41, 45 to 48, 67)', () => {
  /** The world throws when a commit comes before its records, moves `since` back, or undoes an operator's reset. */
  test('never commits what is not in the catalog, never back, and never over an operator’s reset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 60 }), async history => {
        const world = new CheckpointWorld()
        for (const what of history) await happen(world, what)
      }),
      { numRuns: 150 },
    )
  })

  test('once the stages have caught up, every cycle is closed, each marker stands once, and `since` is where it belongs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), async history => {
        const world = new CheckpointWorld()
        for (const what of history) await happen(world, what)
        world.catchUp()
        for (let looks = 0; looks < 10; looks++) await world.look()
        expect(world.openReports()).toEqual([])
        for (const name of ['acme', 'beta']) {
          const markers = world.markersOf(name)
          expect(new Set(markers).size).toBe(markers.length)
        }
        expect(world.sinceOf('acme')).toEqual(world.expectedSinceOf('acme'))
        expect(world.sinceOf('beta')).toEqual(world.expectedSinceOf('beta'))
      }),
      { numRuns: 150 },
    )
  })
})

describe('told one by one', () => {
  test('a cycle’s way: the validator, the ends, the catalog, the marker, `since`', async () => {
    const world = new CheckpointWorld()
    world.poll('acme', [0, 0, 1], 1)
    await world.look()
    expect(world.sinceOf('acme')).toBe(-1)
    world.validate(3)
    await world.look() // notes the ends
    world.apply(0, 2)
    world.apply(1, 1)
    await world.look()
    expect(world.markersOf('acme')).toEqual([])
    world.applyDeletions(1)
    await world.look() // marks
    expect(world.markersOf('acme')).toHaveLength(1)
    expect(world.sinceOf('acme')).toBe(-1)
    await world.look() // commits
    expect(world.sinceOf('acme')).toBe(1)
    expect(world.openReports()).toEqual([])
  })

  test('a crash between marker and commit: the marker is found and not written again (fault 48)', async () => {
    const world = new CheckpointWorld()
    world.poll('acme', [], 0)
    await world.look()
    await world.look()
    world.restart()
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect(world.markersOf('acme')).toHaveLength(1)
    expect(world.sinceOf('acme')).toBe(1)
  })

  test('a slow partner beside it and a restart do not undo an operator’s reset of a finished one', async () => {
    const world = new CheckpointWorld()
    world.poll('beta', [0], 0) // stays open: nobody validates it yet
    world.poll('acme', [], 0)
    for (let looks = 0; looks < 4; looks++) await world.look()
    world.poll('acme', [], 0)
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect(world.sinceOf('acme')).toBe(2)
    world.reset('acme', 1)
    world.restart()
    for (let looks = 0; looks < 6; looks++) await world.look()
    expect(world.sinceOf('acme')).toBe(1)
  })

  test('one partner’s stalled cycle does not hold up another’s (I9)', async () => {
    const world = new CheckpointWorld()
    world.poll('acme', [0], 0)
    world.poll('beta', [], 0)
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect([world.sinceOf('acme'), world.sinceOf('beta')]).toEqual([-1, 1])
  })

  test('nor does a partner whose `since` cannot be committed; it is tried again', async () => {
    const world = new CheckpointWorld()
    world.refused.add('acme')
    world.poll('acme', [], 0)
    world.poll('beta', [], 0)
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect([world.sinceOf('acme'), world.sinceOf('beta')]).toEqual([-1, 1])
    world.refused.clear()
    await world.look()
    expect([world.sinceOf('acme'), world.markersOf('acme')]).toEqual([1, [1]])
  })

  test('a cycle that was overtaken by a later one, and a restart: two commits of one look do not go back', async () => {
    const world = new CheckpointWorld()
    world.poll('acme', [0], 0) // waits for the validator
    world.poll('acme', [], 0)
    await world.look()
    await world.look() // marks the second one
    world.restart()
    world.catchUp()
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect(world.markersOf('acme')).toEqual([2, 1])
    expect(world.sinceOf('acme')).toBe(2)
  })

  test('it tells whether anything moved', async () => {
    const world = new CheckpointWorld()
    expect(await world.look()).toBe(false)
    world.poll('acme', [0], 0)
    expect(await world.look()).toBe(false)
    world.catchUp()
    const moves = [await world.look(), await world.look(), await world.look(), await world.look()]
    expect(moves).toEqual([true, true, true, false]) // notes, marks, commits
  })

  test('two cycles of a partner that were polled from the same place are both marked, in order', async () => {
    const world = new CheckpointWorld()
    world.poll('acme', [0], 0)
    world.poll('acme', [0, 0], 0)
    world.catchUp()
    for (let looks = 0; looks < 4; looks++) await world.look()
    expect(world.markersOf('acme')).toEqual([1, 2])
    expect(world.sinceOf('acme')).toBe(2)
  })
})
