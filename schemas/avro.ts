import { readFileSync } from 'node:fs'
import avsc from 'avsc'
import type { CycleReport } from './records/cycle-report.ts'
import type { Deletion } from './records/deletion.ts'
import type { Listing } from './records/listing.ts'
import type { Marker } from './records/marker.ts'
import type { PartnerCommand } from './records/partner-command.ts'
import type { RawProperty } from './records/raw-property.ts'
import type { Rejection } from './records/rejection.ts'
import type { SchemaName } from './topology.ts'

/** What each schema's records look like in TypeScript; the `.avsc` beside them is what travels. */
export interface RecordOf {
  'raw-property': RawProperty
  deletion: Deletion
  listing: Listing
  rejection: Rejection
  'cycle-report': CycleReport
  marker: Marker
  'partner-command': PartnerCommand
}

export function schemaText(name: SchemaName): string {
  return readFileSync(new URL(`./records/${name}.avsc`, import.meta.url), 'utf8')
}

/** Times stay numbers: no logical types are registered, so `timestamp-millis` reads and writes plain milliseconds. */
export function avroType(name: SchemaName): avsc.Type {
  return avsc.Type.forSchema(JSON.parse(schemaText(name)))
}
