import { startLocalStack } from '../../../operations/stack/local-stack.ts'

/** A process for the tests to kill: starts a stack on the data folder given and says so in one line of JSON. */
const [dataDir] = process.argv.slice(2)
const { pids, databaseUrl, registryUrl } = await startLocalStack({ dataDir: dataDir!, log: () => {} })
process.stdout.write(`${JSON.stringify({ pids, databaseUrl, registryUrl })}\n`)
