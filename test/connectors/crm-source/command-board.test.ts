import { describe, expect, test } from 'vitest'
import { answeredWish, CommandBoard, isRunWanted } from '../../../connectors/crm-source/command-board.ts'
import { type PartnerCommand, samplePartnerCommand } from '../../../schemas/records/partner-command.ts'

const WISH = samplePartnerCommand.run_requested_at!
const command = (changes: Partial<PartnerCommand> = {}): PartnerCommand => ({ ...samplePartnerCommand, ...changes })
const wish = (run_requested_at: number | null) => command({ run_requested_at })

test.each([
  { name: 'no command', given: undefined, answered: 0, isWanted: false },
  { name: 'a command without a wish', given: wish(null), answered: 0, isWanted: false },
  { name: 'a command without a wish after one was answered', given: wish(null), answered: WISH, isWanted: false },
  { name: 'a first wish', given: wish(WISH), answered: 0, isWanted: true },
  { name: 'a wish that was answered', given: wish(WISH), answered: WISH, isWanted: false },
  { name: 'another wish, by a clock that is behind', given: wish(WISH - 1), answered: WISH, isWanted: true },
])('a cycle is wanted: $name: $isWanted', ({ given, answered, isWanted }) => {
  expect(isRunWanted(given, answered)).toBe(isWanted)
})

test.each([
  { name: 'older than the last cycle', lastCycle: WISH + 1, isWanted: false },
  { name: 'as old as the last cycle', lastCycle: WISH, isWanted: false },
  { name: 'newer than the last cycle', lastCycle: WISH - 1, isWanted: true },
  { name: 'of a partner without a cycle', lastCycle: undefined, isWanted: true },
])('a loop that begins finds a wish $name wanted: $isWanted', ({ lastCycle, isWanted }) => {
  expect(isRunWanted(wish(WISH), answeredWish(wish(WISH), lastCycle))).toBe(isWanted)
})

describe('who sleeps until a command comes', () => {
  const HOUR_MS = 3_600_000
  const awake = { signal: new AbortController().signal }

  test('is woken by the next one about the partner', async () => {
    const board = new CommandBoard()
    board.read(command({ paused: true }))
    const woken = board.changed('acme', board.of('acme'), HOUR_MS, awake.signal)
    board.read(command({ partner: 'other' }))
    board.read(command({ paused: false }))
    await woken
    expect(board.of('acme')).toMatchObject({ paused: false })
  })

  test('does not fall asleep over one that was read since the last look', async () => {
    const board = new CommandBoard()
    const known = board.of('acme')
    board.read(command())
    await board.changed('acme', known, HOUR_MS, awake.signal)
  })

  test('is woken when the time has come, and by a stop', async () => {
    const board = new CommandBoard()
    await board.changed('acme', undefined, 1, awake.signal)
    const stop = new AbortController()
    const sleeping = board.changed('acme', undefined, HOUR_MS, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(sleeping).rejects.toThrow('stopped')
    await expect(board.changed('acme', undefined, HOUR_MS, stop.signal)).rejects.toThrow('stopped')
  })
})
