// The names of ingested files: any name becomes one that every file system accepts.
import { parse } from 'node:path'
import { FILE_NAME_LENGTH } from '@backhaul/contract/nouns/files'

const LONGEST_ENDING = 16

/** Letters without their marks; `_` for what a name cannot hold. */
export function fileNameFor(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w@~+={},!(). -]/g, '_')
    .replace(/^[. ]+/, '')
    .trimEnd()
  const { name, ext } = parse(plain)
  const ending = ext.slice(0, LONGEST_ENDING)
  return `${name.slice(0, FILE_NAME_LENGTH - ending.length).trimEnd() || 'file'}${ending}`
}

/** `Harbour.mp4`, `Harbour (2).mp4`, …, none longer than a name may be. */
export function numbered(fileName: string, count: number): string {
  if (count === 1) return fileName
  const { name, ext } = parse(fileName)
  const number = ` (${count})`
  return `${name.slice(0, FILE_NAME_LENGTH - ext.length - number.length)}${number}${ext}`
}

/** Other programs write under such names, and give the file its own when it is complete; documents come with their file. */
export const isUnfinishedName = (name: string): boolean =>
  name.startsWith('.') || /\.(part|partial|filepart|tmp|crdownload)$/i.test(name)
