import { EXTERNAL_ID_MAX_BYTES, isUsableExternalId } from '../../../schemas/ids.ts'
import { familyHint } from './property-types.ts'
import type { Message, Rule } from './rule.ts'
import { asType, echo, folded } from './wording.ts'

/** Families that the marketplace publishes (contract 1.8). */
export const PROPERTY_TYPES: ReadonlySet<unknown> = new Set(['office', 'retail', 'industrial', 'terrain'])
export const MODALITIES: ReadonlySet<unknown> = new Set(['rent', 'sale', 'rent_and_sale'])

const RENT_WORD = /\b(?:rent\w*|lease\w*|alquiler\w*|arrend\w*|arriendo)\b/
const SALE_WORD = /\b(?:sale|sell\w*|vent\w*|vend\w*|compra\w*)\b/

export const IDENTITY_RULES: readonly Rule[] = [
  {
    code: 'external_id_missing',
    severity: 'BLOCK',
    field: '/external_id',
    source: 'contract 2.1, assumption A12',
    broken: ({ external_id }) => typeof external_id !== 'string' || external_id === '',
    message: ({ external_id }) => {
      const type = external_id === '' ? { es: 'está vacío', en: 'is empty' } : asType(external_id)
      return {
        es: `external_id ${type.es}. Envíe el identificador único de la propiedad en su CRM, como texto entre comillas.`,
        en: `external_id ${type.en}. Send the property’s unique identifier in your CRM, as quoted text.`,
      }
    },
    bad: 4711,
    good: '4711',
  },
  {
    code: 'external_id_unusable',
    severity: 'BLOCK',
    field: '/external_id',
    source: 'contract 2.1, assumption A12',
    broken: ({ external_id }) =>
      typeof external_id === 'string' && external_id !== '' && !isUsableExternalId(external_id),
    message: ({ external_id }) =>
      Buffer.byteLength(external_id as string) > EXTERNAL_ID_MAX_BYTES
        ? {
            es: `external_id es demasiado largo. Use a lo más ${EXTERNAL_ID_MAX_BYTES} bytes en UTF-8.`,
            en: `external_id is too long. Use at most ${EXTERNAL_ID_MAX_BYTES} bytes of UTF-8.`,
          }
        : {
            es: 'external_id contiene caracteres que no se pueden leer (saltos de línea, tabuladores u otros de control). Quítelos.',
            en: 'external_id holds unreadable characters (line breaks, tabs or other control characters). Remove them.',
          },
    bad: 'CRM-1\n',
    good: 'CRM-1',
  },
  {
    code: 'property_type_unknown',
    severity: 'BLOCK',
    field: '/property_type',
    source: 'contract 1.7, 1.8, 2.1',
    broken: ({ property_type }) => !PROPERTY_TYPES.has(property_type),
    message: ({ property_type }) => familyHint(property_type),
    bad: 'bodega',
    good: 'industrial',
  },
  {
    code: 'modality_unknown',
    severity: 'BLOCK',
    field: '/modality',
    source: 'contract 2.1',
    broken: ({ modality }) => !MODALITIES.has(modality),
    message: ({ modality }) => modalityHint(modality),
    bad: 'renta',
    good: 'rent',
  },
]

function modalityHint(modality: unknown): Message {
  if (typeof modality !== 'string') {
    const type = asType(modality)
    return {
      es: `modality ${type.es}. Envíe uno de estos textos: rent (renta), sale (venta) o rent_and_sale (ambas).`,
      en: `modality ${type.en}. Send one of these texts: rent, sale or rent_and_sale.`,
    }
  }
  const words = folded(modality)
  const isRent = RENT_WORD.test(words)
  const isSale = SALE_WORD.test(words)
  const meant = isRent && isSale ? 'rent_and_sale' : isRent ? 'rent' : isSale ? 'sale' : undefined
  return meant === undefined
    ? {
        es: `modality es ${echo(modality)}. Debe ser rent (renta), sale (venta) o rent_and_sale (ambas).`,
        en: `modality is ${echo(modality)}. It must be rent, sale or rent_and_sale.`,
      }
    : {
        es: `modality es ${echo(modality)}. Envíe exactamente "${meant}", en minúsculas.`,
        en: `modality is ${echo(modality)}. Send exactly "${meant}", in lower case.`,
      }
}
