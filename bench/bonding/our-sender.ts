/** Our bonded sender as a process: `our-sender.ts <input port> <buffer ms> <id=host:port>… [--keyed]`. */
import { createSocket } from 'node:dgram'
import { createSender } from '@backhaul/bonding/sender'
import { benchKey, benchSession } from './session.ts'

const [inputPort, bufferMs, ...targets] = process.argv.slice(2).filter((word) => word !== '--keyed')
const links = targets.map((target) => {
  const [id = '', address = ''] = target.split('=')
  const [remoteHost = '', port] = address.split(':')
  return { id, remoteHost, remotePort: Number(port) }
})
const key = process.argv.includes('--keyed') ? benchKey : undefined
const sender = createSender({ sessionId: benchSession, links, bufferMs: Number(bufferMs), key })
const input = createSocket('udp4').on('message', (datagram) => sender.push(datagram))
input.bind(Number(inputPort), '127.0.0.1', () => input.setRecvBufferSize(4 << 20))
