import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDirOf } from '../stack/stack-cache.ts'

/** What another terminal needs to find a running `predio start`. */
const SHARED = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'PREDIO_PARTNERS', 'PREDIO_PREFIX'] as const

const fileIn = (dataDir: string): string => join(dataDir, 'session.json')

/** Readable by the user alone: the local database's password is in it. @returns removes it again */
export function writeSession(dataDir: string, variables: NodeJS.ProcessEnv): () => void {
  const file = fileIn(dataDir)
  const shared = Object.fromEntries(SHARED.map(name => [name, variables[name]]))
  writeFileSync(file, JSON.stringify(shared), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The variables as they are, or with those of a running `predio start` where none of them says where Kafka is. */
export function withSession(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (variables.KAFKA_BROKERS) return variables
  try {
    const text = readFileSync(fileIn(join(cacheDirOf(variables), 'data')), 'utf8')
    return { ...(JSON.parse(text) as NodeJS.ProcessEnv), ...variables }
  } catch {
    return variables
  }
}
