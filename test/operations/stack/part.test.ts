import { expect, test } from 'vitest'
import { childEnvOf } from '../../../operations/stack/part.ts'
import { nameFor } from '../../../operations/stack/postgres-home.ts'

test('the servers see no secret and no setting of ours', () => {
  const env = { PATH: '/bin', LANG: 'es_MX.UTF-8', ACME_API_KEY: 'k', QUARKUS_HTTP_PORT: '1', PGDATA: '/x' }
  expect(childEnvOf(env)).toEqual({ PATH: '/bin', LANG: 'es_MX.UTF-8' })
})

test('without a locale they get a UTF-8 one', () => {
  expect(childEnvOf({ PATH: '/bin' })).toEqual({ PATH: '/bin', LANG: 'C.UTF-8' })
})

test('as root, two data folders never share PostgreSQL data', () => {
  expect(nameFor('/root/a/data')).toMatch(/^data-[0-9a-f]{12}$/)
  expect(nameFor('/root/a/data')).not.toBe(nameFor('/root/b/data'))
})
