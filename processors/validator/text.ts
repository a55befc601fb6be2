const VISIBLE = /[^\s\p{C}]/u

/** Nothing that a person could see. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text)
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g
const CONTROL_OR_SURROGATE = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/

/** Text that every store takes: well-formed, no control characters (PostgreSQL refuses NUL), no blanks around it. */
export function plainText(text: string): string {
  return (CONTROL_OR_SURROGATE.test(text) ? text.toWellFormed().replace(CONTROL, ' ') : text).trim()
}
