import type { ErrorCode } from '../../schemas/errors.ts'

export type NextPage =
  | { readonly kind: 'end' }
  /** `offset` of the next request: a number that grew, or the partner's own marker. */
  | { readonly kind: 'page'; readonly offset: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/** Where a crawl of the property feed stands. */
export interface PagingState {
  /** Address of the feed: `meta.next` must stay on its origin and path. */
  readonly feedUrl: URL
  /** `offset` of the page just read. */
  readonly offset: string
  /** Every `offset` asked for in this crawl. */
  readonly seen: ReadonlySet<string>
}

/** A crawl of more pages than this does not end by itself: 20 million listings at 200 a page. */
export const MAX_PAGES = 100_000

/**
 * What `meta.next` means (contract 4.1 rule 4). It is never followed: only its `offset` is taken, and the next request
 * is built from `base_url`, so the credential can go nowhere else (design section 4).
 *
 * A value that is no link is a marker and is sent as `offset` (assumption A8).
 */
export function nextPage({ feedUrl, offset, seen }: PagingState, next: unknown): NextPage {
  if (next === undefined || next === null || next === '') return { kind: 'end' }
  if (seen.size >= MAX_PAGES) return { kind: 'refused', code: 'PARTNER_PAGES_ENDLESS' }
  if (typeof next === 'number' && Number.isSafeInteger(next) && next >= 0) return advance(String(next), offset, seen)
  if (typeof next !== 'string' || next.length > 2_000) return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  if (!looksLikeLink(next)) return advance(next, offset, seen)
  const url = URL.parse(next, feedUrl.href)
  if (url === null) return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  const foreign =
    url.origin !== feedUrl.origin || url.pathname !== feedUrl.pathname || url.username !== '' || url.password !== ''
  if (foreign) return { kind: 'refused', code: 'PARTNER_NEXT_FOREIGN' }
  const linked = url.searchParams.get('offset')
  if (linked === null || !/^\d{1,15}$/.test(linked)) return { kind: 'refused', code: 'PARTNER_NEXT_UNREADABLE' }
  return advance(linked, offset, seen)
}

/** Anything with a slash, a backslash, a scheme, or a query: `//evil`, `/\evil` and `https:evil` are links, too. */
const looksLikeLink = (next: string): boolean => /[/\\?]|^[a-z][a-z0-9+.-]*:/i.test(next)

function advance(next: string, offset: string, seen: ReadonlySet<string>): NextPage {
  const shrinks = isNumber(next) && isNumber(offset) && Number(next) <= Number(offset)
  if (shrinks || seen.has(next)) return { kind: 'refused', code: 'PARTNER_NEXT_LOOP' }
  return { kind: 'page', offset: next }
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)
