// The door from which core fetches the files of all simulated servers: one port, each request signed with the key of its server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { contentTypeOf } from '@backhaul/contract/nouns/files'
import { rangeOf } from '@backhaul/runtime/byte-range'
import { isSigned, steadyMs } from '@backhaul/runtime/signed-requests'

/** A file as it is at this moment. */
export interface OpenContent {
  fileName: string
  sizeBytes: number
  modifiedMs: number
  /** From `from` to before `to`. */
  read(from: number, to: number): Uint8Array
}

/** The files of one server. */
export interface ServedFiles {
  /** By its path; undefined where there is no such file, or one without content. */
  open(path: string): OpenContent | undefined
}

export interface Key {
  secret: string
  /** The offset of the clock that dates the signatures against the steady one of this machine. */
  coreAheadMs: number
}

export interface FileDoor {
  readonly port: number
  /** A server gets its key at each welcome. */
  admit(files: ServedFiles, key: Key): void
  stop(): Promise<void>
}

const pieceBytes = 256 * 1024

export async function openFileDoor(host: string): Promise<FileDoor> {
  const keys = new Map<ServedFiles, Key>()

  /** The files of the server with whose key the request is signed. */
  function filesFor({ method = '', url: path = '', headers }: IncomingMessage): ServedFiles | undefined {
    const signature = String(headers[PREVIEW_SIGNATURE_HEADER] ?? '')
    const found = [...keys].find(([, { secret, coreAheadMs }]) =>
      isSigned(secret, { method, path }, steadyMs() + coreAheadMs, signature),
    )
    return found?.[0]
  }

  const server = createServer((request, response) => {
    const files = filesFor(request)
    if (!files) return void response.writeHead(401).end()
    const file = files.open(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    void send(file, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    admit: (files, key) => void keys.set(files, key),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(file: OpenContent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { fileName, sizeBytes, modifiedMs } = file
  const range = rangeOf(request.headers.range, sizeBytes)
  if (range === 'impossible')
    return void response.writeHead(416, { 'content-range': `bytes */${sizeBytes}` }).end()
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  response.writeHead(range ? 206 : 200, {
    'content-type': contentTypeOf(fileName),
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'last-modified': new Date(modifiedMs).toUTCString(),
    ...(range && { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
  })
  if (request.method === 'HEAD' || sizeBytes === 0) return void response.end()
  // The client may disconnect at any time.
  await pipeline(Readable.from(piecesOf(file, start, end + 1)), response).catch(() => response.destroy())
}

function* piecesOf({ read }: OpenContent, from: number, to: number): Iterable<Uint8Array> {
  for (let at = from; at < to; at += pieceBytes) yield read(at, Math.min(to, at + pieceBytes))
}
