import { describe, expect, test } from 'vitest'
import type { Environment } from '../../../connectors/environment.ts'
import { parsePartners } from '../../../connectors/partners.ts'
import type { LocalStack } from '../../../operations/stack/local-stack.ts'
import { hints } from '../../../operations/start/hints.ts'
import { samplePartnerFile } from '../../../operations/start/surroundings.ts'

const ENVIRONMENT = {
  kafka: { brokers: ['a:1', 'b:2'] },
  registryUrl: 'http://registry:8081/apis/ccompat/v7',
  databaseUrl: 'postgres://predio@database/predio',
  prefix: 'market',
} as unknown as Environment
const { partners } = parsePartners(samplePartnerFile('http://127.0.0.1:1'))
const shown = (environment: Partial<Environment>, stack?: LocalStack): string =>
  hints({ ...ENVIRONMENT, ...environment }, partners, stack).join('\n')

describe('hints', () => {
  test('name this installation’s own brokers, topics and groups', () => {
    const text = shown({})
    expect(text).toContain(
      'kcat -C -b a:1,b:2 -t market.listings.rejected -s value=avro -r http://registry:8081/apis/ccompat/v7 -o beginning',
    )
    expect(text).toContain('--group market.since.sample --topic market.cycles.sample --shift-by -1 --execute')
    expect(text).toContain("psql 'postgres://predio@database/predio'")
  })

  test.each([
    {
      name: 'database',
      environment: { databaseUrl: 'postgres://predio:canary@database/predio' },
      left: 'postgres://predio:***@database/predio',
    },
    {
      name: 'registry',
      environment: { registryUrl: 'https://predio:canary@registry/api' },
      left: 'https://predio:***@registry/api',
    },
  ])('the password of the $name is not shown (S6)', ({ environment, left }) => {
    expect(shown(environment)).not.toContain('canary')
    expect(shown(environment)).toContain(left)
  })

  test('but the one of our own local database is: the command is to be copied', () => {
    const stack = {} as LocalStack
    expect(shown({ databaseUrl: 'postgres://predio:local@127.0.0.1/predio' }, stack)).toContain(
      "psql 'postgres://predio:local@127.0.0.1/predio'",
    )
  })
})
