// An archive whose bytes depend on nothing but the files: sorted names, one time, no owner, modes without the umask.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Packs the folder under its own name into a tar.gz; `seconds` since 1970 is the time that every file gets. */
export async function packFolder(folder: string, archive: string, seconds: number): Promise<void> {
  const args = [
    '--create',
    '--format=gnu',
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+rX,go-w',
    `--directory=${dirname(folder)}`,
    basename(folder),
  ]
  const tar = spawn('tar', args, {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, [code]] = await Promise.all([
    text(tar.stderr),
    once(tar, 'close') as Promise<[number | null]>,
    pipeline(tar.stdout, createGzip(), createWriteStream(archive)),
  ])
  if (code !== 0) throw new Error(`tar ended with code ${code}: ${output.trim()}`)
}
