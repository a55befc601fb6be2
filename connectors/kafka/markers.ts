import type { Kafka } from 'kafkajs'
import type { Marker } from '../../schemas/records/marker.ts'
import type { Names } from '../../schemas/topology.ts'
import { readRecords } from './log-reader.ts'
import type { Schemas } from './schema-registry.ts'

export interface PlacedMarker {
  readonly marker: Marker
  readonly offset: number
}

/** The markers of a partner in `[from, to)`, in order. */
export async function readMarkers(
  kafka: Kafka,
  schemas: Schemas,
  names: Names,
  partner: string,
  from: number,
  to: number,
): Promise<PlacedMarker[]> {
  const decode = schemas.decoder('marker')
  const records = await readRecords(
    kafka,
    names.sinceGroup(partner),
    { topic: names.cycles(partner), partition: 0 },
    from,
    to,
  )
  return Promise.all(
    records.map(async ({ value, offset }) => ({ marker: await decode(value), offset: Number(offset) })),
  )
}
