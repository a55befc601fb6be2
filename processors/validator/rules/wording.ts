import { isObject } from '../property.ts'
import { isBlank } from '../text.ts'
import type { Message } from './rule.ts'

const LONGEST_ECHO = 40

/**
 * A value as sent, fit for a sentence: short, well-formed, without control, format or line-separating characters. Not for
 * a contact's name, e-mail address or telephone number: those never stand in a message.
 */
export function echo(value: unknown): string {
  if (typeof value !== 'string') return isObject(value) ? '{…}' : Array.isArray(value) ? '[…]' : String(value)
  // Cut by units before the costly part, by whole characters after it.
  const printable = value
    .slice(0, 4 * LONGEST_ECHO)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  const characters = [...printable]
  if (characters.length <= LONGEST_ECHO && value.length <= 4 * LONGEST_ECHO) return `"${printable}"`
  return `"${characters.slice(0, LONGEST_ECHO).join('')}…"`
}

/** A word in any case, with or without accents, words parted by single blanks: for hints, never for a verdict. */
export function folded(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .slice(0, 100)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9$]+/g, ' ')
    .trim()
}

/** The JSON type of a value: "llegó como número", "came as a number". */
export function asType(value: unknown): Message {
  if (value === undefined) return { es: 'no llegó', en: 'is missing' }
  if (value === null) return { es: 'llegó como null', en: 'came as null' }
  if (Array.isArray(value)) return { es: 'llegó como lista', en: 'came as a list' }
  return TYPES[typeof value] ?? { es: 'llegó como objeto', en: 'came as an object' }
}

const TYPES: Readonly<Record<string, Message>> = {
  string: { es: 'llegó como texto', en: 'came as text' },
  number: { es: 'llegó como número', en: 'came as a number' },
  boolean: { es: 'llegó como booleano', en: 'came as a boolean' },
}

/** What is wrong with a parent that came and is no object. */
export function objectExpected(name: string, parent: unknown): Message | undefined {
  if (parent === undefined || isObject(parent)) return undefined
  const type = asType(parent)
  return { es: `${name} ${type.es} y debe ser un objeto.`, en: `${name} ${type.en} and must be an object.` }
}

/**
 * What is wrong with a field that should hold text or a number: its parent is no object, or it is missing, blank or of
 * another JSON type.
 *
 * @param name with its parent, as in the contract: `location.street`
 */
export function absence(name: string, parent: unknown, value: unknown): Message {
  const [parentName = ''] = name.split('.')
  const missing = { es: `Falta ${name}.`, en: `${name} is missing.` }
  const fault = objectExpected(parentName, parent)
  if (fault !== undefined) return inOrder(missing, fault)
  if (value === undefined) return missing
  if (typeof value === 'string' && isBlank(value)) {
    return { es: `${name} está vacío.`, en: `${name} is empty.` }
  }
  const type = asType(value)
  return { es: `${name} ${type.es}.`, en: `${name} ${type.en}.` }
}

/** Two sentences in a row. (Not named `then`: a module that exports that is a thenable, and importing it never ends.) */
export function inOrder(first: Message, second: Message): Message {
  return { es: `${first.es} ${second.es}`, en: `${first.en} ${second.en}` }
}
