import { parseArgs } from 'node:util'

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const LONGEST_TIMER_MS = 2 ** 31 - 1
const text = fallback => ({ type: 'string', default: fallback })

function wholeNumber(values, flag, most) {
  const number = /^\d+$/.test(values[flag]) ? Number(values[flag]) : Number.NaN
  if (number <= most) return number
  throw new Error(`--${flag} must be a whole number from 0 to ${most}, not ${values[flag]}.`)
}

function durationMs(values, flag) {
  if (values[flag] === '0') return 0
  const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(values[flag]) ?? []
  const ms = Number(amount) * UNIT_MS[unit]
  if (ms <= LONGEST_TIMER_MS) return ms
  throw new Error(`--${flag} must be like 500ms, 5s or 10m, or 0 for never, not ${values[flag]}.`)
}

function optionsOf(args, env) {
  const { values } = parseArgs({
    args,
    options: {
      port: text('4000'),
      'api-key': text(env.API_KEY ?? ''),
      'base-url': text(''), // the address that partners see, where a proxy stands in front
      listings: text('1000'),
      'change-every': text('0'),
      seed: text('1'),
    },
  })
  if (values['api-key'] === '')
    throw new Error('Set API_KEY: the secret that the marketplace service sends as x-api-key.')
  return {
    apiKey: values['api-key'],
    baseUrl: values['base-url'].replace(/\/+$/, ''),
    port: wholeNumber(values, 'port', 65_535),
    listings: wholeNumber(values, 'listings', 1_000_000),
    changeEveryMs: durationMs(values, 'change-every'),
    seed: wholeNumber(values, 'seed', 2 ** 32 - 1),
  }
}

/** From the command line; a mistake there ends the process with one sentence. */
export function readOptions() {
  try {
    return optionsOf(process.argv.slice(2), process.env)
  } catch (error) {
    console.error(error.message)
    return process.exit(2)
  }
}
