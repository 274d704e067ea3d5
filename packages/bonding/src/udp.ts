// UDP sockets for many datagrams a second to addresses that are known.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram'
import { lookup } from 'node:dns'
import { isIP } from 'node:net'

/** A socket of the family of the address. */
export function createUdpSocket(address: string): Socket {
  const type = isIP(address) === 6 ? 'udp6' : 'udp4'
  return createSocket({ type, lookup: createFind() })
}

/** Node looks up the address of every datagram, a turn of the event loop each; an address needs no looking up. */
function createFind(): NonNullable<SocketOptions['lookup']> {
  /** Nearly every datagram goes where the last one went. */
  let last = { host: '', family: 0 }
  return (host, options, done) => {
    if (host !== last.host) last = { host, family: isIP(host) }
    if (last.family === 0) lookup(host, options, done)
    else done(null, host, last.family)
  }
}
