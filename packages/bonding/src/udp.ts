// UDP sockets for many datagrams a second to addresses that are known.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram'
import { lookup } from 'node:dns'
import { isIP } from 'node:net'

/** Node looks up the address of every datagram, a turn of the event loop each; an address needs no looking up. */
const findAddress: NonNullable<SocketOptions['lookup']> = (host, options, done) => {
  const family = isIP(host)
  if (family === 0) lookup(host, options, done)
  else done(null, host, family)
}

/** Of the family of the address. */
export function createUdpSocket(address: string): Socket {
  return createSocket({ type: isIP(address) === 6 ? 'udp6' : 'udp4', lookup: findAddress })
}
