// Serves files to core, whole or from any byte on.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileName, formatOf, RootDirectory } from '@backhaul/contract/nouns/files'
import { folderName } from './file-folders.ts'

const contentTypes = {
  mp4: 'video/mp4',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
}

/** /files/{root}/{channel}/{unit}/{name}, GET and HEAD. */
export async function serveFile(
  dataFolder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(dataFolder, request.url ?? '')
  const facts = await stat(path ?? '').catch(() => undefined)
  if (path === undefined || !facts?.isFile()) return void response.writeHead(404).end()
  const range = rangeOf(request.headers.range, facts.size)
  if (range === 'impossible')
    return void response.writeHead(416, { 'content-range': `bytes */${facts.size}` }).end()
  const { start, end } = range ?? { start: 0, end: facts.size - 1 }
  const format = formatOf(path)
  response.writeHead(range ? 206 : 200, {
    'content-type': format ? contentTypes[format] : 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'last-modified': facts.mtime.toUTCString(),
    ...(range && { 'content-range': `bytes ${start}-${end}/${facts.size}` }),
  })
  if (request.method === 'HEAD' || facts.size === 0) return void response.end()
  // The client may disconnect at any time; a growing file is served up to the size that it had at first.
  await pipeline(createReadStream(path, { start, end }), response).catch(() => response.destroy())
}

/** Undefined for a path that does not name a file below a root. */
function pathOf(dataFolder: string, url: string): string | undefined {
  const [root, channelId, unitId, fileName, ...more] = (url.split('?')[0] ?? '')
    .split('/')
    .slice(2)
    .map(decoded)
  const isRoot = RootDirectory.safeParse(root).success
  if (!isRoot || more.length > 0 || !FileName.safeParse(fileName).success) return undefined
  return join(dataFolder, root ?? '', folderName(channelId ?? ''), folderName(unitId ?? ''), fileName ?? '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** One range, as browsers request it; undefined for the whole file. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'impossible' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const last = size - 1
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? last : Math.min(last, Number(found[2]))
  return start > end || start > last ? 'impossible' : { start, end }
}
