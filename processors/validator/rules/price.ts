import type { PropertyAsSent } from '../property.ts'
import type { Message, Rule } from './rule.ts'
import { absence, asType, echo, folded, inOrder, objectExpected } from './wording.ts'

export const CURRENCIES: ReadonlySet<unknown> = new Set(['MXN', 'USD'])

const PESOS = /^(?:mxn?|mxp|mn|m n|\$|mx ?\$|pesos?(?: mexicanos?)?)$/
const DOLLARS = /^(?:usd?|us ?\$|dls|dlls?|dolar(?:es)?|dollars?)$/
/** Text that plainly is one amount: digits, thousands by comma or blank, a point before the cents. */
const AMOUNT_TEXT = /^\s*\$?\s*(\d{1,3}(?:[, ]\d{3})+|\d+)(\.\d{1,2})?\s*(?:mxn|usd|m\.?n\.?)?\s*$/i

function isAbsent(amount: unknown): boolean {
  return amount === undefined || amount === null
}

/** Present, but no amount of money. JSON has no NaN, but 1e999 reads as Infinity. */
function isNoAmount(amount: unknown): boolean {
  return !isAbsent(amount) && !(typeof amount === 'number' && Number.isFinite(amount) && amount >= 0)
}

/** Absent or 0. An amount that is none at all has its own rule. */
function isUnset(amount: unknown): boolean {
  return isAbsent(amount) || amount === 0
}

/** Rules of `price`; amounts are units of `price.currency`, pesos or dollars, not cents. */
export const PRICE_RULES: readonly Rule[] = [
  amountInvalid('rent_price'),
  amountInvalid('sale_price'),
  {
    // An amount that came as text, or negative, is reported as that and not a second time as missing.
    code: 'price_missing',
    severity: 'BLOCK',
    field: '/price',
    source: 'contract 2.1 (rule), 8',
    broken: ({ rent_price, sale_price }) => isUnset(rent_price) && isUnset(sale_price),
    message: ({ price, rent_price, sale_price }) =>
      inOrder(
        objectExpected('price', price) ??
          (rent_price === 0 || sale_price === 0
            ? { es: 'El precio es 0.', en: 'The price is 0.' }
            : { es: 'Falta el precio.', en: 'The price is missing.' }),
        {
          es: 'Envíe price.rent_price o price.sale_price como número mayor que 0; el otro puede ser null.',
          en: 'Send price.rent_price or price.sale_price as a number greater than 0; the other may be null.',
        },
      ),
    bad: { rent_price: 0, sale_price: null },
    good: { rent_price: 25_000.5, sale_price: null },
  },
  {
    code: 'currency_unknown',
    severity: 'BLOCK',
    field: '/price/currency',
    source: 'contract 2.1',
    broken: ({ currency }) => !CURRENCIES.has(currency),
    message: property => currencyHint(property),
    bad: 'mxn',
    good: 'MXN',
  },
  {
    code: 'price_not_for_modality',
    severity: 'DRAFT',
    field: '/price',
    source: 'contract 2.1, assumption A2',
    broken: property => lackingAmount(property) !== undefined,
    message: property => {
      const field = lackingAmount(property)
      const [es, en] = field === 'rent_price' ? ['renta', 'rent'] : ['venta', 'sale']
      return {
        es: `modality es ${property.modality} y falta el precio de ${es}. Envíe price.${field} como número mayor que 0, o corrija modality.`,
        en: `modality is ${property.modality} and the ${en} price is missing. Send price.${field} as a number greater than 0, or correct modality.`,
      }
    },
    bad: { rent_price: null, sale_price: 1_500_000 },
    good: { rent_price: 25_000.5, sale_price: 1_500_000 },
  },
]

/** The modality's own amount, where it is unset and the other one is not: both unset is `price_missing`. */
function lackingAmount({ modality, rent_price, sale_price }: PropertyAsSent): 'rent_price' | 'sale_price' | undefined {
  if (isUnset(rent_price)) {
    return !isUnset(sale_price) && (modality === 'rent' || modality === 'rent_and_sale') ? 'rent_price' : undefined
  }
  return isUnset(sale_price) && (modality === 'sale' || modality === 'rent_and_sale') ? 'sale_price' : undefined
}

function amountInvalid(name: 'rent_price' | 'sale_price'): Rule {
  const title = name === 'rent_price' ? { es: 'renta', en: 'rent' } : { es: 'venta', en: 'sale' }
  return {
    code: `${name}_invalid`,
    severity: 'BLOCK',
    field: `/price/${name}`,
    source: 'contract 2.1',
    broken: property => isNoAmount(property[name]),
    message: property => {
      const amount = property[name]
      if (typeof amount === 'string') return amountAsText(`price.${name}`, title, amount)
      const found: Message =
        typeof amount !== 'number'
          ? asType(amount)
          : amount < 0
            ? { es: `es negativo (${echo(amount)})`, en: `is negative (${echo(amount)})` }
            : { es: 'es demasiado grande', en: 'is too large' }
      return {
        es: `El precio de ${title.es} (price.${name}) ${found.es}. Envíe un número mayor o igual a 0, o null si no aplica.`,
        en: `The ${title.en} price (price.${name}) ${found.en}. Send a number of 0 or more, or null if there is none.`,
      }
    },
    bad: '25,000',
    good: 25_000,
  }
}

function amountAsText(field: string, title: Message, amount: string): Message {
  const [, whole, cents = ''] = AMOUNT_TEXT.exec(amount.slice(0, 40)) ?? []
  const number = whole === undefined ? undefined : whole.replace(/[, ]/g, '') + cents
  const mend: Message =
    number === undefined
      ? { es: 'Envíelo como número, o null si no aplica.', en: 'Send it as a number, or null if there is none.' }
      : {
          es: `Envíelo como número, sin comillas, comas ni símbolos: ${number}.`,
          en: `Send it as a number, without quotes, commas or symbols: ${number}.`,
        }
  return {
    es: `El precio de ${title.es} (${field}) llegó como texto: ${echo(amount)}. ${mend.es}`,
    en: `The ${title.en} price (${field}) came as text: ${echo(amount)}. ${mend.en}`,
  }
}

function currencyHint({ price, currency }: PropertyAsSent): Message {
  if (typeof currency !== 'string') {
    return inOrder(absence('price.currency', price, currency), {
      es: 'Envíe "MXN" (pesos) o "USD" (dólares).',
      en: 'Send "MXN" (pesos) or "USD" (dollars).',
    })
  }
  const words = folded(currency)
  const meant = PESOS.test(words) ? 'MXN' : DOLLARS.test(words) ? 'USD' : undefined
  return meant === undefined
    ? {
        es: `price.currency es ${echo(currency)}. Solo se aceptan "MXN" y "USD"; convierta los importes a una de las dos.`,
        en: `price.currency is ${echo(currency)}. Only "MXN" and "USD" are accepted; convert the amounts to one of them.`,
      }
    : {
        es: `price.currency es ${echo(currency)}. Envíe exactamente "${meant}", en mayúsculas.`,
        en: `price.currency is ${echo(currency)}. Send exactly "${meant}", in upper case.`,
      }
}
