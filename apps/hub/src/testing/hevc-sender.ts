// HEVC and AAC as an encoder sends them by enhanced RTMP, which the ffmpeg of Debian cannot.
import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { messageTypes, writeMessage } from '../intake/rtmp/chunks.ts'

const framesPerSecond = 25
const seconds = 4
const keyEvery = 25

const ffmpeg = (text: string, ...more: string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin'].concat(text.split(' '), more), { maxBuffer: 64 << 20 })

interface Sample {
  readonly payload: Buffer
  readonly offsetMs: number
}

/** Encodes to MP4, which holds what RTMP sends: the same description, and pictures with the length before each unit. */
function encodeHevc(): { description: Buffer; samples: Sample[] } {
  const source = `-f lavfi -i testsrc2=size=320x180:rate=${framesPerSecond} -t ${seconds}`
  const coding = `-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=2:keyint=${keyEvery}:min-keyint=${keyEvery}:scenecut=0:open-gop=0`
  const file = ffmpeg(
    `${source} ${coding} -video_track_timescale 1000 -f mp4 -movflags empty_moov+default_base_moof+frag_every_frame pipe:1`,
  )
  const samples: Sample[] = []
  let description: Buffer = Buffer.alloc(0)
  let offsetMs = 0
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    const box = file.subarray(at, at + file.readUInt32BE(at))
    const name = box.toString('latin1', 4, 8)
    if (name === 'moov') description = innerBox(box, 'hvcC')
    // The offset is the last field of the only sample, if there is one.
    if (name === 'moof') {
      const run = innerBox(box, 'trun')
      offsetMs = (run.readUInt32BE(0) & 0x800) === 0 ? 0 : run.readInt32BE(run.length - 4)
    }
    if (name === 'mdat') samples.push({ payload: box.subarray(8), offsetMs })
  }
  return { description, samples }
}

function innerBox(box: Buffer, name: string): Buffer {
  const at = box.indexOf(name, 0, 'latin1')
  return box.subarray(at + 4, at - 4 + box.readUInt32BE(at - 4))
}

/** Raw frames of 1024 samples at 48 kHz, in stereo. */
function encodeAac(): Buffer[] {
  const file = ffmpeg(
    `-f lavfi -i sine=frequency=440:sample_rate=48000 -t ${seconds} -ac 2 -c:a aac -f adts pipe:1`,
  )
  const frames: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const length = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff
    frames.push(file.subarray(at + 7, at + length))
    at += length
  }
  return frames
}

const stereo48k = Buffer.from([0x11, 0x90])

/** The stream to send: it is encoded first, since a connection on which nothing comes meanwhile is closed as silent. */
interface HevcStream extends ReturnType<typeof encodeHevc> {
  readonly sound: readonly Buffer[]
}

export const encodeStream = (): HevcStream => ({ ...encodeHevc(), sound: encodeAac() })

/** Publishes on the connection in real time until the returned function is called. */
export function sendHevc(socket: Socket, { description, samples, sound }: HevcStream): () => void {
  const send = (type: number, timestampMs: number, ...parts: (Buffer | number[] | string)[]) => {
    const payload = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)))
    if (socket.writable) socket.write(writeMessage(type, payload, 1, timestampMs))
  }
  send(messageTypes.chunkSize, 0, [0, 1, 0, 0])
  send(messageTypes.video, 0, [0x90], 'hvc1', description)
  send(messageTypes.audio, 0, [0xaf, 0], stereo48k)
  let frame = 0
  let soundFrame = 0
  const timer = setInterval(() => {
    const timestampMs = (frame * 1000) / framesPerSecond
    const { payload, offsetMs } = samples[frame % samples.length] as Sample
    const offset = Buffer.alloc(3)
    offset.writeIntBE(offsetMs, 0, 3)
    const isKey = (frame % samples.length) % keyEvery === 0
    send(messageTypes.video, timestampMs, [isKey ? 0x91 : 0xa1], 'hvc1', offset, payload)
    for (; (soundFrame * 1024) / 48 <= timestampMs; soundFrame++)
      send(
        messageTypes.audio,
        Math.round((soundFrame * 1024) / 48),
        [0xaf, 1],
        sound[soundFrame % sound.length] as Buffer,
      )
    frame++
  }, 1000 / framesPerSecond)
  return () => clearInterval(timer)
}
