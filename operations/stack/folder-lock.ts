import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PredioError } from '../../schemas/errors.ts'
import { birthOf } from './process-birth.ts'

interface Identity {
  readonly pid: number
  readonly birth: string
}
export interface Holder extends Identity {
  readonly children: readonly Identity[]
}
export type LockState =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly pid: number }
  /** the holder is dead, but what it started is still writing into the folder */
  | { readonly kind: 'ending'; readonly pid: number }

export interface FolderLock {
  /** Names a process that must be gone before somebody else may take the lock over. */
  addChild(pid: number): void
  release(): void
}

/** The watchdogs of a killed holder end its children within 10 s. */
const ENDING_LIMIT_MS = 20_000
const LOOK_AGAIN_MS = 200
/** Between creating the file and writing it lie microseconds; an empty file older than this is a crash's. */
const WRITING_LIMIT_MS = 5_000

export function lockStateOf(holder: Holder, birth: (pid: number) => string | undefined): LockState {
  const runs = (who: Identity) => birth(who.pid) === who.birth
  if (runs(holder)) return { kind: 'held', pid: holder.pid }
  const left = holder.children.find(runs)
  return left === undefined ? { kind: 'free' } : { kind: 'ending', pid: left.pid }
}

/**
 * One process at a time. A lock whose holder and children are dead is taken over.
 *
 * @param path     the lock file; its folder must exist
 * @param onHeld   'fail': STACK_IN_USE at once; 'wait': until the holder is done
 * @throws         STACK_IN_USE, or the signal's reason
 */
export async function lockFolder(path: string, onHeld: 'fail' | 'wait', signal: AbortSignal): Promise<FolderLock> {
  const me: Holder = { pid: process.pid, birth: birthOf(process.pid) ?? 'unknown', children: [] }
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    signal.throwIfAborted()
    if (created(path, me)) return lockOf(path, me)
    const state = stateOf(path)
    if (state.kind === 'free') continue
    const patient = state.kind === 'held' ? onHeld === 'wait' : waitedMs < ENDING_LIMIT_MS
    if (!patient) throw new PredioError('STACK_IN_USE', { folder: dirname(path), process: state.pid })
    await sleep(LOOK_AGAIN_MS, undefined, { signal })
  }
}

function created(path: string, me: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(me), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Looks at the file and clears it away where it is stale. */
function stateOf(path: string): LockState {
  try {
    const text = readFileSync(path, 'utf8')
    const state = text === '' ? unwrittenState(path) : lockStateOf(JSON.parse(text) as Holder, birthOf)
    if (state.kind === 'free') clearAway(path, text)
    return state
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'free' }
    throw error
  }
}

function unwrittenState(path: string): LockState {
  return Date.now() - statSync(path).mtimeMs < WRITING_LIMIT_MS ? { kind: 'ending', pid: 0 } : { kind: 'free' }
}

/** Two may find the same stale lock. Only the one that moves away the very text it has read may go on to create. */
function clearAway(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`
  renameSync(path, aside)
  if (readFileSync(aside, 'utf8') === stale) rmSync(aside)
  else renameSync(aside, path)
}

function lockOf(path: string, me: Holder): FolderLock {
  const children: Identity[] = []
  return {
    addChild(pid) {
      const birth = birthOf(pid)
      if (birth === undefined) return
      children.push({ pid, birth })
      const next = `${path}.next`
      writeFileSync(next, JSON.stringify({ ...me, children }), { mode: 0o600 })
      renameSync(next, path)
    },
    release: () => rmSync(path, { force: true }),
  }
}
