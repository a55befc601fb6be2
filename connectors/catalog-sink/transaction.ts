import type pg from 'pg'
import { ignoreLostConnection } from './pool.ts'
import type { Statement } from './statements.ts'

/**
 * Runs the statements in one transaction, all sent at once: with a connection of `createPool` that is one round trip.
 * A statement that fails makes the later ones fail and the COMMIT a ROLLBACK.
 *
 * @returns one answer per statement
 * @throws  the driver's error of the statement that failed first; where the connection went, the transaction may have
 *          been committed all the same
 */
export async function transact(
  pool: pg.Pool,
  statements: readonly Statement[],
  statementTimeoutMs: number,
): Promise<pg.QueryResult[]> {
  const client = await pool.connect()
  client.on('error', ignoreLostConnection)
  let usable = false
  try {
    const outcomes = await Promise.allSettled([
      client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${statementTimeoutMs}`),
      ...statements.map(statement => client.query(statement)),
      client.query('COMMIT'),
    ])
    usable = outcomes.at(-1)!.status === 'fulfilled'
    const answers = outcomes.map(outcome => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
    return answers.slice(1, -1)
  } finally {
    client.off('error', ignoreLostConnection)
    client.release(!usable)
  }
}
