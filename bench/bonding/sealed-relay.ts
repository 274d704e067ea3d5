/**
 * The cost in Node of the datagrams, their encryption and the answers of each link, without bonding and repair:
 * `sealed-relay.ts seal|open <host> <port> <host:port>…`. The floor of each end of an encrypted bond in JavaScript.
 */
import { createSocket } from 'node:dgram'
import { echoRequest, echoResponse, senderReport } from '@backhaul/bonding/rtcp'
import { isRtcp, readRtp } from '@backhaul/bonding/rtp'
import { SessionOpener, SessionSealer, ssrcOfSession } from '@backhaul/bonding/session-seal'
import { benchKey, benchSession } from './session.ts'

const reportMs = 100
const [work, host = '', port, ...targets] = process.argv.slice(2)
const session = { key: benchKey, sessionId: benchSession }
const ssrc = ssrcOfSession(benchSession)
const outputs = await Promise.all(
  targets.map(async (target) => {
    const [targetHost = '', targetPort] = target.split(':')
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.connect(Number(targetPort), targetHost, resolve))
    return socket
  }),
)
const input = createSocket('udp4')

function seal(): void {
  const sealer = new SessionSealer(session, 'sender')
  const opener = new SessionOpener(session, 'receiver')
  let sent = 0
  input.on('message', (payload) => {
    const header = { sequence: sent % 0x10000, timestamp: 0, ssrc }
    outputs[sent % outputs.length]?.send(sealer.sealMedia(header, Math.floor(sent / 0x10000), payload))
    sent++
  })
  for (const output of outputs) output.on('message', (datagram) => opener.openControl(datagram))
  setInterval(() => {
    const report = senderReport({ ssrc, wallMs: Date.now(), timestamp: 0, packets: sent, bytes: 0 })
    for (const output of outputs)
      output.send(sealer.sealControl(Buffer.concat([report, echoRequest(ssrc, 0n)])))
  }, reportMs)
}

function open(): void {
  const sealer = new SessionSealer(session, 'receiver')
  const opener = new SessionOpener(session, 'sender')
  input.on('message', (datagram, from) => {
    if (isRtcp(datagram)) {
      if (!opener.openControl(datagram)) return
      input.send(sealer.sealControl(echoResponse(ssrc, 0n)), from.port, from.address)
      return
    }
    const packet = readRtp(datagram)
    const opened = packet && opener.openMedia(datagram, packet)
    if (opened) outputs[0]?.send(opened.payload)
  })
}

if (work === 'seal') seal()
else open()
input.bind(Number(port), host)
