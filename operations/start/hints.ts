import type { Environment } from '../../connectors/environment.ts'
import type { Partner } from '../../connectors/partners.ts'
import { namesOf } from '../../schemas/topology.ts'
import type { LocalStack } from '../stack/local-stack.ts'

/** How to look further, as commands to copy. No address shows its password, but the one of our own local database. */
export function hints(
  { kafka, registryUrl, databaseUrl, prefix }: Environment,
  partners: readonly Partner[],
  stack: LocalStack | undefined,
): string[] {
  const names = namesOf(prefix)
  const brokers = kafka.brokers.join(',')
  const partner = partners[0]!.id
  const reset = `--bootstrap-server ${brokers} --reset-offsets --group ${names.sinceGroup(partner)} --topic ${names.cycles(partner)} --shift-by -1 --execute`
  return [
    '',
    `catalog    psql '${stack === undefined ? withoutPassword(databaseUrl) : databaseUrl}' -c 'select * from predio.published_listing limit 5'`,
    `rejected   kcat -C -b ${brokers} -t ${names.topic('listings.rejected')} -s value=avro -r ${withoutPassword(registryUrl)} -o beginning`,
    `           npx predio kafka console-consumer --bootstrap-server ${brokers} --topic ${names.topic('listings.rejected')} --from-beginning --property print.key=true`,
    `poll again npx predio kafka consumer-groups ${reset}`,
    'status     in another terminal: npx predio status',
    '',
  ]
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  if (url.password === '') return address
  url.password = '***'
  return url.href
}
