import type { ErrorCode } from '../../schemas/errors.ts'
import { instantOf } from '../../schemas/instant.ts'

export type NextPage =
  | { readonly kind: 'end' }
  /** `offset` of the next request: a number that grew, or the partner's own marker. */
  | {
      readonly kind: 'page'
      readonly offset: string
      /** The link names another `limit` or `updated_since` than ours, which goes on all the same. */
      readonly differs?: true
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/** Where a crawl of the property feed stands. */
export interface PagingState {
  /** Address of the feed: `meta.next` must stay on its origin and path. */
  readonly feedUrl: URL
  /** `offset` of the page just read. */
  readonly offset: string
  /** Every `offset` asked for in this crawl. */
  readonly seen: ReadonlySet<string>
  /** What was asked for besides; without it, nothing can differ. */
  readonly asked?: { readonly limit: string; readonly updated_since?: string }
}

/** A crawl of more pages than this does not end by itself: 20 million listings at 200 a page. */
export const MAX_PAGES = 100_000

/**
 * What `meta.next` means (contract 4.1 rule 4). It is never followed: only its `offset` is taken, and the next request
 * is built from `base_url`, so the credential can go nowhere else (design section 4).
 *
 * A value that is no link is a marker and is sent as `offset` (assumption A8).
 */
export function nextPage({ feedUrl, offset, seen, asked }: PagingState, next: unknown): NextPage {
  if (next === undefined || next === null || next === '') return { kind: 'end' }
  if (seen.size >= MAX_PAGES) return { kind: 'refused', code: 'PARTNER_PAGES_ENDLESS' }
  if (typeof next === 'number' && Number.isSafeInteger(next) && next >= 0) return advance(String(next), offset, seen)
  if (typeof next !== 'string' || next.length > 2_000 || !next.isWellFormed())
    return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  if (!looksLikeLink(next)) return advance(next, offset, seen)
  const url = URL.parse(next, feedUrl.href)
  if (url === null) return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  const foreign =
    url.origin !== feedUrl.origin || url.pathname !== feedUrl.pathname || url.username !== '' || url.password !== ''
  if (foreign) return { kind: 'refused', code: 'PARTNER_NEXT_FOREIGN' }
  const linked = url.searchParams.get('offset')
  if (linked === null || !/^\d{1,15}$/.test(linked)) return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  const page = advance(linked, offset, seen)
  return page.kind === 'page' && asked !== undefined && differs(url.searchParams, asked)
    ? { ...page, differs: true }
    : page
}

/**
 * What begins like a link or has a scheme or a query: `//evil`, `/\evil` and `https:evil` are links, too. A slash further
 * on makes none: half of all markers in base64 have one.
 */
const looksLikeLink = (next: string): boolean => /^[\0- ]*([/\\.#]|[a-z][a-z0-9+.-]*:)|\?|:[/\\]{2}/i.test(next)

function advance(next: string, offset: string, seen: ReadonlySet<string>): NextPage {
  const canonical = isNumber(next) ? String(Number(next)) : next // 0200 is 200, and was asked for as such
  const shrinks = isNumber(next) && isNumber(offset) && Number(next) <= Number(offset)
  if (shrinks || canonical === offset || seen.has(canonical)) return { kind: 'refused', code: 'PARTNER_NEXT_LOOP' }
  return { kind: 'page', offset: canonical }
}

/** What a link leaves out says nothing; a filter that we did not ask for does. */
function differs(link: URLSearchParams, asked: NonNullable<PagingState['asked']>): boolean {
  const [limit, since] = [link.get('limit'), link.get('updated_since')]
  return (limit !== null && limit !== asked.limit) || (since !== null && !sameInstant(since, asked.updated_since))
}

/** A partner may write it otherwise, and in a query the plus of an offset becomes a space. */
function sameInstant(since: string, asked: string | undefined): boolean {
  return since === asked || (asked !== undefined && instantOf(since.replace(' ', '+')) === instantOf(asked))
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)
