// Bonded, encrypted units for benchmarks: each plays a clip of ten seconds without end over three links, to the port that it is given
// in a line of JSON. Ends with its standard input.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createSender } from '@backhaul/bonding/sender'
import { playClip, readClip } from '../loops/ts-player.ts'

const clipMs = 10_000
const linkAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

interface Transmission {
  sessionId: string
  port: number
}

const clip = readClip(readFileSync(process.argv[2] ?? ''), clipMs)
let started = 0

function send({ sessionId, port }: Transmission): void {
  const links = linkAddresses.map((localAddress) => ({
    id: localAddress,
    localAddress,
    remoteHost: '127.0.0.1',
    remotePort: port,
    startKbps: 3000,
  }))
  const sender = createSender({ sessionId, key: Buffer.alloc(32, sessionId), bufferMs: 400, links })
  // Key frames of all channels at once would be a load of their own.
  playClip(clip, (started++ * 617) % clipMs, (packets) => sender.push(packets))
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    for (const one of JSON.parse(line) as Transmission[]) send(one)
    console.log('{}')
  })
  .on('close', () => process.exit(0))
