// The door by which a hub gives its files: any byte range of some content, as slow or broken as a test wants it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ContentServer {
  port: number
  /** The first byte of each request. */
  from: number[]
  /** From now on: after this many bytes of an answer the connection breaks, or nothing more comes. */
  after(bytes: number, then: 'break' | 'stall' | undefined): void
  close(): void
}

export async function serveContent(content: Buffer): Promise<ContentServer> {
  const from: number[] = []
  let [limit, then]: [number, 'break' | 'stall' | undefined] = [Number.POSITIVE_INFINITY, undefined]
  const server = createServer((request, response) => {
    const [, first = '0', last] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
    const part = content.subarray(Number(first), last ? Number(last) + 1 : undefined)
    from.push(Number(first))
    response.writeHead(206, { 'content-length': part.length })
    if (part.length <= limit || then === undefined) return void response.end(part)
    response.write(part.subarray(0, limit), () => {
      if (then === 'break') response.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    from,
    after(bytes, what) {
      limit = bytes
      then = what
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
