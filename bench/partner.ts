import { createServer } from 'node:http'
import { catalogueOf } from '../examples/partner-crm/listings.mjs'
import { FEED_PATHS } from '../schemas/feeds.ts'

/**
 * A partner that costs next to nothing, so that what is measured is Predio: bodies are serialized once for a few
 * thousand listings and served over and over under growing ids. Run as a process of its own.
 *
 * Any path before the feeds' own is a partner of its own with the same listings.
 *
 *   node bench/partner.ts <listings>      prints READY <url>; GET /first answers when the first request came
 */
const DISTINCT = 5_000

const count = Number(process.argv[2] ?? 100_000)
const bodies = bodiesOf()
let firstRequestMs = 0

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const url = new URL(request.url ?? '/', 'http://partner')
  if (url.pathname === '/first') return response.end(String(firstRequestMs))
  firstRequestMs ||= Date.now()
  const body = url.pathname.endsWith(FEED_PATHS.deletions) ? deletions() : page(url.pathname, url.searchParams)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  return response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`READY http://127.0.0.1:${port}`)
})
process.once('disconnect', () => process.exit(0))

function deletions(): string {
  return JSON.stringify({ deleted_ids: [], since: null, generated_at: new Date().toISOString() })
}

function page(path: string, query: URLSearchParams): string {
  const offset = Number(query.get('offset'))
  const limit = Number(query.get('limit'))
  const end = query.has('updated_since') ? 0 : Math.min(offset + limit, count)
  const elements: string[] = []
  for (let index = offset; index < end; index++) {
    elements.push(`{"external_id":"BENCH-${String(index).padStart(9, '0')}"${bodies[index % bodies.length]}`)
  }
  const next = end > 0 && end < count ? `${path}?offset=${end}&limit=${limit}` : null
  return `{"data":[${elements.join(',')}],"meta":{"next":${JSON.stringify(next)},"total_count":${end === 0 ? 0 : count}}}`
}

/** Listings without their opening and id: what follows `{"external_id":"..."`. */
function bodiesOf(): string[] {
  const catalogue = catalogueOf({ count: DISTINCT, seed: 7 })
  return [...catalogue.entries.values()].map(({ listing }) => {
    const { external_id: _, ...rest } = listing
    return `,${JSON.stringify(rest).slice(1)}`
  })
}
