/** The stream that each kind of destination receives, at the other end. */
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Output, WantedChannel } from '@backhaul/contract/gateway/servers'
import { until } from '../stage/until.ts'
import { colourOfPicture } from './film.ts'
import { freePort } from './free-port.ts'
import { describe } from './received-picture.ts'
import { main, receiving } from './server-reception.ts'
import { inputKey, type ServerUnderTest } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'
import type { Cases } from './verdicts.ts'

interface Taking {
  alsoWanted?: Partial<WantedChannel>
  /** Done before anything that arrives counts. */
  first?: () => Promise<void>
  bytes?: number
  /** Whether the stream is sufficient; otherwise it is received again. */
  isEnough?: (stream: Buffer) => boolean
}

/** The stream received by a destination over UDP: whole MPEG-TS, and from which port. */
export async function takenByUdp(
  server: ServerUnderTest,
  more: Partial<Output>,
  { alsoWanted = {}, first = async () => {}, bytes = 400_000, isEnough = () => true }: Taking = {},
): Promise<{ stream: Buffer; port: number; ms: number }> {
  const far = createSocket('udp4').bind(0, '127.0.0.1')
  await once(far, 'listening')
  const packets: Buffer[] = []
  let port = 0
  far.on('message', (packet, from) => {
    packets.push(packet)
    ;({ port } = from)
  })
  const url = `udp://127.0.0.1:${far.address().port}`
  try {
    return await receiving(
      server,
      { ...alsoWanted, outputs: [{ id: 'out', protocol: 'mpegts', url, ...more }] },
      async () => {
        await first()
        await until('the destination to get something', () => packets.length > 0, patienceMs)
        return await until(
          'enough at the destination',
          async () => {
            packets.length = 0
            const beganMs = performance.now()
            const length = () => packets.reduce((sum, packet) => sum + packet.length, 0)
            await until(`${bytes} bytes at the destination`, () => length() > bytes, patienceMs)
            const stream = Buffer.concat(packets)
            return isEnough(stream) ? { stream, port, ms: performance.now() - beganMs } : undefined
          },
          patienceMs,
        )
      },
    )
  } finally {
    far.close()
  }
}

/** A player or a platform that waits for the stream: what it decodes of it. */
async function takenByFfmpeg(
  server: ServerUnderTest,
  args: readonly string[],
  output: Omit<Output, 'id'>,
): Promise<string> {
  const decode = '-an -frames:v 1 -vf scale=64:36:flags=area,format=rgb24 -f image2pipe -c:v png pipe:1'
  const taker = spawn(server.ffmpegPath, ['-v', 'quiet', '-nostdin', ...args, ...decode.split(' ')])
  const parts: Buffer[] = []
  taker.stdout.on('data', (part: Buffer) => parts.push(part))
  const ended = once(taker, 'exit')
  try {
    return await receiving(server, { outputs: [{ id: 'out', ...output }] }, async () => {
      const timer = setTimeout(() => taker.kill('SIGKILL'), patienceMs)
      await ended
      clearTimeout(timer)
      const colour = colourOfPicture(server.ffmpegPath, Buffer.concat(parts), 0.5, 0.5)
      if (colour !== 'red') throw new Error(`the destination got ${colour ?? 'no picture'}`)
      return 'the picture arrives at the destination'
    })
  } finally {
    taker.kill('SIGKILL')
  }
}

const hlsOutput = { id: 'out', protocol: 'hls', url: `hls://${inputKey}` } as const

const hlsAddress = (server: ServerUnderTest, file: string): string =>
  `${server.actual().webAddress?.replace('{host}', '127.0.0.1')}/hls/${inputKey}/${file}`

