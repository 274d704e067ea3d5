/**
 * The least that the required work of a channel costs with Node, OpenSSL and ffmpeg: datagrams of three links are opened,
 * answered, sorted, checked for continuity, and one key frame every 1.5 s and all sound go to an ffmpeg that makes a still
 * and measures levels. Nothing is handed on. `least-channel.ts <port>`; it answers any line with what came so far.
 */
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { echoResponse } from '@backhaul/bonding/rtcp'
import { isRtcp, readRtp } from '@backhaul/bonding/rtp'
import { SessionOpener, SessionSealer, ssrcOfSession } from '@backhaul/bonding/session-seal'
import { benchKey, benchSession } from '../bonding/session.ts'
import { answerLines } from '../load/load-program.ts'

const packetBytes = 188
const stillEveryMs = 1500
/** ffmpeg has recognized the streams by then. */
const wholeForMs = 3000
const gatherMs = 100
/** ffmpeg takes a picture apart when the one after the next begins. */
const picturesToEnd = 2
const earlyAtMost = 100

const analysis = spawn(
  'ffmpeg',
  [
    '-nostdin -v error -threads 1 -filter_threads 1 -skip_frame nokey -f mpegts -i pipe:0',
    '-map 0:v:0 -vf scale=480:-2 -vsync passthrough -c:v mjpeg -q:v 6 -f image2pipe pipe:1',
    "-map 0:a:0 -af asetnsamples=n=9600:p=0,astats=metadata=1:reset=1,ametadata=print:file='pipe\\:3':direct=1 -f null -",
  ].flatMap((part) => part.split(' ')),
  { stdio: ['pipe', 'pipe', 'ignore', 'pipe'] },
)
let stillBytes = 0
let levelBytes = 0
analysis.stdout?.on('data', (bytes: Buffer) => {
  stillBytes += bytes.length
})
analysis.stdio[3]?.on('data', (bytes: Buffer) => {
  levelBytes += bytes.length
})
process.on('exit', () => analysis.kill('SIGKILL'))

const startedMs = performance.now()
const counters = new Map<number, number>()
let packets = 0
let errors = 0
let videoPid = -1
let decodedMs = 0
let isPassing = true
let endings = 0
let gathered: Buffer[] = []

/** Whether the packet belongs to sound, tables, or a picture that is to be decoded. */
function passes(payload: Buffer, at: number, pid: number): boolean {
  const hasAdaptation = (payload[at + 3]! & 0x20) !== 0 && payload[at + 4]! > 0
  const isKeyFrame = hasAdaptation && (payload[at + 5]! & 0x40) !== 0
  const isStart = (payload[at + 1]! & 0x40) !== 0
  const start = at + 4 + ((payload[at + 3]! & 0x20) !== 0 ? 1 + payload[at + 4]! : 0)
  if (videoPid < 0 && isStart && payload.readUInt32BE(start) === 0x1e0) videoPid = pid
  const nowMs = performance.now()
  if (pid !== videoPid || nowMs - startedMs < wholeForMs) return true
  if (!isStart) return isPassing
  isPassing = isKeyFrame && nowMs - decodedMs >= stillEveryMs
  if (isPassing) decodedMs = nowMs
  endings = isPassing ? picturesToEnd : endings - 1
  return isPassing || endings >= 0
}

function take(payload: Buffer): void {
  for (let at = 0; at + packetBytes <= payload.length; at += packetBytes) {
    packets++
    const pid = ((payload[at + 1]! & 0x1f) << 8) | payload[at + 2]!
    if ((payload[at + 3]! & 0x10) !== 0 && pid !== 0x1fff) {
      const counter = payload[at + 3]! & 0x0f
      const before = counters.get(pid)
      if (before !== undefined && counter !== ((before + 1) & 0x0f)) errors++
      counters.set(pid, counter)
    }
    if (passes(payload, at, pid)) gathered.push(payload.subarray(at, at + packetBytes))
  }
}
setInterval(() => {
  if (gathered.length === 0) return
  analysis.stdin?.write(Buffer.concat(gathered))
  gathered = []
}, gatherMs)

const session = { key: benchKey, sessionId: benchSession }
const ssrc = ssrcOfSession(benchSession)
const sealer = new SessionSealer(session, 'receiver')
const opener = new SessionOpener(session, 'sender')
/** By sequence number, until those before have come. */
const early = new Map<number, Buffer>()
let next: number | undefined
const input = createSocket('udp4').on('message', (datagram, from) => {
  if (isRtcp(datagram)) {
    if (!opener.openControl(datagram)) return
    input.send(sealer.sealControl(echoResponse(ssrc, 0n)), from.port, from.address)
    return
  }
  const packet = readRtp(datagram)
  const opened = packet && opener.openMedia(datagram, packet)
  if (!packet || !opened) return
  next ??= packet.sequence
  early.set(packet.sequence, opened.payload)
  // Nothing repairs here: what is lost is lost.
  if (early.size > earlyAtMost) while (!early.has(next)) next = (next + 1) & 0xffff
  for (let payload = early.get(next); payload; payload = early.get(next)) {
    early.delete(next)
    next = (next + 1) & 0xffff
    take(payload)
  }
})
await new Promise<void>((resolve) => input.bind(Number(process.argv[2]), '127.0.0.1', () => resolve()))
input.setRecvBufferSize(4 << 20)
answerLines(() => ({ packets, errors, stillBytes, levelBytes }))
