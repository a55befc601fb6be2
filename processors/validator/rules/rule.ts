import type { Severity } from '../../../schemas/verdict.ts'
import type { PropertyAsSent } from '../property.ts'

/** A rule is data, one pure predicate, and words for the person who has to mend it. */
export interface Rule {
  readonly code: string
  readonly severity: Severity
  /** JSON Pointer (RFC 6901) into the property; '' for the property as a whole. */
  readonly field: string
  /** Contract section, or the assumption where the contract is silent. */
  readonly source: string
  readonly broken: (property: PropertyAsSent) => boolean
  /** What was found and how to mend it. Called only for a property that breaks the rule. Never holds a contact's data. */
  readonly message: (property: PropertyAsSent) => Message
  /** What stands at `field` of an otherwise good property; where `field` is '', the text of the whole body. */
  readonly bad: unknown
  readonly good: unknown
}

export interface Message {
  /** Spanish of Mexico. */
  readonly es: string
  readonly en: string
}
