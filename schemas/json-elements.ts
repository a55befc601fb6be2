/**
 * The original text of each element of a top-level array, so that a property travels exactly as the partner wrote it:
 * `JSON.stringify` after `JSON.parse` would drop digits, duplicate keys and the partner's own spelling of numbers.
 *
 * @param text a JSON object that `JSON.parse` has accepted: nothing is checked again here
 * @param name key of the array; where a key stands twice the last one counts, as for `JSON.parse`
 */
export function elementTexts(text: string, name: string): string[] {
  let arrayAt = -1
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = afterString(text, at)
    const key: unknown = JSON.parse(text.slice(at, keyEnd))
    at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    if (key === name) arrayAt = at
    at = afterSeparator(text, afterValue(text, at))
  }
  return arrayAt === -1 ? [] : elementsFrom(text, arrayAt)
}

function elementsFrom(text: string, arrayAt: number): string[] {
  const elements: string[] = []
  let at = skipSpace(text, arrayAt + 1)
  while (text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = afterValue(text, at)
    elements.push(text.slice(at, end))
    at = afterSeparator(text, end)
  }
  return elements
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

function afterSeparator(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at
}

function afterString(text: string, quoteAt: number): number {
  let at = text.indexOf('"', quoteAt + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at + 1
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

function afterValue(text: string, from: number): number {
  let at = from
  let depth = 0
  do {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = afterString(text, at)
    else {
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--
      at++
    }
  } while (depth > 0)
  // A number, true, false or null goes on up to what ends it; everything else has ended already.
  if (at - from === 1) while (!endsScalar(text.charCodeAt(at))) at++
  return at
}

const endsScalar = (code: number): boolean =>
  code <= 0x20 || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT || Number.isNaN(code)
