/** What the rule book says of one property (design section 4): the reasons, all at once, and where it goes. */
export type Severity = 'BLOCK' | 'DRAFT' | 'WARN'
export type Route = 'accepted' | 'draft' | 'rejected'

/** A rule broken by a property. The messages name the field and the mend, never a contact's data. */
export interface Reason {
  readonly code: string
  readonly severity: Severity
  /** JSON Pointer (RFC 6901) into the property; '' for the property as a whole. */
  readonly field: string
  readonly message_es: string
  readonly message_en: string
}

/** Any BLOCK rejects, else any DRAFT keeps it a draft, else it is accepted; WARN never holds anything back. */
export function routeOf(reasons: readonly Reason[]): Route {
  if (reasons.some(reason => reason.severity === 'BLOCK')) return 'rejected'
  if (reasons.some(reason => reason.severity === 'DRAFT')) return 'draft'
  return 'accepted'
}
