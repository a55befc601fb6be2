import type { PostalCodes } from '../postal-codes.ts'
import type { PropertyAsSent } from '../property.ts'
import { stateNamed } from '../states.ts'
import { isBlank } from '../text.ts'
import type { Message, Rule } from './rule.ts'
import { absence, echo, inOrder } from './wording.ts'

const FIVE_DIGITS = /^\d{5}$/
const FOUR_DIGITS = /^\d{4}$/

/** Rules of the address; whether a postal code exists and where it lies is the list's word. */
export function addressRules(postalCodes: PostalCodes): readonly Rule[] {
  /** The code, where its form is right and some state has such codes. */
  const wellFormed = ({ postal_code }: PropertyAsSent): string | undefined =>
    typeof postal_code === 'string' && FIVE_DIGITS.test(postal_code) && postalCodes.stateOf(postal_code) !== undefined
      ? postal_code
      : undefined

  return [
    textMissing('street', { es: 'la calle', en: 'the street' }, 'Av. Paseo de la Reforma 100'),
    textMissing('city', { es: 'la ciudad', en: 'the city' }, 'Ciudad de México'),
    textMissing('state', { es: 'el estado', en: 'the state' }, 'Ciudad de México'),
    {
      code: 'state_unknown',
      severity: 'DRAFT',
      field: '/location/state',
      source: 'contract 2.1, assumption A2',
      broken: ({ state }) => typeof state === 'string' && !isBlank(state) && stateNamed(state) === undefined,
      message: ({ state }) => ({
        es: `location.state es ${echo(state)}, que no es ninguno de los 32 estados. Envíe el nombre del estado, no el del municipio ni el del país.`,
        en: `location.state is ${echo(state)}, which is none of Mexico’s 32 states. Send the name of the state, not of the municipality or the country.`,
      }),
      bad: 'Monterrey',
      good: 'CDMX',
    },
    {
      code: 'postal_code_malformed',
      severity: 'BLOCK',
      field: '/location/postal_code',
      source: 'contract 2.1',
      broken: property => wellFormed(property) === undefined,
      message: property => postalCodeHint(property, postalCodes),
      bad: '6600',
      good: '06600',
    },
    {
      // Says something else than `postal_code_not_in_state`: a wrong digit can be both, and either may be configured to block.
      code: 'postal_code_unknown',
      severity: 'DRAFT',
      field: '/location/postal_code',
      source: 'contract 2.1, assumption A2',
      broken: property => {
        const code = wellFormed(property)
        return code !== undefined && !postalCodes.known(code)
      },
      message: ({ postal_code }) => ({
        es: `location.postal_code ${echo(postal_code)} no aparece en el catálogo de códigos postales. Revise que sea el del inmueble.`,
        en: `location.postal_code ${echo(postal_code)} is not in the list of postal codes. Check that it is the property’s own.`,
      }),
      bad: '06601',
      good: '06600',
    },
    {
      code: 'postal_code_not_in_state',
      severity: 'DRAFT',
      field: '/location/postal_code',
      source: 'contract 2.1, assumption A2',
      broken: property => {
        const code = wellFormed(property)
        if (code === undefined || typeof property.state !== 'string') return false
        const state = stateNamed(property.state)
        return state !== undefined && state !== postalCodes.stateOf(code)
      },
      message: property => {
        const state = postalCodes.stateOf(property.postal_code as string)
        return {
          es: `location.postal_code ${echo(property.postal_code)} es de ${state}, pero location.state es ${echo(property.state)}. Corrija uno de los dos.`,
          en: `location.postal_code ${echo(property.postal_code)} belongs to ${state}, but location.state is ${echo(property.state)}. Correct one of them.`,
        }
      },
      bad: '44100',
      good: '06600',
    },
  ]
}

function textMissing(name: 'street' | 'city' | 'state', title: Message, good: string): Rule {
  return {
    code: `${name}_missing`,
    severity: 'BLOCK',
    field: `/location/${name}`,
    source: 'contract 2.1',
    broken: property => {
      const value = property[name]
      return typeof value !== 'string' || isBlank(value)
    },
    message: property =>
      inOrder(absence(`location.${name}`, property.location, property[name]), {
        es: `Envíe ${title.es} como texto.`,
        en: `Send ${title.en} as text.`,
      }),
    bad: '  ',
    good,
  }
}

function postalCodeHint({ location, postal_code }: PropertyAsSent, postalCodes: PostalCodes): Message {
  const text = typeof postal_code === 'number' ? String(postal_code) : postal_code
  if (typeof text !== 'string' || isBlank(text)) {
    return inOrder(absence('location.postal_code', location, postal_code), {
      es: 'Envíe el código postal como texto de cinco dígitos.',
      en: 'Send the postal code as text of five digits.',
    })
  }
  const found: Message =
    typeof postal_code === 'number'
      ? { es: `llegó como número (${echo(postal_code)})`, en: `came as a number (${echo(postal_code)})` }
      : { es: `es ${echo(text)}`, en: `is ${echo(text)}` }
  const restored = `0${text}`
  if (FOUR_DIGITS.test(text) && postalCodes.stateOf(restored) !== undefined) {
    return {
      es: `location.postal_code ${found.es}: se perdió el cero inicial. Envíelo como texto: "${restored}".`,
      en: `location.postal_code ${found.en}: its leading zero was lost. Send it as text: "${restored}".`,
    }
  }
  const mend: Message =
    typeof postal_code === 'string' && FIVE_DIGITS.test(text)
      ? {
          es: `Ningún código postal de México empieza con ${text.slice(0, 2)}. Corríjalo.`,
          en: `No postal code of Mexico begins with ${text.slice(0, 2)}. Correct it.`,
        }
      : {
          es: 'Debe ser texto de exactamente cinco dígitos, sin espacios ni letras.',
          en: 'It must be text of exactly five digits, without blanks or letters.',
        }
  return {
    es: `location.postal_code ${found.es}. ${mend.es}`,
    en: `location.postal_code ${found.en}. ${mend.en}`,
  }
}
