import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Habits that matter are tests: what a reviewer would have to remember is checked here (design section 7). */
const ROOT = join(import.meta.dirname, '..')
const FILES = globSync('**/*.{ts,mts,mjs,js}', {
  cwd: ROOT,
  exclude: path => /^(node_modules|coverage|\..+)$/.test(basename(path)),
}).sort()
const SOURCES = FILES.filter(file => !file.startsWith('test/'))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

interface Import {
  readonly from: string
  /** A path from the root for what is ours, a package or `node:` module for what is not. */
  readonly to: string
  readonly isOurs: boolean
}

const IMPORT =
  /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'|\brequire(?:\.resolve)?\(\s*'([^']+)'/gm

function importsOf(from: string): Import[] {
  return [...read(from).matchAll(IMPORT)].map(match => {
    const written = match.slice(1).find(group => group !== undefined)!
    const isOurs = written.startsWith('.')
    return { from, to: isOurs ? join(dirname(from), written) : written, isOurs }
  })
}
const IMPORTS = SOURCES.flatMap(importsOf)
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
const told = ({ from, to }: Import): string => `${from} imports ${to}`

test('there is something to look at', () => {
  expect(SOURCES.length).toBeGreaterThan(100)
  expect(IMPORTS.filter(({ isOurs }) => isOurs).length).toBeGreaterThan(200)
  expect(IMPORTS.filter(({ isOurs, to }) => isOurs && !existsSync(join(ROOT, to))).map(told)).toEqual([])
})

describe('walls', () => {
  const isStart = (file: string): boolean => /^(connectors|processors)\/[^/]+\/main\.ts$/.test(file)

  test.each<{ name: string; isBroken: (crossing: Import) => boolean }>([
    {
      name: 'schemas imports nothing of ours but schemas',
      isBroken: ({ from, to, isOurs }) => from.startsWith('schemas/') && isOurs && !to.startsWith('schemas/'),
    },
    {
      name: 'schemas needs the Avro library and Node’s files and hashes, and nothing else',
      isBroken: ({ from, to, isOurs }) =>
        from.startsWith('schemas/') && !isOurs && !['avsc', 'node:crypto', 'node:fs'].includes(to),
    },
    {
      name: 'a processor knows no connector, but where it is started',
      isBroken: ({ from, to }) => from.startsWith('processors/') && to.startsWith('connectors/') && !isStart(from),
    },
    {
      name: 'a connector knows no processor',
      isBroken: ({ from, to }) => from.startsWith('connectors/') && to.startsWith('processors/'),
    },
    {
      name: 'a connector knows the folder of no other but kafka',
      isBroken: ({ from, to }) => {
        const [mine, theirs] = [from, to].map(path => /^connectors\/([^/]+)\//.exec(path)?.[1])
        return mine !== undefined && theirs !== undefined && theirs !== mine && theirs !== 'kafka'
      },
    },
    {
      name: 'nothing that a record travels through knows operations, examples or bench',
      isBroken: ({ from, to }) =>
        /^(schemas|data|connectors|processors)\//.test(from) && /^(operations|examples|bench|docs|test)\//.test(to),
    },
    {
      name: 'the example to copy knows nothing of ours',
      isBroken: ({ from, to, isOurs }) => from.startsWith('examples/') && isOurs && !to.startsWith('examples/'),
    },
    {
      name: 'tests are imported by tests alone',
      isBroken: ({ to, isOurs }) => isOurs && to.startsWith('test/'),
    },
    {
      name: 'a stage is joined to its drivers in its main.ts, which only operations loads',
      isBroken: ({ from, to }) => isStart(to) && !from.startsWith('operations/'),
    },
    {
      name: 'the rule book has no driver: no file, network, clock or logger',
      isBroken: ({ from, to, isOurs }) =>
        from.startsWith('processors/') && !isStart(from) && !isOurs && !PURE_PACKAGES.has(packageOf(to)),
    },
  ])('$name', ({ isBroken }) => {
    expect(IMPORTS.filter(isBroken).map(told)).toEqual([])
  })

  const PURE_PACKAGES = new Set(['libphonenumber-js', 'node:crypto'])

  const isKafka = ({ to, isOurs }: Import): boolean => !isOurs && /^(kafkajs|@kafkajs\/.+)$/.test(packageOf(to))

  test('connectors/kafka is the only folder that imports kafkajs and the registry client', () => {
    const crossings = IMPORTS.filter(isKafka).filter(({ from }) => !from.startsWith('connectors/kafka/'))
    expect(crossings.map(told)).toEqual([])
  })
})

/** What is known to be wrong, so that it cannot grow. Whoever mends one takes it out of its list. */
const TOO_LONG: string[] = []
const UNWRITTEN: string[] = []
const UNRAISED: string[] = []

describe('files', () => {
  test('none has more than 300 lines', () => {
    const linesOf = (file: string): number => read(file).trimEnd().split('\n').length
    expect(FILES.filter(file => linesOf(file) > 300)).toEqual(TOO_LONG)
  })

  test('none is named after what it is not about, and none is a barrel', () => {
    const names = /^(utils?|helpers?|lib|libs|common|misc|shared|types?|interfaces?|index|constants)$/
    const isNamedSo = (path: string): boolean => path.split('/').some(part => names.test(part.replace(/\..+$/, '')))
    expect(FILES.filter(isNamedSo)).toEqual([])
    const isBarrel = (file: string): boolean => {
      const lines = read(file)
        .split('\n')
        .filter(line => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line))
      return lines.length > 1 && lines.every(line => /^export .*\bfrom '/.test(line))
    }
    expect(SOURCES.filter(isBarrel)).toEqual([])
  })

  test('all are kebab-case', () => {
    const isKebab = (file: string): boolean =>
      file.split('/').every(part => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/.test(part))
    expect(FILES.filter(file => !isKebab(file))).toEqual([])
  })

  test('no test is called a test without being one, and stack tests say so', () => {
    const usesStack = (file: string): boolean => /\binject\(|support\/(kafka|pipeline|database)\.ts/.test(read(file))
    const pure = FILES.filter(file => file.endsWith('.test.ts') && !file.endsWith('.stack.test.ts'))
    expect(pure.filter(usesStack).filter(file => file !== 'test/architecture.test.ts')).toEqual([])
  })
})

describe('what the code refers to exists', () => {
  /** Where each reference stands, once. */
  function references(pattern: RegExp): Map<string, string> {
    const found = new Map<string, string>()
    for (const file of SOURCES) for (const [reference] of read(file).matchAll(pattern)) found.set(reference, file)
    return found
  }

  test('every assumption (docs/assumptions.md)', () => {
    const listed = [...read('docs/assumptions.md').matchAll(/^\| (A\d+) \|/gm)].map(match => match[1]!)
    expect(listed).toEqual(listed.map((_, index) => `A${index + 1}`)) // numbered without a gap, so none is ever renamed
    const cited = references(/\bA\d{1,2}\b/g)
    expect(cited.size).toBeGreaterThan(5)
    expect([...cited].filter(([number]) => !listed.includes(number))).toEqual([])
  })

  test('every decision record', () => {
    const numbers = globSync('docs/adr/*.md', { cwd: ROOT }).map(path => `ADR ${Number.parseInt(basename(path), 10)}`)
    const cited = references(/\bADR \d+\b/g)
    expect(cited.size).toBeGreaterThan(0)
    expect([...cited].filter(([number]) => !numbers.includes(number))).toEqual([])
  })

  test('every document', () => {
    const cited = references(/\bdocs\/[a-z0-9/-]+\.md\b/g)
    expect([...cited.keys()].filter(path => !existsSync(join(ROOT, path))).sort()).toEqual(UNWRITTEN)
  })

  test('every error that is listed is raised', () => {
    const raised = SOURCES.filter(file => !/^schemas\/error/.test(file))
      .map(read)
      .join('\n')
    const table = SOURCES.filter(file => /^schemas\/error/.test(file))
      .map(read)
      .join('\n')
    const codes = [...table.matchAll(/^ {2}([A-Z][A-Z_]+): \{/gm)].map(match => match[1]!)
    expect(codes.length).toBeGreaterThan(20)
    expect(codes.filter(code => !raised.includes(`'${code}'`))).toEqual(UNRAISED)
  })
})
