import { describe, expect, test } from 'vitest'
import { RequestPace } from '../../../connectors/crm-source/request-pace.ts'
import { fakeClock } from './rig.ts'

const waiter = (signal = new AbortController().signal) => ({ signal, waitedMs: 0 })
const FAST = { requestsPerMinute: 6_000_000, partners: 1 }

describe('RequestPace', () => {
  test('requests are spaced by the minute’s share, real milliseconds', async () => {
    const pace = new RequestPace({ requestsPerMinute: 3_000, partners: 1 }, fakeClock())
    const beganMs = performance.now()
    const startsMs = Array.from({ length: 4 }, () => pace.run(async () => performance.now() - beganMs, waiter()))
    // Less the timers' coarseness; a busy machine can only make it later.
    for (const [index, ms] of (await Promise.all(startsMs)).entries()) expect(ms).toBeGreaterThan(20 * index - 3)
  })

  test('row 62: one partner’s slow answer does not keep the others that share the credential waiting', async () => {
    const pace = new RequestPace({ requestsPerMinute: 30_000, partners: 2 }, fakeClock())
    const { promise: never, resolve } = Promise.withResolvers<string>()
    const slow = pace.run(() => never, waiter())
    expect(await pace.run(async () => 'quick', waiter())).toBe('quick')
    resolve('slow')
    expect(await slow).toBe('slow')
  })

  test('what fails fails, and the next one has its turn', async () => {
    const pace = new RequestPace({ requestsPerMinute: 30_000, partners: 1 }, fakeClock())
    const failing = pace.run(() => Promise.reject(new Error('no')), waiter())
    await expect(failing).rejects.toThrow('no')
    expect(await pace.run(async () => 1, waiter())).toBe(1)
  })

  test('a hold keeps the next request back, and is paid by the one who waits', async () => {
    const clock = fakeClock()
    const pace = new RequestPace(FAST, clock)
    pace.hold(5_000)
    pace.hold(2_000)
    clock.advance(1_000)
    const mine = waiter()
    await pace.run(async () => {}, mine)
    await pace.run(async () => {}, mine)
    expect(clock.slept).toEqual([4_000])
    expect(mine.waitedMs).toBe(4_000)
  })

  test('a hold that is over costs nothing', async () => {
    const clock = fakeClock()
    const pace = new RequestPace(FAST, clock)
    pace.hold(5_000)
    clock.advance(5_000)
    await pace.run(async () => {}, waiter())
    expect(clock.slept).toEqual([])
  })

  test('row 23: a clock set back by an hour does not make a hold of a minute last an hour', async () => {
    const clock = fakeClock()
    const pace = new RequestPace(FAST, clock)
    pace.hold(60_000)
    clock.advance(-3_600_000)
    await pace.run(async () => {}, waiter())
    await pace.run(async () => {}, waiter())
    expect(clock.slept).toEqual([60_000])
  })

  test('a hold that comes while a request waits for its turn keeps that one back, too', async () => {
    const clock = fakeClock()
    const pace = new RequestPace({ requestsPerMinute: 6_000, partners: 2 }, clock)
    await pace.run(async () => {}, waiter())
    const second = pace.run(async () => clock.nowMs(), waiter())
    await Promise.resolve()
    pace.hold(7_000)
    const startMs = clock.nowMs()
    expect(await second).toBe(startMs + 7_000)
  })

  test.each(['before', 'while it waits for its turn', 'in a hold'])('a stop %s: it is not run', async when => {
    const stop = new AbortController()
    const sleep = async () => {
      stop.abort()
      stop.signal.throwIfAborted()
    }
    const pace = new RequestPace({ requestsPerMinute: 1, partners: 1 }, { ...fakeClock(), sleep })
    let runs = 0
    const request = async () => void runs++
    if (when === 'in a hold') pace.hold(1_000)
    else await pace.run(request, waiter())
    if (when === 'before') stop.abort()
    const stopped = pace.run(request, waiter(stop.signal))
    if (when === 'while it waits for its turn') stop.abort()
    await expect(stopped).rejects.toThrow('abort')
    expect(runs).toBe(when === 'in a hold' ? 0 : 1)
  })
})
