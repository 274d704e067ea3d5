// A package for upgrades of devices: the folder of a built program as a tar.gz, after a signed line about it.
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type PackageManifest, packageHead } from '@backhaul/runtime/software-package'
import { packFolder } from './archive.ts'

export interface ProgramPackage {
  /** Its `main.js` is started. */
  folder: string
  about: Pick<PackageManifest, 'program' | 'version' | 'node'>
  privateKey: KeyObject
  /** The file that is made. */
  target: string
  /** Since 1970: the time that every file gets. */
  seconds: number
}

export async function packProgram({ folder, about, privateKey, target, seconds }: ProgramPackage) {
  const archive = `${target}.tar.gz`
  await packFolder(folder, archive, seconds)
  try {
    const head = packageHead(
      {
        format: 1,
        ...about,
        bytes: statSync(archive).size,
        unpackedBytes: bytesBelow(folder),
        sha256: await sha256Of(archive),
      },
      privateKey,
    )
    await pipeline(async function* () {
      yield Buffer.from(head)
      yield* createReadStream(archive)
    }, createWriteStream(target))
  } finally {
    rmSync(archive, { force: true })
  }
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
