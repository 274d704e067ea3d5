// Serves files to core, whole or from any byte on.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { contentTypeOf, FileName, RootDirectory } from '@backhaul/contract/nouns/files'
import { rangeOf } from '@backhaul/runtime/byte-range'
import { folderName } from './file-folders.ts'

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
  response.writeHead(range ? 206 : 200, {
    'content-type': contentTypeOf(path),
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
