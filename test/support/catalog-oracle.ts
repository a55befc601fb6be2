import { loadPostalCodes } from '../../data/postal-codes.ts'
import type { Entry } from '../../examples/partner-crm/listings.mjs'
import { ruleBook } from '../../processors/validator/rules/rule-book.ts'
import type { Route, Severity } from '../../schemas/verdict.ts'
import type { CatalogRow } from './pipeline.ts'

const SEVERITY_OF = new Map<string, Severity>(
  ruleBook({ postalCodes: loadPostalCodes() }).rules.map(({ code, severity }) => [code, severity]),
)

/** Where an entry must go by the rules that it was made to break, whatever the validator thinks of it. */
export function routeOfEntry({ breaks }: Entry): Route {
  const severities = breaks.map(code => SEVERITY_OF.get(code))
  if (severities.includes('BLOCK')) return 'rejected'
  return severities.includes('DRAFT') ? 'draft' : 'accepted'
}

export const ofRoute = (entries: readonly Entry[], route: Route): Entry[] =>
  entries.filter(entry => routeOfEntry(entry) === route)

/** How many of the entries go where. */
export function countsOf(entries: readonly Entry[]): Record<Route, number> {
  const count = (route: Route) => ofRoute(entries, route).length
  return { accepted: count('accepted'), draft: count('draft'), rejected: count('rejected') }
}

/** What the catalog shows of a property: its status and the partner's own words. */
export type Shown = Pick<CatalogRow, 'status' | 'body'>

/** What the catalog must show once the entries, and nothing else, have come through: the rejected are absent. */
export function shownOf(entries: readonly Entry[]): Map<string, Shown> {
  const shown = (status: string, route: Route) =>
    ofRoute(entries, route).map(({ key, listing: body }): [string, Shown] => [key, { status, body }])
  return new Map([...shown('published', 'accepted'), ...shown('draft', 'draft')])
}

/** The same of the rows that are there. */
export const shownIn = (rows: ReadonlyMap<string, CatalogRow>): Map<string, Shown> =>
  new Map([...rows].map(([id, { status, body }]) => [id, { status, body }]))
