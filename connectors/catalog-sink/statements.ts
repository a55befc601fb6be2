import { createHash } from 'node:crypto'
import type { Deletion } from '../../schemas/records/deletion.ts'
import type { Rejection } from '../../schemas/records/rejection.ts'
import { DELETIONS_PHASE, PROPERTIES_PHASE } from '../../schemas/version.ts'
import { arrayLiteral, bigintArray, doubleArray, textArray, timestampArray } from './array-parameters.ts'
import type { ListingWrite, TallyEntry } from './batch.ts'

/** A prepared statement with one array per column of its rows. Its name follows its text, as a prepared statement's must. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: Buffer[]
}

/** A column of incoming rows: how it travels, and what it is turned into once there (null: nothing). */
interface Column<T> {
  readonly name: string
  readonly arrayType: string
  readonly cast: string | null
  readonly encode: (rows: readonly T[]) => Buffer
}

const text = <T>(name: string, of: (row: T) => string | null, cast: string | null = null): Column<T> => ({
  name,
  arrayType: 'text[]',
  cast,
  encode: rows => textArray(rows.map(of)),
})
const bigint = <T>(name: string, of: (row: T) => number): Column<T> => ({
  name,
  arrayType: 'bigint[]',
  cast: null,
  encode: rows => bigintArray(rows.map(of)),
})
const double = <T>(name: string, of: (row: T) => number): Column<T> => ({
  name,
  arrayType: 'double precision[]',
  cast: null,
  encode: rows => doubleArray(rows.map(of)),
})
const timestamp = <T>(name: string, of: (row: T) => number | null): Column<T> => ({
  name,
  arrayType: 'timestamptz[]',
  cast: null,
  encode: rows => timestampArray(rows.map(of)),
})

const LISTING_COLUMNS: readonly Column<ListingWrite>[] = [
  text('partner', ({ listing }) => listing.partner),
  text('external_id', ({ listing }) => listing.external_id),
  text('status', ({ status }) => status),
  bigint('version_cycle', ({ listing }) => listing.cycle),
  bigint('version_seq', ({ listing }) => listing.sequence),
  text('property_type', ({ listing }) => listing.property_type),
  text('modality', ({ listing }) => listing.modality),
  text('currency', ({ listing }) => listing.currency),
  text('rent_price', ({ listing }) => listing.rent_price, 'numeric'),
  text('sale_price', ({ listing }) => listing.sale_price, 'numeric'),
  double('latitude', ({ listing }) => listing.latitude),
  double('longitude', ({ listing }) => listing.longitude),
  text('street', ({ listing }) => listing.street),
  text('city', ({ listing }) => listing.city),
  text('state', ({ listing }) => listing.state),
  text('postal_code', ({ listing }) => listing.postal_code),
  text('contact_name', ({ listing }) => listing.contact_name),
  text('contact_email', ({ listing }) => listing.contact_email),
  text('contact_phone', ({ listing }) => listing.contact_phone),
  text('photos', ({ listing }) => arrayLiteral(listing.photos), 'text[]'),
  text('amenities', ({ listing }) => arrayLiteral(listing.amenities), 'text[]'),
  timestamp('updated_at', ({ listing }) => listing.updated_at),
  text('reasons', ({ listing }) => JSON.stringify(listing.reasons), 'jsonb'),
  text('body', ({ listing }) => listing.body, 'jsonb'),
]

const DELETION_COLUMNS: readonly Column<Deletion>[] = [
  text('partner', deletion => deletion.partner),
  text('external_id', deletion => deletion.external_id),
  bigint('version_cycle', deletion => deletion.cycle),
  bigint('version_seq', deletion => deletion.sequence),
]

/** A rejection of a property that has an id. */
export type NamedRejection = Rejection & { readonly external_id: string }

const REJECTION_COLUMNS: readonly Column<NamedRejection>[] = [
  text('partner', rejection => rejection.partner),
  text('external_id', rejection => rejection.external_id),
  bigint('version_cycle', rejection => rejection.cycle),
  bigint('version_seq', rejection => rejection.sequence),
  text(
    'held_back',
    ({ cycle, sequence, rule_set, reasons }) => JSON.stringify({ cycle, sequence, rule_set, reasons }),
    'jsonb',
  ),
]

const TALLY_COLUMNS: readonly Column<TallyEntry>[] = [
  text('partner', entry => entry.partner),
  bigint('cycle', entry => entry.cycle),
  text('route', entry => entry.route),
  text('sequences', entry => `{${entry.sequences.join(',')}}`, 'bigint[]'),
]

/** Sets of a select list advance together where they are equally long; in FROM they would all be copied first. */
function incoming(columns: readonly Column<never>[]): string {
  const unnested = columns.map(({ name, arrayType }, index) => `unnest($${index + 1}::${arrayType}) AS ${name}`)
  const cast = columns.map(({ name, cast }) => (cast === null ? name : `${name}::${cast} AS ${name}`))
  return `(SELECT ${cast.join(', ')} FROM (SELECT ${unnested.join(', ')}) AS sent) AS incoming`
}

const namesOf = (columns: readonly Column<never>[]): string => columns.map(({ name }) => name).join(', ')

