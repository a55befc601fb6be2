import type { Consumer, ConsumerConfig } from 'kafkajs'
import { PredioError } from '../../schemas/errors.ts'

/** Where the two of a group's members may be apart: long enough for a database or broker that stands still a while. */
export const CONSUMER_DEFAULTS = {
  sessionTimeout: 30_000,
  rebalanceTimeout: 60_000,
  heartbeatInterval: 3_000,
  maxWaitTimeInMs: 500,
  minBytes: 1,
  maxBytesPerPartition: 1_000_000,
  maxBytes: 4_000_000,
  readUncommitted: false,
} as const satisfies Omit<ConsumerConfig, 'groupId'>

/**
 * `KAFKA_SESSION_TIMEOUT`, where it is set: after this long without a word a member is taken for dead and the others get
 * its partitions. Spread it over whatever the consumer would have by itself.
 */
export function sessionOf(
  sessionTimeoutMs: number | undefined,
): Pick<ConsumerConfig, 'sessionTimeout' | 'heartbeatInterval'> {
  if (sessionTimeoutMs === undefined) return {}
  // A third of the session, as Kafka's own clients have it: two heartbeats may get lost.
  const heartbeatInterval = Math.min(CONSUMER_DEFAULTS.heartbeatInterval, Math.floor(sessionTimeoutMs / 3))
  return { sessionTimeout: sessionTimeoutMs, heartbeatInterval }
}

/** A crash that kafkajs does not mend itself leaves a consumer that reads nothing for ever: the process must end. */
export function onFatal(consumer: Consumer, fatal: (error: Error) => void): void {
  consumer.on(consumer.events.CRASH, ({ payload: { error, groupId, restart } }) => {
    if (!restart)
      fatal(PredioError.is(error) ? error : new PredioError('CONSUMER_CRASHED', { group: groupId }, { cause: error }))
  })
}
