import { ERRORS } from './error-table.ts'

export type ErrorCode = keyof typeof ERRORS
/** Ids, statuses, paths, waits. Never a credential, never a body. */
export type ErrorContext = Readonly<Record<string, string | number | boolean | null | undefined>>

export class PredioError extends Error {
  readonly code: ErrorCode
  readonly retriable: boolean
  readonly exitCode: 1 | 2 | 3
  readonly context: ErrorContext

  constructor(code: ErrorCode, context: ErrorContext = {}, options?: ErrorOptions) {
    const { text, mend, retriable, exit } = ERRORS[code]
    super(`${text}${inWords(context)}: ${mend}.`, options)
    this.name = 'PredioError'
    this.code = code
    this.retriable = retriable
    this.exitCode = exit
    this.context = context
  }

  static is(error: unknown, code?: ErrorCode): error is PredioError {
    return error instanceof PredioError && (code === undefined || error.code === code)
  }
}

function inWords(context: ErrorContext): string {
  const parts = Object.entries(context)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${value}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** One line for a person: our own errors say what and how to mend it, others at least what. */
export function sentenceOf(error: unknown): string {
  if (PredioError.is(error)) return `${error.message} [${error.code}]`
  return error instanceof Error ? error.message : String(error)
}
