// A partner CRM that obeys the ingestion contract v1.0, in plain Node: copy it, and put your database where `catalogue` is.
//   API_KEY=secret node server.mjs --port 4000 --listings 1000 --change-every 5s --seed 1
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { randomOf } from './chance.mjs'
import { catalogueOf, changeSome } from './listings.mjs'
import { readOptions } from './options.mjs'

const PROPERTIES = '/api/v1/marketplace/properties'
const DELETED = `${PROPERTIES}/deleted`
const FEEDS = new Map([
  [PROPERTIES, properties],
  [DELETED, deleted],
])
const STANDARD_LIMIT = 200 // contract 8
const MAX_LIMIT = 1_000
const MAX_OFFSET = 1_000_000_000
const CRAWLS_KEPT = 8
const KEEP_ALIVE_MS = 65_000
// A date and a time with its zone. Without a zone nobody knows which instant is meant.
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** What the client is told instead of data; `message` is one readable sentence. */
class Refusal extends Error {
  constructor(status, code, message, headers = {}) {
    super(message)
    Object.assign(this, { status, code, headers })
  }
}

const OUR_FAULT = new Refusal(500, 'internal', 'The CRM failed; its log says why.')

const options = readOptions()
const keyDigest = digest(options.apiKey)
const catalogue = catalogueOf({ count: options.listings, seed: options.seed })
/** The listings of each running crawl, by `updated_since`; the newest last. */
const crawls = new Map()
let baseUrl = options.baseUrl

/** Contract 4.1. Rows do not move between the pages of a crawl, though the catalogue may change meanwhile. */
function properties(query) {
  const updatedSince = query.get('updated_since')
  const sinceMs = timestampOf(query, 'updated_since')
  const offset = wholeNumberOf(query, 'offset', { least: 0, most: MAX_OFFSET, otherwise: 0 })
  const limit = wholeNumberOf(query, 'limit', { least: 1, most: MAX_LIMIT, otherwise: STANDARD_LIMIT })
  const rows = crawlOf(sinceMs, offset)
  const parameters = {
    ...(updatedSince === null ? {} : { updated_since: updatedSince }),
    offset: offset + limit,
    limit,
  }
  const next = offset + limit < rows.length ? `${baseUrl}${PROPERTIES}?${new URLSearchParams(parameters)}` : null
  const data = rows.slice(offset, offset + limit).map(entry => entry.listing)
  return { data, meta: { next, total_count: rows.length } }
}

/**
 * The first page fixes what the crawl will see; the further pages are cut from it. A change that comes in between has a
 * later `updated_at` and waits for the next cycle. One credential crawls at a time: a new first page starts afresh.
 */
function crawlOf(sinceMs, offset) {
  if (offset > 0 && crawls.has(sinceMs)) return crawls.get(sinceMs)
  const entries = [...catalogue.entries.values()]
  const rows = sinceMs === undefined ? entries : entries.filter(entry => entry.changedMs > sinceMs)
  crawls.delete(sinceMs)
  crawls.set(sinceMs, rows)
  if (crawls.size > CRAWLS_KEPT) crawls.delete(crawls.keys().next().value)
  return rows
}

/** Contract 4.2: all that was deleted or withdrawn from the selection since. Keep at least 30 days of it. */
function deleted(query) {
  const sinceMs = timestampOf(query, 'since') ?? Number.NEGATIVE_INFINITY
  const ids = [...catalogue.deletions].filter(([, deletedMs]) => deletedMs >= sinceMs).map(([id]) => id)
  return { deleted_ids: ids, since: ids.length > 0 ? query.get('since') : null, generated_at: new Date().toISOString() }
}

function answer({ method, url, headers }) {
  // Digests have one length, so the comparison takes the same time wherever the keys differ.
  if (!timingSafeEqual(digest(headers['x-api-key'] ?? ''), keyDigest)) {
    throw new Refusal(401, 'unauthorized', 'Send your API key in the header x-api-key.')
  }
  const [path, ...query] = url.split('?')
  const feed = FEEDS.get(path)
  if (feed === undefined) throw new Refusal(404, 'not_found', `There are two feeds: ${PROPERTIES} and ${DELETED}.`)
  if (method !== 'GET') throw new Refusal(405, 'method_not_allowed', 'The feeds are read with GET.', { allow: 'GET' })
  return feed(new URLSearchParams(query.join('?')))
}

function timestampOf(query, name) {
  const text = query.get(name)
  if (text === null) return undefined
  const day = TIMESTAMP.exec(text)?.[1]
  const ms = Date.parse(text)
  // JavaScript takes 30 February for 2 March: a day that comes back as another one does not exist.
  const exists = day !== undefined && !Number.isNaN(ms) && new Date(day).toISOString().startsWith(day)
  if (exists) return ms
  throw new Refusal(400, 'invalid_parameter', `${name} must be like 2026-01-31T12:00:00Z (in a URL, write + as %2B).`)
}

function wholeNumberOf(query, name, { least, most, otherwise }) {
  const text = query.get(name)
  if (text === null) return otherwise
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new Refusal(400, 'invalid_parameter', `${name} must be a whole number from ${least} to ${most}.`)
}

function digest(text) {
  return createHash('sha256').update(text).digest()
}

function send(response, status, body, headers = {}) {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
  response.end(text)
}

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  try {
    send(response, 200, answer(request))
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const { status, code, message, headers } = error instanceof Refusal ? error : OUR_FAULT
    send(response, status, { error: code, message }, headers)
  }
})
server.on('error', error => {
  console.error(`Cannot listen on port ${options.port}: ${error.code}. Choose another --port; 0 takes a free one.`)
  process.exit(1)
})
server.listen(options.port, '127.0.0.1', () => {
  const address = `http://127.0.0.1:${server.address().port}`
  baseUrl ||= address
  console.log(`READY ${address} listings=${catalogue.entries.size}`)
})

const random = randomOf(options.seed)
if (options.changeEveryMs > 0) setInterval(() => changeSome(catalogue, Date.now(), random), options.changeEveryMs)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
