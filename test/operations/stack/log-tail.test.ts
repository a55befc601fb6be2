import { expect, test } from 'vitest'
import { firstErrorIn, lineThatMatters, readLogTail } from '../../../operations/stack/log-tail.ts'

test.each([
  {
    name: 'Kafka: the exception, not its frames nor the shutdown after it',
    log: [
      '2026-11-21T03:50:26 ERROR KafkaRaftServer: Exiting Kafka due to fatal exception',
      'java.lang.RuntimeException: No readable meta.properties files found.',
      '\tat org.apache.kafka.metadata.MetaPropertiesEnsemble.verify(MetaPropertiesEnsemble.java:480)',
      '\tat org.apache.kafka.common.KafkaException.wrap(KafkaException.java:12)',
      '\t... 26 more',
      '2026-11-21T03:50:26 INFO KafkaRaftServer: shut down',
      '',
    ],
    expected: 'java.lang.RuntimeException: No readable meta.properties files found.',
  },
  {
    name: 'Java: the innermost cause',
    log: ['Exception in thread "main" a.B: outer', '\tat a.C', 'Caused by: java.net.BindException: in use', '\tat a.D'],
    expected: 'Caused by: java.net.BindException: in use',
  },
  {
    name: 'PostgreSQL',
    log: [
      'LOG:  starting PostgreSQL',
      'FATAL:  could not create any TCP/IP sockets',
      'LOG:  database system is shut down',
    ],
    expected: 'FATAL:  could not create any TCP/IP sockets',
  },
  { name: 'nothing loud: the last line', log: ['one', 'two', ''], expected: 'two' },
  { name: 'an empty log', log: [''], expected: undefined },
])('$name', ({ log, expected }) => {
  expect(lineThatMatters(log.join('\n'))).toBe(expected)
})

test('Maven: what is wrong, not where to read about it', () => {
  const log = [
    "[ERROR] No plugin found for prefix 'dependency' in the current project -> [Help 1]",
    '[ERROR] ',
    '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
    '[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/NoPluginFoundForPrefixException',
  ]
  expect(firstErrorIn(log.join('\n'))).toBe(log[0])
})

test('a log that was never written reads as empty', async () => {
  expect(await readLogTail('/nowhere/kafka.log')).toBe('')
})
