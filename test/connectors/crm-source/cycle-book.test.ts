import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CycleBook } from '../../../connectors/crm-source/cycle-book.ts'
import { type CycleOutcome, sampleCycleReport } from '../../../schemas/records/cycle-report.ts'

const report = (partner: string, cycle: number, outcome: CycleOutcome) => ({
  ...sampleCycleReport,
  partner,
  cycle,
  outcome,
})

describe('what is open', () => {
  const book = (...outcomes: [cycle: number, outcome: CycleOutcome][]): CycleBook => {
    const written = new CycleBook(['acme'])
    outcomes.forEach(([cycle, outcome], offset) => {
      written.read(0, offset, report('acme', cycle, outcome))
    })
    return written
  }

  test.each<{ name: string; outcomes: [number, CycleOutcome][]; cutOff?: number; unconfirmed?: number }>([
    { name: 'nothing before the first cycle', outcomes: [] },
    { name: 'a start without an end was cut off', outcomes: [[5, 'started']], cutOff: 5 },
    {
      name: 'a polled cycle waits for the checkpoint',
      outcomes: [
        [5, 'started'],
        [5, 'polled'],
      ],
      unconfirmed: 5,
    },
    {
      name: 'a failed cycle is over',
      outcomes: [
        [5, 'started'],
        [5, 'failed'],
      ],
    },
    {
      name: 'an abandoned cycle is over',
      outcomes: [
        [5, 'started'],
        [5, 'abandoned'],
      ],
    },
    {
      name: 'a checkpointed cycle is over',
      outcomes: [
        [5, 'started'],
        [5, 'polled'],
        [5, 'checkpointed'],
      ],
    },
    {
      name: 'a newer cycle takes the place of one given up',
      outcomes: [
        [5, 'polled'],
        [6, 'started'],
      ],
      cutOff: 6,
    },
    {
      name: 'the end of an older cycle leaves the newer one',
      outcomes: [
        [5, 'polled'],
        [6, 'polled'],
        [5, 'checkpointed'],
      ],
      unconfirmed: 6,
    },
    {
      name: 'a start that is read after its end opens nothing',
      outcomes: [
        [5, 'failed'],
        [5, 'started'],
      ],
    },
    {
      name: 'a start that is read after its poll does not undo it',
      outcomes: [
        [5, 'polled'],
        [5, 'started'],
      ],
      unconfirmed: 5,
    },
  ])('$name', ({ outcomes, cutOff, unconfirmed }) => {
    const read = book(...outcomes)
    expect(read.cutOff('acme')?.cycle).toBe(cutOff)
    expect(read.unconfirmed('acme')?.cycle).toBe(unconfirmed)
  })

  test('the newest cycle is known whatever became of it, so ids grow over a restart', () => {
    expect(book([7, 'polled'], [9, 'failed'], [8, 'checkpointed']).newest('acme')).toBe(9)
    expect(book().newest('acme')).toBeUndefined()
  })

  test('what we said ourselves counts before it is read, and once', () => {
    const read = book()
    read.said(report('acme', 5, 'started'))
    read.said(report('acme', 5, 'polled'))
    expect(read.unconfirmed('acme')?.cycle).toBe(5)
    read.read(0, 0, report('acme', 5, 'started'))
    expect(read.unconfirmed('acme')?.cycle, 'the start that is read later').toBe(5)
    read.read(0, 1, report('acme', 5, 'polled'))
    read.read(0, 2, report('acme', 5, 'checkpointed'))
    expect(read.takeCommits()).toEqual([{ partition: 0, offset: 3 }])
  })

  test('what is committed never passes the start of an open cycle, and strangers hold nothing back', () => {
    const read = new CycleBook(['acme'])
    read.read(0, 4, report('stranger', 1, 'started'))
    read.read(0, 5, report('acme', 5, 'started'))
    read.read(0, 6, report('acme', 5, 'polled'))
    expect(read.takeCommits()).toEqual([{ partition: 0, offset: 5 }])
    read.read(0, 7, report('acme', 5, 'checkpointed'))
    expect(read.takeCommits()).toEqual([{ partition: 0, offset: 8 }])
    expect(read.takeCommits(), 'once').toEqual([])
  })

  test('a record that cannot be read is passed by', () => {
    const read = book()
    read.read(1, 0, undefined)
    expect(read.takeCommits()).toEqual([{ partition: 1, offset: 1 }])
  })

  test('what another instance owns is forgotten', () => {
    const read = book([5, 'started'])
    read.keepOnly([1, 2])
    expect(read.cutOff('acme')).toBeUndefined()
    expect(read.takeCommits()).toEqual([])
  })
})

