import { defineConfig } from 'vitest/config'

/** Where `.ci/run` reads the result from. */
const report = process.env.VITEST_REPORT

/** `pure` needs no server and ends in seconds; `stack` runs on real Kafka, registry and PostgreSQL, started once. */
export default defineConfig({
  test: {
    ...(report !== undefined && { reporters: ['default', 'json'], outputFile: { json: report } }),
    projects: [
      { test: { name: 'pure', include: ['test/**/*.test.ts'], exclude: ['test/**/*.stack.test.ts'] } },
      {
        test: {
          name: 'stack',
          include: ['test/**/*.stack.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // One file at a time: two cores have enough to do with the servers and the roles of one.
          maxWorkers: 1,
        },
      },
    ],
  },
})
