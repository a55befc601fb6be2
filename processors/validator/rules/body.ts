import { EXAMPLE_PROPERTY } from './example.ts'
import type { Rule } from './rule.ts'
import { asType } from './wording.ts'

/** A body that holds no property at all breaks one of these and is asked nothing else. */
export const BODY_RULES: readonly Rule[] = [
  {
    code: 'property_unreadable',
    severity: 'BLOCK',
    field: '',
    source: 'contract 1 (prerequisites: JSON)',
    broken: ({ whole }) => whole === 'unreadable',
    message: () => ({
      es: 'Este registro no es JSON válido y no se pudo leer. Envíe cada propiedad como un objeto JSON completo.',
      en: 'This record is not valid JSON and could not be read. Send each property as one complete JSON object.',
    }),
    bad: '{"external_id": "CRM-1"',
    good: JSON.stringify(EXAMPLE_PROPERTY),
  },
  {
    code: 'property_not_an_object',
    severity: 'BLOCK',
    field: '',
    source: 'assumption A12',
    broken: ({ whole }) => whole === 'other',
    message: ({ sent }) => {
      const type = asType(sent)
      return {
        es: `Un elemento de data ${type.es}. Envíe cada propiedad como un objeto JSON con sus campos (external_id, property_type…).`,
        en: `An element of data ${type.en}. Send each property as a JSON object with its fields (external_id, property_type…).`,
      }
    },
    bad: '"CRM-1"',
    good: JSON.stringify(EXAMPLE_PROPERTY),
  },
]
