import type { Message } from './rule.ts'
import { asType, echo, folded } from './wording.ts'

/** Words of homes, Spanish and English, as CRMs write them. Residential properties are not published (contract 1.7). */
const HOME =
  /\b(?:casas?|departamentos?|depas?|depto|viviendas?|residenci\w*|residential|habitacional|habitacion(?:es)?|recamaras?|cuartos?|duplex|pent ?house|condos?|condominios?|villas?|cabanas?|house|home|apartments?|flat|townhouse|bedrooms?)\b/

/**
 * Words that name a family, the most telling first: a "terreno industrial" is land, a "local en edificio" is retail, an
 * "edificio industrial" is industrial. An "edificio" without more is taken for offices.
 */
const FAMILIES: readonly (readonly [family: string, es: string, word: RegExp])[] = [
  ['terrain', 'terrenos y lotes', /\b(?:terrenos?|terrain|lotes?|lots?|land|predios?|solar(?:es)?|parcelas?|plots?)\b/],
  [
    'retail',
    'locales y plazas comerciales',
    /\b(?:retail|local(?:es)?|tiendas?|plazas?|shops?|shopping|stores?|malls?|comercio|showroom|restaurantes?|islas?|kioscos?)\b/,
  ],
  [
    'industrial',
    'naves, bodegas y almacenes',
    /\b(?:industrial(?:es)?|industria|naves?|bodegas?|warehouses?|almacen(?:es)?|galpon(?:es)?|galeron(?:es)?|cedis|fabricas?|factory|logistic\w*|distribucion|distribution)\b/,
  ],
  [
    'office',
    'oficinas, consultorios y edificios de oficinas',
    /\b(?:offices?|oficinas?|consultorios?|despachos?|coworking|corporativ[ao]s?|edificios?|buildings?|torres?)\b/,
  ],
]

/** What to send instead of an unknown `property_type`. */
export function familyHint(propertyType: unknown): Message {
  if (typeof propertyType !== 'string') {
    const type = asType(propertyType)
    return {
      es: `property_type ${type.es}. Envíe uno de estos textos: office, retail, industrial o terrain.`,
      en: `property_type ${type.en}. Send one of these texts: office, retail, industrial or terrain.`,
    }
  }
  const words = folded(propertyType)
  if (HOME.test(words)) {
    return {
      es: `property_type es ${echo(propertyType)}: las propiedades residenciales no se publican. Quítela de la selección o, si es comercial, envíe office, retail, industrial o terrain.`,
      en: `property_type is ${echo(propertyType)}: residential properties are not published. Take it out of the selection or, if it is commercial, send office, retail, industrial or terrain.`,
    }
  }
  const family = FAMILIES.find(([, , word]) => word.test(words))
  if (family === undefined) {
    return {
      es: `property_type es ${echo(propertyType)}. Debe ser office (oficinas), retail (locales), industrial (naves y bodegas) o terrain (terrenos).`,
      en: `property_type is ${echo(propertyType)}. It must be office, retail, industrial (warehouses, plants) or terrain (land).`,
    }
  }
  const [name, es] = family
  return words === name
    ? {
        es: `property_type es ${echo(propertyType)}. Envíe exactamente "${name}", en minúsculas y sin espacios.`,
        en: `property_type is ${echo(propertyType)}. Send exactly "${name}", in lower case and without blanks.`,
      }
    : {
        es: `property_type es ${echo(propertyType)}, un subtipo que el marketplace no conoce. Envíe "${name}" (${es}).`,
        en: `property_type is ${echo(propertyType)}, a subtype that the marketplace does not know. Send "${name}".`,
      }
}
