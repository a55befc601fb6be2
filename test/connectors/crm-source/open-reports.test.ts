import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenReports, openReports } from '../../../connectors/crm-source/open-reports.ts'
import { type CycleOutcome, sampleCycleReport } from '../../../schemas/records/cycle-report.ts'

const report = (partner: string, cycle: number, outcome: CycleOutcome) => ({ ...sampleCycleReport, partner, cycle, outcome })

describe('closed', () => {
  let reports: OpenReports
  let stop: AbortController
  beforeEach(() => {
    vi.useFakeTimers()
    reports = openReports()
    stop = new AbortController()
  })
  afterEach(() => {
    expect(vi.getTimerCount(), 'timers left behind').toBe(0)
    vi.useRealTimers()
  })
  const closed = (partner: string, cycle: number, timeoutMs = 1_000): Promise<boolean> =>
    reports.closed(partner, cycle, timeoutMs, stop.signal)

  test.each<CycleOutcome>(['checkpointed', 'superseded', 'lost'])('%s closes the cycle one waits for', async outcome => {
    const waiting = closed('acme', 5)
    reports.note(report('acme', 5, outcome))
    await expect(waiting).resolves.toBe(true)
  })

  test.each<CycleOutcome>(['checkpointed', 'superseded', 'lost'])('%s may come before anybody waits', async outcome => {
    reports.note(report('acme', 5, outcome))
    await expect(closed('acme', 5)).resolves.toBe(true)
  })

  test('a newer closed cycle closes the older ones', async () => {
    reports.note(report('acme', 6, 'checkpointed'))
    reports.note(report('acme', 4, 'checkpointed'))
    await expect(closed('acme', 5)).resolves.toBe(true)
  })

  test.each([
    { name: 'its own polled report', noted: report('acme', 5, 'polled') },
    { name: 'a failed cycle', noted: report('acme', 5, 'failed') },
    { name: 'an older cycle', noted: report('acme', 4, 'checkpointed') },
    { name: 'another partner’s cycle', noted: report('beta', 5, 'checkpointed') },
  ])('$name does not close it, before or while one waits; then its time is up', async ({ noted }) => {
    reports.note(noted)
    const waiting = closed('acme', 5)
    reports.note(noted)
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
    reports.note(report('acme', 5, 'checkpointed'))
    await expect(closed('acme', 5)).resolves.toBe(true)
  })

  test('partners wait side by side', async () => {
    const [acme, beta] = [closed('acme', 5), closed('beta', 5)]
    reports.note(report('beta', 5, 'checkpointed'))
    await expect(beta).resolves.toBe(true)
    reports.note(report('acme', 5, 'lost'))
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
    reports.note(report('acme', 5, 'checkpointed'))
    await waiting
    expect(remove).toHaveBeenCalledOnce()
  })
})
