import type { Admin, Kafka, KafkaMessage } from 'kafkajs'
import { readRecords } from '../../connectors/kafka/log-reader.ts'
import { type PlacedMarker, readMarkers } from '../../connectors/kafka/markers.ts'
import { committedOffsets, endOffsets } from '../../connectors/kafka/offsets.ts'
import { partitionOf } from '../../connectors/kafka/partitions.ts'
import type { Schemas } from '../../connectors/kafka/schema-registry.ts'
import { readSinceCommit, type SinceCommit } from '../../connectors/kafka/since-group.ts'
import { connectTransactional } from '../../connectors/kafka/transactions.ts'
import { runKafkaTool, type ToolAnswer } from '../../operations/stack/kafka-tools.ts'
import type { RecordOf } from '../../schemas/avro.ts'
import { type GroupKey, type Names, namesOf, TOPICS, type TopicKey } from '../../schemas/topology.ts'
import type { RoleLog } from './role-log.ts'
import type { ProvidedStack } from './stack.ts'

type ValueTopic = Exclude<TopicKey, 'dead-letter'>
type ValueOf<Key extends ValueTopic> = RecordOf[(typeof TOPICS)[Key]['schema']]

export interface TopicViewPorts {
  readonly kafka: Kafka
  readonly admin: Admin
  readonly schemas: Schemas
  readonly prefix: string
  readonly stack: ProvidedStack
  readonly log: RoleLog
}

/** Kafka's side of a pipeline, as an operator or any other application sees it. */
export class TopicView {
  readonly #ports: TopicViewPorts & { readonly names: Names }

  constructor(ports: TopicViewPorts) {
    this.#ports = { ...ports, names: namesOf(ports.prefix) }
  }

  /** Every record of a topic, decoded, as a read_committed reader gets them: partition by partition, in order. */
  async records<Key extends ValueTopic>(key: Key, partner?: string): Promise<ValueOf<Key>[]> {
    const { schemas, names } = this.#ports
    const decode = schemas.decoder(TOPICS[key].schema as (typeof TOPICS)[Key]['schema'])
    const values: ValueOf<Key>[] = []
    // One after another: all at once, each would ask the registry for the schema.
    for (const { value } of await this.#read(names.topic(key))) values.push((await decode(value)) as ValueOf<Key>)
    return partner === undefined ? values : values.filter(value => value.partner === partner)
  }

  async deadLetters(): Promise<KafkaMessage[]> {
    return this.#read(this.#ports.names.topic('dead-letter'))
  }

  async markers(partner: string): Promise<PlacedMarker[]> {
    const { kafka, schemas, names } = this.#ports
    return readMarkers(kafka, schemas, names, partner, 0, Number.MAX_SAFE_INTEGER)
  }

  /** The committed offset of the partner's `since` group and what its metadata say. */
  async since(partner: string): Promise<SinceCommit> {
    return readSinceCommit(this.#ports.admin, this.#ports.names, partner)
  }

  /** Resolves when the group has committed all that its topic holds now. */
  async caughtUp(group: GroupKey, key: TopicKey): Promise<void> {
    const { admin, names, log } = this.#ports
    const topic = names.topic(key)
    const ends = await endOffsets(admin, topic)
    await log.eventually(`group ${group} at the end of ${key}`, async () => {
      const commits = await committedOffsets(admin, names.group(group), topic)
      return [...ends].every(([partition, { high }]) => (commits.get(partition)?.offset ?? 0) >= high) || undefined
    })
  }

  /**
   * `kafka-consumer-groups` on the partner's `since` group, e.g. `--reset-offsets --execute --shift-by -1`.
   *
   * @returns the new offset where the tool says one
   */
  async moveSince(partner: string, ...args: string[]): Promise<number | undefined> {
    const { names, stack } = this.#ports
    const group = names.sinceGroup(partner)
    const place = ['--bootstrap-server', stack.brokers, '--group', group, '--topic', names.cycles(partner)]
    const answer = await runKafkaTool(stack.toolsClasspath, 'consumer-groups', [...place, ...args])
    if (answer.code !== 0 || /error/i.test(answer.stdout + answer.stderr)) throw new Error(wordsOf(answer))
    const offset = new RegExp(`${group}\\s+\\S+\\s+0\\s+(\\d+)`).exec(answer.stdout)?.[1]
    return offset === undefined ? undefined : Number(offset)
  }

  /**
   * Somebody's open transaction in the partner's partition of a topic: read_committed readers stop before it until it is
   * aborted, which leaves nothing to be read.
   */
  async openTransaction(key: TopicKey, partner: string): Promise<{ abort(): Promise<void> }> {
    const { kafka, admin, names, prefix } = this.#ports
    const topic = names.topic(key)
    const partition = partitionOf(partner, (await endOffsets(admin, topic)).size)
    const producer = await connectTransactional(kafka, `${prefix}.test`)
    const transaction = await producer.transaction()
    await transaction.send({ topic, acks: -1, messages: [{ key: partner, value: 'never read', partition }] })
    return {
      async abort() {
        await transaction.abort()
        await producer.disconnect()
      },
    }
  }

  /** Takes everything of this installation out of Kafka and the registry. */
  async drop(): Promise<void> {
    const { admin, prefix, stack } = this.#ports
    const subjectsUrl = `${stack.registryUrl}/subjects`
    const ours = (name: string) => name.startsWith(`${prefix}.`)
    await admin.deleteTopics({ topics: (await admin.listTopics()).filter(ours) })
    const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter(ours)
    await admin.deleteGroups(groups).catch(() => {}) // a role that died is a member for some seconds more
    const subjects = (await (await fetch(subjectsUrl)).json()) as string[]
    await Promise.all(subjects.filter(ours).map(name => fetch(`${subjectsUrl}/${name}`, { method: 'DELETE' })))
  }

  async #read(topic: string): Promise<KafkaMessage[]> {
    const { kafka, admin, prefix } = this.#ports
    const partitions = [...(await endOffsets(admin, topic)).keys()].sort((a, b) => a - b)
    const places = partitions.map(partition => ({ topic, partition }))
    const read = (place: (typeof places)[number]) =>
      readRecords(kafka, `${prefix}.test`, place, 0, Number.MAX_SAFE_INTEGER)
    return (await Promise.all(places.map(read))).flat()
  }
}

const wordsOf = ({ stdout, stderr }: ToolAnswer): string => `kafka-consumer-groups: ${stdout}${stderr}`
