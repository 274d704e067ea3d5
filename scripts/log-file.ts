import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

const limitBytes = 16 << 20

/** Appends lines to a file; past 16 MB the file becomes `<path>.1` and a new one begins, so logs never fill a disk. */
export function openLogFile(path: string, sizeLimitBytes = limitBytes): (line: string) => void {
  let file = openSync(path, 'a')
  let sizeBytes = fstatSync(file).size
  return (line) => {
    if (sizeBytes >= sizeLimitBytes) {
      closeSync(file)
      renameSync(path, `${path}.1`)
      file = openSync(path, 'a')
      sizeBytes = 0
    }
    sizeBytes += writeSync(file, `${line}\n`)
  }
}
