import { readFileSync } from 'node:fs'
import { LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { PredioError } from '../schemas/errors.ts'

/**
 * The partner file (design section 11), checked whole: every mistake is reported with its path, secrets stand in it
 * only by reference. Durations come out in milliseconds.
 */
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Three intervals must fit into a timer (2^31 ms); whoever wants a longer one wants another tool. */
const LONGEST_MS = 7 * UNITS_MS.d

/** Whole milliseconds: a request's timeout takes no others. */
const durationFrom = (leastMs: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(s|m|h|d)$/, 'must be a duration such as 30s, 5m or 1h')
    .transform(text => Math.round(Number.parseFloat(text) * UNITS_MS[text.at(-1) as keyof typeof UNITS_MS]))
    .refine(ms => ms >= leastMs && ms <= LONGEST_MS, `must be ${leastMs / 1_000}s to 7d`)

const secret = z
  .string()
  .regex(/^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/, 'must be env:NAME or file:PATH, never the secret itself')

/** Headers that carry the request itself: a credential in one of them would break it. */
const OWN_HEADERS = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive'],
  ...['transfer-encoding', 'upgrade', 'user-agent'],
])
const header = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name')
  .refine(name => !OWN_HEADERS.has(name.toLowerCase()), 'is a header of the request itself')

const auth = z.union(
  [z.strictObject({ header, secret }), z.strictObject({ scheme: z.literal('bearer'), secret })],
  'must be { header: x-api-key, secret: env:NAME } or { scheme: bearer, secret: env:NAME }',
)

const baseUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (isHttp && `${url.username}${url.password}${url.search}${url.hash}` === '') {
    return url.origin + url.pathname.replace(/\/+$/, '')
  }
  context.addIssue(isHttp ? 'must not carry a user, a query or a fragment' : 'must be an http(s) URL')
  return z.NEVER
})

const partner = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, 'must be 1 to 40 of a-z, 0-9 and inner hyphens'),
    base_url: baseUrl,
    auth,
    every: durationFrom(1_000).default(UNITS_MS.h),
    page_size: z.int().min(1).max(10_000).default(200),
    requests_per_minute: z.number().positive().max(6_000_000).default(60),
    request_timeout: durationFrom(100).default(300_000),
    cycle_timeout: durationFrom(1_000).default(6 * UNITS_MS.h),
    overlap: durationFrom(0).default(300_000),
    language: z.enum(['es', 'en']).default('es'),
    allow_private: z.boolean().default(false),
    webhook: z.strictObject({ path: z.string().startsWith('/'), secret }).optional(),
  })
  .refine(({ base_url, allow_private }) => allow_private === true || base_url.startsWith('https:'), {
    path: ['base_url'],
    error: 'must be https unless allow_private is true',
    when: ({ value }) => typeof (value as { base_url?: unknown } | null)?.base_url === 'string', // other mistakes or not
  })

const file = z.strictObject({
  partners: z
    .array(partner)
    .min(1)
    .superRefine(
      (all, context) => {
        const ids = all.map(each => each?.id)
        ids.forEach((id, index) => {
          if (id !== undefined && ids.indexOf(id) < index) {
            context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is the id of another partner already' })
          }
        })
      },
      { when: ({ value }) => Array.isArray(value) }, // other mistakes or not
    ),
})

/** One partner of the file. Times are milliseconds. */
export type Partner = Readonly<z.output<typeof partner>>

export interface Mistake {
  /** Such as `partners[0].base_url`. */
  readonly path: string
  /** Line in the file, from 1; undefined where the place is missing altogether. */
  readonly line: number | undefined
  readonly message: string
}

/** @throws CONFIG_UNREADABLE, CONFIG_INVALID with every mistake in its `cause` as a list */
export function readPartners(path: string): readonly Partner[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new PredioError('CONFIG_UNREADABLE', { file: path, reason: (cause as NodeJS.ErrnoException).code }, { cause })
  }
  const { partners, mistakes } = parsePartners(text)
  if (mistakes.length > 0) {
    const listed = mistakes.map(mistake => mistakeText(path, mistake)).join('; ')
    throw new PredioError('CONFIG_INVALID', { file: listed }, { cause: mistakes })
  }
  return partners
}

export const mistakeText = (path: string, { line, path: place, message }: Mistake): string =>
  [line === undefined ? path : `${path}:${line}`, place, message].filter(part => part !== '').join(' ')

/** YAML and JSON alike, since JSON is YAML. */
export function parsePartners(text: string): { partners: readonly Partner[]; mistakes: readonly Mistake[] } {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, logLevel: 'error' }) // its warnings would quote the file
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(({ message, linePos }) => {
      return { path: '', line: linePos?.[0].line, message: withoutQuote(message) }
    })
    return { partners: [], mistakes }
  }
  let content: unknown
  try {
    content = document.toJS()
  } catch {
    return { partners: [], mistakes: [{ path: '', line: undefined, message: 'its aliases cannot be resolved' }] }
  }
  const parsed = file.safeParse(content)
  if (parsed.success) return { partners: parsed.data.partners, mistakes: [] }
  const mistakes = parsed.error.issues.map(issue => {
    const node = document.getIn(issue.path as (string | number)[], true) as Node | undefined
    const offset = node?.range?.[0]
    return {
      path: z.core.toDotPath(issue.path),
      line: offset === undefined ? undefined : lineCounter.linePos(offset).line,
      message: issue.message,
    }
  })
  return { partners: [], mistakes }
}

/** The parser's word without its place and without what it quotes: a secret pasted into the file must not be shown. */
const withoutQuote = (message: string): string => message.split('\n')[0]!.replace(/ at line.*|(?<=\S): .*/, '')

/** What an HTTP header may carry: visible ASCII. Anything else would break the request or show the secret in its error. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/**
 * The secret behind a reference.
 *
 * @param reference `env:NAME` or `file:PATH`; a file's trailing newline is not part of the secret
 * @throws CONFIG_INVALID naming the reference, never the value
 */
export function resolveSecret(reference: string, variables: NodeJS.ProcessEnv): string {
  const value = reference.startsWith('env:') ? variables[reference.slice(4)] : secretFile(reference.slice(5))
  if (value === undefined || value === '')
    throw new PredioError('CONFIG_INVALID', { secret: reference, reason: 'is not set' })
  if (!VISIBLE_ASCII.test(value)) {
    throw new PredioError('CONFIG_INVALID', { secret: reference, reason: 'holds other characters than visible ASCII' })
  }
  return value
}

function secretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch {
    return undefined
  }
}
