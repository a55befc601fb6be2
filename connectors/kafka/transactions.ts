import type { Kafka, Producer, Transaction } from 'kafkajs'
import pRetry from 'p-retry'
import { Partitioners } from './kafkajs.ts'

/** A transaction that nobody ends blocks its partitions' readers: the broker ends ours after this long. */
const TRANSACTION_TIMEOUT_MS = 60_000

/** The coordinator still writes the end of the transaction before; kafkajs does not wait for it everywhere. */
const isConcurrent = (error: unknown): boolean =>
  (error as { type?: string } | undefined)?.type === 'CONCURRENT_TRANSACTIONS'

/** Tries again while the coordinator is busy ending the transaction before this one (design section 5). */
export function whileConcurrent<T>(attempt: () => Promise<T>): Promise<T> {
  return pRetry(attempt, {
    retries: 100,
    factor: 1.3,
    minTimeout: 20,
    maxTimeout: 100,
    shouldRetry: ({ error }) => isConcurrent(error) || isConcurrent(error.cause),
  })
}

/** A connected producer of that transactional id; from its first transaction on, older holders of the id are fenced. */
export async function connectTransactional(kafka: Kafka, transactionalId: string): Promise<Producer> {
  const producer = kafka.producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  return producer
}

/** Runs one transaction with a producer of its own, for what happens rarely. Rejects when the outcome is not certain. */
export async function withTransaction(
  kafka: Kafka,
  transactionalId: string,
  run: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const producer = await connectTransactional(kafka, transactionalId)
  try {
    const transaction = await whileConcurrent(() => producer.transaction())
    try {
      await whileConcurrent(() => run(transaction))
    } catch (error) {
      await transaction.abort().catch(() => {})
      throw error
    }
    await transaction.commit()
  } finally {
    await producer.disconnect()
  }
}