test('the floor is the newest cycle of anybody, read or handed on with a commit, also of one that failed', () => {
  const book = new CycleBook(['acme'])
  expect(book.floor).toBeUndefined()
  book.read(0, 0, report('acme', 7, 'failed'))
  book.read(0, 1, report('stranger', 8, 'started'))
  book.read(0, 2, report('acme', 6, 'started'))
  book.keepOnly([])
  expect(book.floor).toBe(8)
  book.raiseFloor(9)
  book.raiseFloor(5)
  expect(book.floor).toBe(9)
})

describe('closed', () => {
  let reports: CycleBook
  let stop: AbortController
  beforeEach(() => {
    vi.useFakeTimers()
    reports = new CycleBook(['acme', 'beta'])
    stop = new AbortController()
  })
  afterEach(() => {
    expect(vi.getTimerCount(), 'timers left behind').toBe(0)
    vi.useRealTimers()
  })
  const closed = (partner: string, cycle: number, timeoutMs = 1_000): Promise<boolean> =>
    reports.closed(partner, cycle, timeoutMs, stop.signal)

  test.each<CycleOutcome>(['checkpointed', 'superseded', 'lost', 'failed', 'abandoned'])(
    '%s closes the cycle one waits for',
    async outcome => {
      const waiting = closed('acme', 5)
      reports.said(report('acme', 5, outcome))
      await expect(waiting).resolves.toBe(true)
    },
  )

  test.each<CycleOutcome>(['checkpointed', 'superseded', 'lost', 'failed', 'abandoned'])(
    '%s may come before anybody waits',
    async outcome => {
      reports.said(report('acme', 5, outcome))
      await expect(closed('acme', 5)).resolves.toBe(true)
    },
  )

  test('a newer closed cycle closes the older ones', async () => {
    reports.said(report('acme', 6, 'checkpointed'))
    reports.said(report('acme', 4, 'checkpointed'))
    await expect(closed('acme', 5)).resolves.toBe(true)
  })

  test.each([
    { name: 'its own polled report', noted: report('acme', 5, 'polled') },
    { name: 'its start', noted: report('acme', 5, 'started') },
    { name: 'an older cycle', noted: report('acme', 4, 'checkpointed') },
    { name: 'another partner’s cycle', noted: report('beta', 5, 'checkpointed') },
  ])('$name does not close it, before or while one waits; then its time is up', async ({ noted }) => {
    reports.said(noted)
    const waiting = closed('acme', 5)
    reports.said(noted)
    await vi.advanceTimersByTimeAsync(999)
    const isSettled = vi.fn()
    waiting.then(isSettled)
    await Promise.resolve()
    expect(isSettled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await expect(waiting).resolves.toBe(false)
  })

  test('a word that comes too late is known to the next one who asks', async () => {
    const waiting = closed('acme', 5)
    await vi.advanceTimersByTimeAsync(1_000)
    await waiting
    reports.said(report('acme', 5, 'checkpointed'))
    await expect(closed('acme', 5)).resolves.toBe(true)
  })

  test('partners wait side by side', async () => {
    const [acme, beta] = [closed('acme', 5), closed('beta', 5)]
    reports.said(report('beta', 5, 'checkpointed'))
    await expect(beta).resolves.toBe(true)
    reports.said(report('acme', 5, 'lost'))
    await expect(acme).resolves.toBe(true)
  })

  test('a stop ends the waiting', async () => {
    const waiting = closed('acme', 5)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })

  test('a stop that came before the waiting ends it, too: nobody would wait three hours for it', async () => {
    stop.abort(new Error('stopped'))
    await expect(closed('acme', 5, 3 * 3_600_000)).rejects.toThrow('stopped')
  })

  test('a cycle long waited for leaves no listener behind', async () => {
    const remove = vi.spyOn(stop.signal, 'removeEventListener')
    const waiting = closed('acme', 5)
    reports.said(report('acme', 5, 'checkpointed'))
    await waiting
    expect(remove).toHaveBeenCalledOnce()
  })
})
