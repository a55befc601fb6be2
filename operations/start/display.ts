import { styleText } from 'node:util'
import cliProgress from 'cli-progress'
import type { CycleNews, CycleSummary } from './cycles.ts'

/** What `start` shows while it runs. */
export interface Display {
  say(words: string): void
  progress(news: CycleNews): void
  row(summary: CycleSummary): void
  close(): void
}

const LINE_EVERY_MS = 3_000
const COLUMNS = [
  ['partner', 12],
  ['cycle', 8],
  ['polled', 8],
  ['accepted', 8],
  ['draft', 7],
  ['rejected', 8],
  ['deactivated', 11],
  ['since', 20],
  ['time', 7],
] as const

/** A bar on a terminal, a line every few seconds on a pipe. */
export function openDisplay(to: NodeJS.WriteStream, nowMs: () => number): Display {
  const bar = to.isTTY ? terminalBar(to) : undefined
  let headed = false
  let lineDueMs = 0
  const write = (line: string): void => {
    bar?.stop()
    to.write(`${line}\n`)
  }
  return {
    say: words => write(words),
    progress(news) {
      if (news.kind === 'ended') return
      const total = news.kind === 'polled' ? news.properties : news.total
      if (bar !== undefined) return bar.show(news.partner, news.properties, total)
      if (news.kind === 'polled' || nowMs() < lineDueMs) return
      lineDueMs = nowMs() + LINE_EVERY_MS
      write(`${news.partner}: ${news.properties}${total === undefined ? '' : ` of ${total}`} properties polled`)
    },
    row(summary) {
      if (!headed) write(styleText('bold', COLUMNS.map(([name, width]) => pad(name, width)).join(' '), { stream: to }))
      headed = true
      write(rowText(summary))
    },
    close: () => bar?.stop(),
  }
}

const pad = (text: string, width: number): string =>
  width < 12 && width !== 8 ? text.padStart(width) : text.padEnd(width)

/** What comes after a cycle that moved no `since`. */
const NEXT = {
  failed: 'it is polled again from the same date',
  lost: 'it is polled again from the same date',
  superseded: 'the next one starts where the reset points',
} as const

export function rowText(summary: CycleSummary): string {
  const { partner, cycle, outcome, polled, accepted, draft, rejected, deactivated, since, error, seconds } = summary
  const at = new Date(cycle).toISOString().slice(11, 19)
  if (outcome !== 'checkpointed') return `${partner.padEnd(12)} ${at} ${outcome}: ${error ?? NEXT[outcome]}`
  const cells = [partner, at, polled, accepted, draft, rejected, deactivated, since ?? '', `${seconds.toFixed(1)}s`]
  return COLUMNS.map(([, width], index) => pad(String(cells[index]), width)).join(' ')
}

function terminalBar(to: NodeJS.WriteStream) {
  let bar: cliProgress.SingleBar | undefined
  return {
    show(partner: string, properties: number, total: number | undefined): void {
      if (bar === undefined) {
        const format = '{partner} {bar} {value}/{total} properties polled'
        bar = new cliProgress.SingleBar(
          { stream: to, format, hideCursor: true, clearOnComplete: true },
          cliProgress.Presets.shades_classic,
        )
        bar.start(total ?? 0, properties, { partner })
      }
      if (total !== undefined) bar.setTotal(total)
      bar.update(properties, { partner })
    },
    stop(): void {
      bar?.stop()
      bar = undefined
    },
  }
}
