import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The unit's serial number: made once and kept in its data folder, so that a copied folder is the same unit. */
export function keptSerialNumber(dataFolder: string): string {
  const path = join(dataFolder, 'serial-number')
  try {
    const kept = readFileSync(path, 'utf8').trim()
    if (kept) return kept
  } catch {
    // The first start: there is none yet.
  }
  const serialNumber = randomBytes(5).toString('hex').toUpperCase()
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(path, `${serialNumber}\n`)
  return serialNumber
}
