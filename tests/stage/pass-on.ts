import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/** Where a stream goes: a socket of the file system, which all network namespaces share, or a port. */
export type Place = { path: string } | { host: string; port: number }

/** Passes everything that comes to one place on to another one, until it is closed. */
export async function passOn(from: Place, to: Place): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  server.listen(from)
  await once(server, 'listening')
  return server
}
