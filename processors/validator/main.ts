import { connectAdmin, connectKafka, probeKafka } from '../../connectors/kafka/client.ts'
import { deadLetter } from '../../connectors/kafka/dead-letter.ts'
import { headersOf } from '../../connectors/kafka/headers.ts'
import type { KafkaMessage } from '../../connectors/kafka/kafkajs.ts'
import { SEND_MAX_BYTES, sizeBytesOf } from '../../connectors/kafka/message-size.ts'
import { partitionCounts } from '../../connectors/kafka/partitions.ts'
import { Schemas } from '../../connectors/kafka/schema-registry.ts'
import { type Output, runTransform } from '../../connectors/kafka/transform.ts'
import type { StartRole } from '../../connectors/role.ts'
import { loadPostalCodes } from '../../data/postal-codes.ts'
import { PredioError } from '../../schemas/errors.ts'
import type { RawProperty } from '../../schemas/records/raw-property.ts'
import { TOPICS_AS_INPUT } from '../../schemas/topology.ts'
import { ruleBook } from './rules/rule-book.ts'
import { validatorOf } from './stage.ts'

/** Raw properties in, one accepted, draft or rejected record each out, exactly once. */
export const startValidator: StartRole = async ({ environment, names, log, fatal }) => {
  const { kafka: settings, registryUrl, clientId, sessionTimeoutMs } = environment
  const kafka = connectKafka(settings, `validator-${clientId}`, log)
  const input = names.topic('properties.raw')
  const deadLetters = names.topic('dead-letter')
  const probe = await probeKafka(settings, `validator-${clientId}`, log)
  const counts = await partitionCounts(
    probe,
    TOPICS_AS_INPUT.map(key => names.topic(key)),
  ).finally(() => probe.disconnect())
  for (const [topic, count] of counts) {
    const least = counts.get(input)!
    if (count < least) throw new PredioError('TOPIC_MISFIT', { topic, partitions: count, 'at least': least })
  }

  const schemas = new Schemas(registryUrl)
  const topics = {
    accepted: names.topic('listings.accepted'),
    draft: names.topic('listings.draft'),
    rejected: names.topic('listings.rejected'),
  }
  const decode = schemas.decoder('raw-property')
  const [encodeAccepted, encodeDraft, encodeRejected] = await Promise.all([
    schemas.encoder('listing', topics.accepted),
    schemas.encoder('listing', topics.draft),
    schemas.encoder('rejection', topics.rejected),
  ])
  const book = ruleBook({ postalCodes: loadPostalCodes() })
  const validate = validatorOf(book)

  const judged = (raw: RawProperty, message: KafkaMessage): Output => {
    const verdict = validate(raw)
    const { route } = verdict
    const value =
      verdict.route === 'rejected'
        ? encodeRejected(verdict.rejection)
        : route === 'draft'
          ? encodeDraft(verdict.listing)
          : encodeAccepted(verdict.listing)
    const headers = headersOf({
      id: `${raw.partner}/${raw.cycle}/1/${raw.sequence}`,
      type: `predio.listing.${route}`,
      partner: raw.partner,
      timeMs: raw.received_at,
      traceparent: message.headers?.traceparent as Buffer | undefined,
    })
    return { topic: topics[route], message: { key: message.key, value, headers } }
  }

  const admin = await connectAdmin(kafka)
  const running = await runTransform({
    kafka,
    admin,
    groupId: names.group('validator'),
    sessionTimeoutMs,
    input,
    transactionalIdOf: partition => names.transactionalId('validator', `${input}.${partition}`),
    transform: (message, partition) => {
      const buried = (error: unknown): Output => {
        if (PredioError.is(error) && error.retriable) throw error
        log.warn({ event: 'record_dead_lettered', partition, offset: message.offset, error: (error as Error).message })
        const origin = { topic: input, partition, offset: message.offset, role: 'validator' }
        return { topic: deadLetters, message: deadLetter(message, origin, error) }
      }
      try {
        const raw = decode(message.value)
        return raw instanceof Promise
          ? raw.then(late => fitting(judged(late, message), buried)).catch(buried)
          : fitting(judged(raw, message), buried)
      } catch (error) {
        return buried(error)
      }
    },
    log,
    fatal,
  })
  log.info({ event: 'validator_started', ruleSet: book.ruleSet, rules: book.rules.length })
  return {
    async stop() {
      await running.stop()
      await admin.disconnect()
    },
  }
}

/** What would not fit into a record batch is buried with its hash instead of stopping everything behind it. */
function fitting(output: Output, buried: (error: unknown) => Output): Output {
  return sizeBytesOf(output.message) <= SEND_MAX_BYTES
    ? output
    : buried(new PredioError('RECORD_TOO_LARGE', { bytes: sizeBytesOf(output.message) }))
}
