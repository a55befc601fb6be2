import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type PartnerClient, partnerClients } from '../../../connectors/crm-source/partner-client.ts'
import { fakeClock, partnerAt, partnerFor, recordingLog, rigAt } from './rig.ts'

function secretFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'predio-credential-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'key')
  writeFileSync(path, text)
  return { path, changes: { auth: { header: 'x-api-key', secret: `file:${path}` } } }
}

describe('row 25: the credential is rotated while we run', () => {
  test('a refusal lets us look into the file again, and the request is tried once more', async () => {
    const { path, changes } = secretFile('old\n')
    const partner = await partnerFor({ apiKey: 'old' })
    const rig = rigAt(partner.baseUrl, { changes })
    await rig.read()

    const rotated = await partnerFor({ apiKey: 'new' })
    const next = rigAt(rotated.baseUrl, { changes })
    writeFileSync(path, 'new\n')
    expect(await next.read('deletions', {})).toMatchObject({ status: 200 })
    await next.read()
    expect(rotated.requests.map(({ status, headers }) => [status, headers['x-api-key']])).toEqual([
      [401, 'old'],
      [200, 'new'],
      [200, 'new'],
    ])
    expect(next.lines.map(line => JSON.parse(line))).toMatchObject([{ event: 'credential_renewed', partner: 'acme' }])
  })

  test('while both are good, nobody asks for the new one', async () => {
    const { path, changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'old' })
    const rig = rigAt(partner.baseUrl, { changes })
    writeFileSync(path, 'new')
    await rig.read()
    expect(partner.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['old'])
  })

  test('the new one is refused, too: one try, not a loop', async () => {
    const { path, changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'another' })
    const rig = rigAt(partner.baseUrl, { changes })
    writeFileSync(path, 'new')
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_AUTH', context: { status: 401 } })
    expect(partner.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['old', 'new'])
  })

  test('a file that changes all the time: one try for each request', async () => {
    const { path, changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'k', fault: () => ({ kind: 'status', status: 403 }) })
    const rig = rigAt(partner.baseUrl, { changes })
    const changing = partner.awaitRequest(({ headers }) => headers['x-api-key'] === 'newer')
    partner.awaitRequest(() => true).then(() => writeFileSync(path, 'newer'))
    changing.then(() => writeFileSync(path, 'newest'))
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_AUTH' })
    expect(partner.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['old', 'newer'])
  })

  test('row 8: the same one is not tried twice', async () => {
    const { changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'new' })
    expect(await rigAt(partner.baseUrl, { changes }).failure()).toMatchObject({ code: 'PARTNER_AUTH' })
    expect(partner.requests).toHaveLength(1)
  })

  test.each([
    { name: 'gone', change: (path: string) => rmSync(path) },
    { name: 'empty, as it is just being written', change: (path: string) => writeFileSync(path, '') },
    { name: 'no header’s text', change: (path: string) => writeFileSync(path, 'a\nb') },
  ])('a file that is $name: the cycle fails and says so, the next one looks again', async ({ change }) => {
    const { path, changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'new' })
    const rig = rigAt(partner.baseUrl, { changes })
    rmSync(path)
    writeFileSync(path, 'old')
    change(path)
    expect(await rig.failure()).toMatchObject({
      code: 'PARTNER_AUTH',
      context: { status: 401, reason: 'the secret cannot be read again' },
    })
    writeFileSync(path, 'new')
    expect(await rig.read()).toMatchObject({ status: 200 })
  })

  test('403 counts like 401', async () => {
    const { path, changes } = secretFile('old')
    const partner = await partnerFor({ apiKey: 'old' })
    const rig = rigAt(partner.baseUrl, { changes })
    partner.fault(({ requestNumber }) => (requestNumber === 1 ? { kind: 'status', status: 403 } : undefined))
    writeFileSync(path, 'old-2')
    expect(await rig.failure(), 'the new one met a 401').toMatchObject({
      code: 'PARTNER_AUTH',
      context: { status: 401 },
    })
    expect(partner.requests.map(({ status }) => status)).toEqual([403, 401])
  })
})

describe('one pace for each credential (S16)', () => {
  const ports = () => ({ variables: { KEY: 'k', OTHER: 'k2' }, clock: fakeClock(), log: recordingLog().log })
  const closing = (clients: Map<string, PartnerClient>) => {
    onTestFinished(async () => void (await Promise.all([...clients.values()].map(client => client.close()))))
    return clients
  }

  test('partners of one origin with one secret share it: what one is told, the other waits for', async () => {
    const { baseUrl } = await partnerFor({ apiKey: 'k' })
    const clock = fakeClock()
    const told = await partnerFor({
      apiKey: 'k',
      fault: ({ requestNumber }) =>
        requestNumber === 1 ? { kind: 'headers', headers: { ratelimit: '"q";r=0;t=9' } } : undefined,
    })
    const partners = [
      partnerAt(told.baseUrl, { id: 'north' }),
      partnerAt(told.baseUrl, { id: 'south' }),
      partnerAt(told.baseUrl, { id: 'other-secret', auth: { header: 'x-api-key', secret: 'env:OTHER' } }),
      partnerAt(baseUrl, { id: 'other-origin' }),
    ]
    const clients = closing(partnerClients(partners, { ...ports(), clock }))
    expect([...clients.keys()].sort()).toEqual(['north', 'other-origin', 'other-secret', 'south'])
    const read = (id: string) => clients.get(id)!.read('deletions', {}, rigAt(baseUrl).budget)
    await read('north')
    await read('other-origin')
    await expect(read('other-secret')).rejects.toMatchObject({ code: 'PARTNER_AUTH' })
    expect(clock.slept).toEqual([])
    await read('south')
    expect(clock.slept).toEqual([9_000])
  })

  test('the slowest pace of those who share it counts', async () => {
    const { baseUrl, requests } = await partnerFor({ apiKey: 'k' })
    const slow = partnerAt(baseUrl, { id: 'slow', requests_per_minute: 0.01 })
    const clients = closing(partnerClients([partnerAt(baseUrl, { id: 'quick' }), slow], ports()))
    const stop = new AbortController()
    const { budget } = rigAt(baseUrl, { stop: stop.signal })
    const read = () => clients.get('quick')!.read('deletions', {}, budget)
    await read()
    const second = expect(read()).rejects.toMatchObject({ code: 'CYCLE_STOPPED' })
    for (let others = 0; others < 3; others++) await rigAt(baseUrl, { key: 'k' }).read() // it had all the time
    stop.abort()
    await second
    expect(requests).toHaveLength(4)
  })

  test.each([
    { name: 'missing', variables: {} },
    { name: 'a header cannot carry', variables: { KEY: 'a\r\nx-evil: 1' } },
    { name: 'not ASCII', variables: { KEY: 'contraseña' } },
  ])('a secret that is $name stops the start (row 63)', ({ variables }) => {
    const start = () => partnerClients([partnerAt('http://127.0.0.1:1')], { ...ports(), variables })
    expect(start).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(start).not.toThrow(/evil|contrase/)
  })
})