export const outputCases: Cases<ServerUnderTest> = {
  async 'output mpegts'(server) {
    const { stream } = await takenByUdp(server, {})
    if (stream[0] !== 0x47) throw new Error('it is no transport stream')
    return 'a transport stream by UDP'
  },
  async 'output srt'(server) {
    const port = await freePort()
    const url = `srt://127.0.0.1:${port}?mode=caller`
    return await takenByFfmpeg(server, ['-i', `srt://127.0.0.1:${port}?mode=listener`], {
      protocol: 'srt',
      url,
    })
  },
  async 'output rtmp'(server) {
    const url = `rtmp://127.0.0.1:${await freePort()}/live/key-1`
    return await takenByFfmpeg(server, ['-listen', '1', '-i', url], { protocol: 'rtmp', url })
  },
  async 'output rtsp'(server) {
    const url = `rtsp://127.0.0.1:${await freePort()}/live`
    const args = ['-rtsp_flags', 'listen', '-rtsp_transport', 'tcp', '-i', url]
    return await takenByFfmpeg(server, args, { protocol: 'rtsp', url })
  },
  async 'output hls'(server) {
    return await receiving(server, { outputs: [hlsOutput] }, async () => {
      await until('a list', async () => (await fetch(hlsAddress(server, 'index.m3u8'))).ok, patienceMs)
      const words = `-v quiet -i ${hlsAddress(server, 'index.m3u8')} -an -frames:v 1 -f image2pipe -c:v png pipe:1`
      const picture = spawnSync(server.ffmpegPath, words.split(' '), { timeout: patienceMs }).stdout
      const colour = colourOfPicture(server.ffmpegPath, picture, 0.5, 0.5)
      if (colour !== 'red') throw new Error(`a player gets ${colour ?? 'no picture'}`)
      return 'a player shows the picture'
    })
  },
  async 'output lowLatency'(server) {
    return await receiving(server, { outputs: [{ ...hlsOutput, lowLatency: true }] }, async () => {
      const list = async () => await (await fetch(hlsAddress(server, 'live.m3u8?reader=one'))).text()
      await until('parts in the list', async () => (await list()).includes('#EXT-X-PART:'), patienceMs)
      return 'parts of segments are in the list'
    })
  },
  async 'output maxReaders'(server) {
    const url = `srt://127.0.0.1:${await freePort()}?mode=listener`
    const read = `-v quiet -nostdin -i ${url.replace('listener', 'caller')} -an -f null -`.split(' ')
    return await receiving(
      server,
      { outputs: [{ id: 'out', protocol: 'srt', url, maxReaders: 1 }] },
      async () => {
        const readers = () => server.channel(main)?.outputs[0]?.readers
        await until('the listener', () => readers() === 0, patienceMs)
        const first = spawn(server.ffmpegPath, read)
        try {
          await until('the first reader', () => readers() === 1, patienceMs)
          const { status } = spawnSync(server.ffmpegPath, read, { timeout: patienceMs })
          if (status === 0 || readers() !== 1) throw new Error(`a second reader was admitted: ${readers()}`)
          return 'one reader is admitted, the second is refused'
        } finally {
          first.kill('SIGKILL')
        }
      },
    )
  },
  async 'output encoding'(server) {
    const encoding = { profile: 'main', videoKbps: 600, resolution: '640x360', maxFrameRate: 12.5 } as const
    const { stream } = await takenByUdp(server, { encoding })
    const found = /Video: h264 \(Main\).*?640x360.*?([\d.]+) fps/.exec(describe(server.ffmpegPath, stream))
    if (Number(found?.[1]) !== 12.5) throw new Error(describe(server.ffmpegPath, stream))
    return '640x360 at 12.5 pictures a second, as wanted'
  },
  async 'output ffmpeg'(server) {
    const ffmpeg = {
      s: '480x270',
      r: '12.5',
      'profile:v': 'baseline',
      'b:v': '500k',
      ar: '44100',
      i: '/etc/hosts',
    }
    const encoding = { profile: 'high', resolution: '640x360' } as const
    const { stream } = await takenByUdp(server, { ffmpeg, encoding })
    const found = describe(server.ffmpegPath, stream)
    const rate = /Video: h264 \((?:Constrained )?Baseline\).*?480x270.*?([\d.]+) fps/.exec(found)?.[1]
    if (Number(rate) !== 12.5 || !/Audio: aac.*44100 Hz/.test(found)) throw new Error(found)
    return '480x270 at 12.5 pictures a second, as the channel wants in place of the destination'
  },
  async 'output muxRateKbps'(server) {
    const { stream, ms } = await takenByUdp(server, { muxRateKbps: 4000 }, { bytes: 2_000_000 })
    const kbps = (stream.length * 8) / ms
    // The picture alone takes 1500.
    if (kbps < 3000 || kbps > 5000) throw new Error(`${Math.round(kbps)} kbit/s`)
    return `${Math.round(kbps)} kbit/s`
  },
  async 'output sourcePort'(server) {
    const spare = createSocket('udp4').bind(0)
    await once(spare, 'listening')
    const sourcePort = spare.address().port
    spare.close()
    const { port } = await takenByUdp(server, { sourcePort })
    if (port !== sourcePort) throw new Error(`it came from port ${port}`)
    return 'packets come from the port'
  },
  async 'output broadcast'(server) {
    const broadcast = { videoKbps: 900, height: 180, title: 'Election night' }
    const url = `rtmp://127.0.0.1:${await freePort()}/live/key-2`
    const provider = spawn(server.ffmpegPath, ['-hide_banner', '-listen', '1', '-i', url, '-f', 'null', '-'])
    let printed = ''
    provider.stderr.on('data', (data: Buffer) => {
      printed += data.toString()
    })
    try {
      return await receiving(
        server,
        { outputs: [{ id: 'out', protocol: 'rtmp', url, broadcast }] },
        async () => {
          await until('a picture of 180 lines', () => /Video: h264[^\n]*x180/.test(printed), patienceMs)
          if (!printed.includes('Election night')) throw new Error('it has no title')
          return 'the platform gets 180 lines with the title'
        },
      )
    } finally {
      provider.kill('SIGKILL')
    }
  },
}
