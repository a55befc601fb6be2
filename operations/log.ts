import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'

/** Never in a log line, whatever object it came with (trap S6). */
const SECRETS = [
  'password',
  'secret',
  'authorization',
  'apiKey',
  '*.password',
  '*.secret',
  '*.authorization',
  '*["x-api-key"]',
]

type Output = typeof process.stdout | typeof process.stderr

/**
 * JSON lines on standard output, one event name for each thing that happens; readable lines on a terminal.
 *
 * @param level `LOG_LEVEL`
 */
export function openLog(level = 'info', to: Output = process.stdout): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS, censor: '[redacted]' },
  }
  if (!to.isTTY) return pino(options, pino.destination({ fd: to.fd, sync: true }))
  return pino(options, pretty({ destination: to.fd, sync: true, colorize: !process.env.NO_COLOR, messageKey: 'event' }))
}
