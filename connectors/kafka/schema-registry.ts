import registryClient from '@kafkajs/confluent-schema-registry'
import type avsc from 'avsc'
import { avroType, type RecordOf, schemaText } from '../../schemas/avro.ts'
import { PredioError } from '../../schemas/errors.ts'
import type { SchemaName } from '../../schemas/topology.ts'

const { COMPATIBILITY, SchemaRegistry } = registryClient

/** Confluent wire format: a zero, the schema's id as 32 bits, the Avro body. */
const MAGIC = 0
const WIRE_PREFIX_BYTES = 5

/** Where values are encoded before they are copied out, shared by all encoders: encoding never waits for anything. */
let scratch = Buffer.allocUnsafe(65_536)

/** Old and new readers and writers all understand each other, also over a replay from the start (design section 2). */
const COMPATIBILITY_LEVEL = COMPATIBILITY.FULL_TRANSITIVE

export type Encode<Name extends SchemaName> = (value: RecordOf[Name]) => Buffer
/** Sync for every schema seen before, which is all but the first record. */
export type Decode<Name extends SchemaName> = (bytes: Buffer | null) => RecordOf[Name] | Promise<RecordOf[Name]>

/** Subject of a topic's values, by the naming that every console expects (TopicNameStrategy). */
export const subjectOf = (topic: string): string => `${topic}-value`

export class Schemas {
  readonly #url: string
  readonly #registry: InstanceType<typeof SchemaRegistry>

  /** @param url Confluent-compatible API, such as `http://host/apis/ccompat/v7`; may carry `user:password@` */
  constructor(url: string) {
    this.#url = url
    const { username, password, origin, pathname } = new URL(url)
    this.#registry = new SchemaRegistry({
      host: origin + pathname.replace(/\/$/, ''),
      retry: { maxRetryTimeInSecs: 5, initialRetryTimeInSecs: 0.1, factor: 0.2, multiplier: 2, retries: 3 },
      ...(username === ''
        ? {}
        : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
    })
  }

  /**
   * A writer for a topic. The running service only looks ids up; registering is `predio setup`'s.
   *
   * @throws SCHEMA_MISSING, REGISTRY_UNREACHABLE
   */
  async encoder<Name extends SchemaName>(name: Name, topic: string): Promise<Encode<Name>> {
    const id = await this.idOf(name, topic)
    if (id === undefined) throw new PredioError('SCHEMA_MISSING', { subject: subjectOf(topic) })
    const type = avroType(name)
    return value => {
      let end = type.encode(value, scratch, WIRE_PREFIX_BYTES)
      if (end < 0) {
        // Too small by that much: grown once and kept, since one large record seldom comes alone.
        scratch = Buffer.allocUnsafe(2 * (scratch.length - end))
        end = type.encode(value, scratch, WIRE_PREFIX_BYTES)
      }
      scratch.writeUInt8(MAGIC, 0)
      scratch.writeUInt32BE(id, 1)
      return Buffer.from(scratch.subarray(0, end))
    }
  }

  /**
   * A reader of any version of a schema, whatever topic it came by.
   *
   * The reader throws RECORD_UNREADABLE for bytes that no schema explains, and REGISTRY_UNREACHABLE while a new
   * schema's text cannot be had: the one is the record's fault and ends in the dead-letter topic, the other is waited out.
   */
  decoder<Name extends SchemaName>(name: Name): Decode<Name> {
    const reader = avroType(name)
    const resolvers = new Map<number, avsc.Type | { resolver: unknown }>()
    const read = (id: number, bytes: Buffer): RecordOf[Name] => {
      const known = resolvers.get(id) as { resolver?: avsc.Type } | undefined
      try {
        return reader.fromBuffer(bytes.subarray(WIRE_PREFIX_BYTES), known?.resolver as never)
      } catch (cause) {
        throw new PredioError('RECORD_UNREADABLE', { schema: name, id }, { cause })
      }
    }
    return bytes => {
      if (bytes === null || bytes.length < WIRE_PREFIX_BYTES || bytes[0] !== MAGIC) {
        throw new PredioError('RECORD_UNREADABLE', { schema: name })
      }
      const id = bytes.readUInt32BE(1)
      if (resolvers.has(id)) return read(id, bytes)
      return this.#writerOf(id, name).then(writer => {
        resolvers.set(id, { resolver: resolverOf(reader, writer, name, id) })
        return read(id, bytes)
      })
    }
  }

  /** @returns the id under which exactly our schema is registered, undefined when it is not */
  async idOf(name: SchemaName, topic: string): Promise<number | undefined> {
    try {
      return await this.#registry.getRegistryIdBySchema(subjectOf(topic), JSON.parse(schemaText(name)))
    } catch (cause) {
      if ((cause as Error).name === 'ConfluentSchemaRegistryError') return undefined
      throw this.#unreachable(cause)
    }
  }

  /** @throws SCHEMA_REFUSED when it is incompatible with a registered version; REGISTRY_UNREACHABLE */
  async register(name: SchemaName, topic: string): Promise<number> {
    const subject = subjectOf(topic)
    try {
      const schema = JSON.parse(schemaText(name))
      return (await this.#registry.register(schema, { subject, compatibility: COMPATIBILITY_LEVEL })).id
    } catch (cause) {
      const { status, name: kind } = cause as { status?: number; name?: string }
      const refused = status === 409 || status === 422 || kind === 'ConfluentSchemaRegistryCompatibilityError'
      throw refused ? new PredioError('SCHEMA_REFUSED', { subject }, { cause }) : this.#unreachable(cause)
    }
  }

  async #writerOf(id: number, name: SchemaName): Promise<avsc.Type> {
    try {
      return (await this.#registry.getSchema(id)) as unknown as avsc.Type
    } catch (cause) {
      if ((cause as { status?: number }).status === 404)
        throw new PredioError('RECORD_UNREADABLE', { schema: name, id }, { cause })
      throw this.#unreachable(cause)
    }
  }

  #unreachable(cause: unknown): PredioError {
    return new PredioError('REGISTRY_UNREACHABLE', { url: new URL(this.#url).host }, { cause })
  }
}

function resolverOf(reader: avsc.Type, writer: avsc.Type, name: SchemaName, id: number): unknown {
  if (reader.equals(writer)) return undefined
  try {
    return reader.createResolver(writer)
  } catch (cause) {
    throw new PredioError('RECORD_UNREADABLE', { schema: name, id }, { cause })
  }
}
