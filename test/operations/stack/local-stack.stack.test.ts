import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runKafkaTool } from '../../../operations/stack/kafka-tools.ts'
import { type PartExit, startLocalStack } from '../../../operations/stack/local-stack.ts'
import { birthOf } from '../../../operations/stack/process-birth.ts'

const { brokers, registryUrl, databaseUrl, toolsClasspath } = inject('stack')
const STARTER = fileURLToPath(new URL('stack-starter.ts', import.meta.url))

test('Kafka: the stock tools work, their answer alone on stdout, nothing on stderr', async () => {
  const created = await runKafkaTool(toolsClasspath, 'topics', [
    ...['--bootstrap-server', brokers, '--create', '--if-not-exists', '--topic', 'stack-test', '--partitions', '1'],
  ])
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const offsets = await runKafkaTool(toolsClasspath, 'get-offsets', [
    ...['--bootstrap-server', brokers, '--topic', 'stack-test'],
  ])
  expect(offsets).toEqual({ stdout: 'stack-test:0:0\n', stderr: '', code: 0 })
})

test.each(['consumer-groups', 'console-consumer', 'configs', 'delete-records'] as const)(
  'Kafka: %s is the name of a tool in the jars',
  async tool => {
    const { stdout, stderr } = await runKafkaTool(toolsClasspath, tool, ['--help'])
    expect(stdout + stderr).toContain('--bootstrap-server')
  },
)

const JSON_TYPE = { 'content-type': 'application/vnd.schemaregistry.v1+json' }
const schemaOf = (type: string) => JSON.stringify({ type: 'record', name: 'Row', fields: [{ name: 'id', type }] })

function register(registryUrl: string, subject: string, schema: string): Promise<Response> {
  const body = JSON.stringify({ schema })
  return fetch(`${registryUrl}/subjects/${subject}/versions`, { method: 'POST', headers: JSON_TYPE, body })
}

test('the registry takes a schema, gives it back and refuses an incompatible one', async () => {
  const { id } = (await (await register(registryUrl, 'stack-test-value', schemaOf('long'))).json()) as { id: number }
  const fetched = (await (await fetch(`${registryUrl}/schemas/ids/${id}`)).json()) as { schema: string }
  expect(JSON.parse(fetched.schema)).toEqual(JSON.parse(schemaOf('long')))
  await fetch(`${registryUrl}/config/stack-test-value`, {
    method: 'PUT',
    headers: JSON_TYPE,
    body: JSON.stringify({ compatibility: 'FULL_TRANSITIVE' }),
  })
  expect((await register(registryUrl, 'stack-test-value', schemaOf('string'))).status).toBe(409)
})

test('PostgreSQL 18 answers, durable and in UTF-8', async () => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `select 1 as one, current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
       current_setting('server_encoding') as encoding, 'ñ' < 'z' as builtin_order`,
  )
  expect(rows).toEqual([{ one: 1, major: 18, fsync: 'on', encoding: 'UTF8', builtin_order: false }])
})

interface Started {
  readonly pids: Readonly<Record<string, number>>
  readonly databaseUrl: string
  readonly registryUrl: string
}

async function startElsewhere(dataDir: string): Promise<[ChildProcess, Started]> {
  const starter = spawn(process.execPath, [STARTER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void starter.kill('SIGKILL'))
  const [line] = await once(createInterface(starter.stdout), 'line')
  return [starter, JSON.parse(line) as Started]
}

const running = (pids: Readonly<Record<string, number>>) =>
  Object.values(pids).filter(pid => birthOf(pid) !== undefined).length

test('a process that is killed leaves nothing running; its data start again, complete and under the same URLs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'predio-stack-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const [starter, before] = await startElsewhere(dataDir)
  expect(running(before.pids)).toBe(3)
  expect(await readdir(join(dataDir, 'postgres'))).toContain('data') // as root too: removing the folder removes all
  const subjects = Array.from({ length: 40 }, (_, i) => `subject-${i}`)
  await Promise.all(subjects.map(subject => register(before.registryUrl, subject, schemaOf('long'))))

  await expect(startLocalStack({ dataDir, log: () => {} })).rejects.toMatchObject({
    code: 'STACK_IN_USE',
    context: { process: starter.pid },
  })
  starter.kill('SIGKILL')
  await expect.poll(() => running(before.pids), { timeout: 20_000 }).toBe(0)

  const exit = Promise.withResolvers<PartExit>()
  const again = await startLocalStack({ dataDir, log: () => {}, onExit: exit.resolve })
  onTestFinished(() => again.stop())
  expect(again).toMatchObject({ databaseUrl: before.databaseUrl, registryUrl: before.registryUrl })
  expect(await (await fetch(`${again.registryUrl}/subjects`)).json()).toHaveLength(subjects.length)

  again.kill('registry')
  expect(await exit.promise).toMatchObject({
    part: 'registry',
    signal: 'SIGKILL',
    logPath: `${again.logsDir}/registry.log`,
  })
  await again.restart('registry')
  expect(await (await fetch(`${again.registryUrl}/subjects`)).json()).toHaveLength(subjects.length)

  await again.stop()
  expect(running(again.pids)).toBe(0)
})
