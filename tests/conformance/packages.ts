/** Signed packages of a program, made as an administrator makes them by npm. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../scripts/places.ts'

export interface Packages {
  /** As devices get it by BACKHAUL_UPGRADE_KEY. */
  readonly publicKey: string
  make(version: string): Buffer
}

export function createPackages(program: 'agent' | 'hub', folder: string): Packages {
  const keyFile = join(folder, 'signing.pem')
  return {
    publicKey: runScript('package-key.ts', keyFile).trim(),
    make(version) {
      runScript('package.ts', program, version, '--key', keyFile, '--out', folder)
      return readFileSync(join(folder, `${program}-${version}.bhp`))
    },
  }
}

/** Its standard output. */
function runScript(name: string, ...args: string[]): string {
  const path = join(repository, 'scripts', name)
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name}: ${stderr}`)
  return stdout
}
