import './mends.ts'
import kafkajs from 'kafkajs'

/** kafkajs as the rest of this folder uses it: mended first, then loaded. */
export const { AssignerProtocol, CompressionCodecs, CompressionTypes, Kafka, Partitioners, logLevel } = kafkajs
