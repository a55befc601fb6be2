import type { PropertyAsSent } from '../property.ts'
import type { Message, Rule } from './rule.ts'
import { absence, inOrder } from './wording.ts'

/** Mexico with its islands, degrees, limits included. */
const SOUTH = 14.3
const NORTH = 32.8
const WEST = -118.7
const EAST = -86.5

function isDegrees(value: unknown, limit: number): value is number {
  return typeof value === 'number' && value >= -limit && value <= limit
}

function isMexico(latitude: number, longitude: number): boolean {
  return latitude >= SOUTH && latitude <= NORTH && longitude >= WEST && longitude <= EAST
}

export const COORDINATE_RULES: readonly Rule[] = [
  degreesInvalid('latitude', 90, 'latitud', 194.326, 19.4326),
  degreesInvalid('longitude', 180, 'longitud', '-99.1332', -99.1332),
  {
    code: 'location_outside_mexico',
    severity: 'DRAFT',
    field: '/location',
    source: 'contract 2.1, assumption A2',
    broken: ({ latitude, longitude }) =>
      isDegrees(latitude, 90) && isDegrees(longitude, 180) && !isMexico(latitude, longitude),
    message: property =>
      inOrder(
        {
          es: 'Las coordenadas de location quedan fuera de México.',
          en: 'The coordinates of location lie outside Mexico.',
        },
        placeHint(property) ?? {
          es: 'Revise latitude (14.3 a 32.8) y longitude (−118.7 a −86.5, con signo menos).',
          en: 'Check latitude (14.3 to 32.8) and longitude (−118.7 to −86.5, with a minus sign).',
        },
      ),
    bad: { latitude: -87.0739, longitude: 20.6296 },
    good: { latitude: 20.6296, longitude: -87.0739 },
  },
]

/** What went wrong on the way, where the numbers tell. */
function placeHint({ latitude, longitude }: PropertyAsSent): Message | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (latitude === 0 && longitude === 0) {
    return {
      es: 'Llegaron como 0, 0: parece que el CRM no tiene la ubicación. Capture las coordenadas reales.',
      en: 'They came as 0, 0: the CRM seems to have no position. Enter the real coordinates.',
    }
  }
  if (isMexico(longitude, latitude)) {
    return {
      es: 'latitude y longitude parecen invertidas. Intercámbielas.',
      en: 'latitude and longitude seem to be swapped. Exchange them.',
    }
  }
  if (isMexico(latitude, -longitude)) {
    return {
      es: 'A longitude le falta el signo menos: en México es negativa.',
      en: 'longitude lacks its minus sign: in Mexico it is negative.',
    }
  }
  return undefined
}

function degreesInvalid(name: 'latitude' | 'longitude', limit: number, es: string, bad: unknown, good: number): Rule {
  return {
    code: `${name}_invalid`,
    severity: 'BLOCK',
    field: `/location/${name}`,
    source: 'contract 2.1',
    broken: property => !isDegrees(property[name], limit),
    message: property => {
      const value = property[name]
      if (typeof value === 'number') {
        return inOrder(
          {
            es: `location.${name} está fuera del rango de −${limit} a ${limit} grados.`,
            en: `location.${name} is outside the range of −${limit} to ${limit} degrees.`,
          },
          placeHint(property) ?? { es: `Corrija la ${es}.`, en: `Correct the ${name}.` },
        )
      }
      return inOrder(absence(`location.${name}`, property.location, value), {
        es: `Envíe la ${es} como número decimal en grados, sin comillas.`,
        en: `Send the ${name} as a decimal number of degrees, without quotes.`,
      })
    },
    bad,
    good,
  }
}
