import './mends.ts'
import kafkajs from 'kafkajs'

export type { Admin, EachBatchPayload, Kafka as KafkaClient, KafkaMessage, Message } from 'kafkajs'

/** kafkajs as everything else uses it: mended first, then loaded. */
export const { AssignerProtocol, CompressionCodecs, CompressionTypes, Kafka, Partitioners, logLevel } = kafkajs
