import { Argument, Command } from 'commander'
import { KAFKA_TOOLS, type KafkaTool, runKafkaToolAtTerminal } from '../stack/kafka-tools.ts'
import { requireKafkaTools } from '../stack/stack-cache.ts'

export function kafkaCommand(): Command {
  return new Command('kafka')
    .description('run one of Apache Kafka’s own tools, from the jars of the local stack')
    .addArgument(new Argument('<tool>').choices(Object.keys(KAFKA_TOOLS)))
    .argument('[args...]', 'given to the tool as they are')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  $ predio kafka consumer-groups --bootstrap-server 127.0.0.1:9092 --list')
    .action(async (tool: KafkaTool, args: readonly string[]) => {
      const classpath = await requireKafkaTools(words => process.stderr.write(`${words}\n`))
      process.exitCode = await runKafkaToolAtTerminal(classpath, tool, args)
    })
}
