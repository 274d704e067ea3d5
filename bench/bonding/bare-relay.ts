/**
 * What Node spends on the datagrams alone: `bare-relay.ts <host> <port> <host:port>…` forwards each to the next of the
 * addresses, without bonding, repair and encryption. The floor of each end of a link in JavaScript.
 */
import { createSocket } from 'node:dgram'

const [host = '', port, ...targets] = process.argv.slice(2)
const outputs = await Promise.all(
  targets.map(async (target) => {
    const [targetHost = '', targetPort] = target.split(':')
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.connect(Number(targetPort), targetHost, resolve))
    return socket
  }),
)
let forwarded = 0
createSocket('udp4')
  .on('message', (datagram) => outputs[forwarded++ % outputs.length]?.send(datagram))
  .bind(Number(port), host)