const STORED = '(stored.version_cycle, stored.version_phase, stored.version_seq)'
const EXCLUDED = '(excluded.version_cycle, excluded.version_phase, excluded.version_seq)'
const INCOMING = `(incoming.version_cycle, ${PROPERTIES_PHASE}, incoming.version_seq)`
const HELD_BACK = `((stored.held_back ->> 'cycle')::bigint, ${PROPERTIES_PHASE}, (stored.held_back ->> 'sequence')::bigint)`

/**
 * An equal version is written again: it is the same property under other rules, or a redelivery. What is held back is
 * always newer than the row. A null on either side of a comparison falls to ELSE.
 */
const ADVANCE = `
  status = excluded.status,
  version_cycle = excluded.version_cycle,
  version_phase = excluded.version_phase,
  version_seq = excluded.version_seq,
  held_back = CASE WHEN ${EXCLUDED} >= ${HELD_BACK} THEN NULL ELSE stored.held_back END,
  changed_at = CASE
    WHEN ${EXCLUDED} > ${STORED} OR excluded.status <> stored.status THEN excluded.changed_at
    ELSE stored.changed_at
  END`

const IDENTITY = ['partner', 'external_id', 'status', 'version_cycle', 'version_seq']
const CONTENT = LISTING_COLUMNS.map(({ name }) => name).filter(name => !IDENTITY.includes(name))

const UPSERT_LISTINGS = `
INSERT INTO predio.listing AS stored (${namesOf(LISTING_COLUMNS)}, version_phase, first_seen_at, changed_at)
SELECT ${namesOf(LISTING_COLUMNS)}, ${PROPERTIES_PHASE}, now(), now()
FROM ${incoming(LISTING_COLUMNS)}
ON CONFLICT (partner, external_id) DO UPDATE SET
  ${CONTENT.map(name => `${name} = excluded.${name}`).join(', ')},${ADVANCE}
WHERE ${EXCLUDED} >= ${STORED}`

/** Also counts the rows that this takes down, which repeating it cannot: they are inactive by then. */
const DEACTIVATE = `
WITH written AS (
  INSERT INTO predio.listing AS stored (${namesOf(DELETION_COLUMNS)}, status, version_phase, first_seen_at, changed_at)
  SELECT ${namesOf(DELETION_COLUMNS)}, 'inactive', ${DELETIONS_PHASE}, now(), now()
  FROM ${incoming(DELETION_COLUMNS)}
  ON CONFLICT (partner, external_id) DO UPDATE SET ${ADVANCE}
  WHERE ${EXCLUDED} >= ${STORED}
  RETURNING partner, version_cycle, version_seq, old.status IN ('published', 'draft') AS deactivated
), counted AS (
  INSERT INTO predio.cycle_tally AS stored (partner, cycle, route, records, last_sequence)
  SELECT partner, version_cycle, 'deactivated', count(*), max(version_seq)
  FROM written WHERE deactivated
  GROUP BY partner, version_cycle
  ORDER BY partner, version_cycle
  ON CONFLICT (partner, cycle, route) DO UPDATE SET
    records = stored.records + excluded.records,
    last_sequence = greatest(stored.last_sequence, excluded.last_sequence)
)
SELECT count(*)::int AS written, (count(*) FILTER (WHERE deactivated))::int AS deactivated FROM written`

/** Assumption A3: the row keeps what was accepted last. */
const NOTE_REJECTIONS = `
UPDATE predio.listing AS stored SET held_back = incoming.held_back
FROM ${incoming(REJECTION_COLUMNS)}
WHERE stored.partner = incoming.partner AND stored.external_id = incoming.external_id
  AND ${INCOMING} > ${STORED}
  AND (stored.held_back IS NULL OR ${INCOMING} >= ${HELD_BACK})`

/** Compares with the row as it is once locked, so that even two writers of the same records count them once. */
const ADD_TALLY = `
INSERT INTO predio.cycle_tally AS stored (partner, cycle, route, records, last_sequence)
SELECT partner, cycle, route, cardinality(sequences), sequences[cardinality(sequences)]
FROM ${incoming(TALLY_COLUMNS)}
ON CONFLICT (partner, cycle, route) DO UPDATE SET
  records = stored.records + (
    SELECT count(*)
    FROM ${incoming(TALLY_COLUMNS)}, unnest(incoming.sequences) AS sequence
    WHERE (incoming.partner, incoming.cycle, incoming.route) = (stored.partner, stored.cycle, stored.route)
      AND sequence > stored.last_sequence
  ),
  last_sequence = excluded.last_sequence
WHERE excluded.last_sequence > stored.last_sequence`

export const upsertListings = statementOf(UPSERT_LISTINGS, LISTING_COLUMNS)
/** @returns one row: written, deactivated */
export const deactivate = statementOf(DEACTIVATE, DELETION_COLUMNS)
export const noteRejections = statementOf(NOTE_REJECTIONS, REJECTION_COLUMNS)
export const addTally = statementOf(ADD_TALLY, TALLY_COLUMNS)

function statementOf<T>(text: string, columns: readonly Column<T>[]): (rows: readonly T[]) => Statement {
  const name = `predio_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  return rows => ({ name, text, values: columns.map(({ encode }) => encode(rows)) })
}
