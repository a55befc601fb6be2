import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Path of a file with that text, until the test ends. */
export function fileHolding(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'predio-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'given')
  writeFileSync(path, text)
  return path
}
