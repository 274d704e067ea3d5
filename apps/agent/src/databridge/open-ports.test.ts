// The ports of the databridge at the unit: why one cannot be opened, and that none of the others is left open then.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { Tunnel } from '@backhaul/bonding/tunnel'
import { expect, onTestFinished, test } from 'vitest'
import { openPorts } from './open-ports.ts'

const host = '127.0.0.1'
/** An address that no machine has (RFC 5737). */
const elsewhere = '192.0.2.1'
const protocols = ['tcp', 'udp'] as const
/** No data are sent in these tests. */
const tunnel: Pick<Tunnel, 'open' | 'sendDatagram'> = {
  open() {
    throw new Error('nothing is sent in these tests')
  },
  sendDatagram() {},
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  return server
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

async function freePort(): Promise<number> {
  const server = await listening()
  const port = portOf(server)
  await new Promise((done) => server.close(done))
  return port
}

test('[DBIP-001] a port that another program uses is named, and those before it are closed again', async () => {
  const [free, server, socket] = [await freePort(), await listening(), createSocket('udp4').bind(0, host)]
  onTestFinished(() => {
    server.close()
    socket.close()
  })
  await once(socket, 'listening')
  const taken = { tcp: portOf(server), udp: socket.address().port }
  for (const protocol of protocols) {
    const port = taken[protocol]
    const ports = [
      { protocol: 'tcp' as const, port: free },
      { protocol, port },
    ]
    await expect(openPorts(host, ports, tunnel)).rejects.toMatchObject({
      message: `Another program of the unit uses port ${port}.`,
      cause: { code: 'databridge.portTaken' },
    })
  }
  const opened = await openPorts(host, [{ protocol: 'tcp', port: free }], tunnel)
  opened.close()
})

test('[DBIP-001] a port that the unit cannot open for another reason is refused with that reason', async () => {
  const port = await freePort()
  for (const protocol of protocols)
    await expect(openPorts(elsewhere, [{ protocol, port }], tunnel)).rejects.toMatchObject({
      message: expect.stringMatching(`^The unit cannot open port ${port} \\(.*EADDRNOTAVAIL`),
      cause: { code: 'databridge.portFailed' },
    })
})
