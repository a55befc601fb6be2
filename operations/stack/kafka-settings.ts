import type { Ports } from './ports.ts'

const KAFKA_LOG_LAYOUT = `appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %-5p %c{1}: %m%n
rootLogger.appenderRef.out.ref = out
`

/** Warnings, and the one line that says the broker is up. Without a configuration log4j prints errors alone. */
export const BROKER_LOG4J = `${KAFKA_LOG_LAYOUT}rootLogger.level = warn
logger.up.name = kafka.server.KafkaRaftServer
logger.up.level = info
`

/** The tools' answers go to stdout, so whatever they log goes to stderr; "no topics yet" warnings help nobody. */
export const TOOLS_LOG4J = `${KAFKA_LOG_LAYOUT}appender.out.target = SYSTEM_ERR
rootLogger.level = error
`

/**
 * One node is broker and controller. `log.dirs` is relative to the working directory, so a data folder with blanks,
 * commas or accents in its name needs no escaping.
 *
 * Records are kept for ever unless their topic says otherwise: the registry's journal has no retention of its own, and
 * after the default of 7 days the schemas of a stack that is started now and then would be gone.
 */
export function serverProperties({ kafka, controller }: Pick<Ports, 'kafka' | 'controller'>): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${kafka},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${kafka}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': 'kafka',
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'auto.create.topics.enable': false,
    'log.retention.ms': -1,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/**
 * @param heavy as the tools that we compare ourselves with run their broker; for long loads. In half a minute of load
 *              the small set, which starts faster and holds half the memory, was measured to be no slower.
 */
export function jvmFlags(heavy: boolean): string[] {
  return heavy
    ? ['-Xms1g', '-Xmx1g', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20']
    : ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
}

/**
 * @param entries of the broker's data folder
 * @returns       true where it was not shut down in order: it then checks its log before it listens, which may take long
 */
export function needsRecovery(entries: readonly string[]): boolean {
  return entries.includes('meta.properties') && !entries.includes('.kafka_cleanshutdown')
}
