// Servers for tests from which others fetch the picture of a film, and a sender of it, by plain ffmpeg.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { until } from '@backhaul/runtime/testing/until'

export interface PictureServer {
  readonly port: number
  /** The path of the whole address, behind host and port. */
  readonly path: string
  stop(): Promise<void>
}

const played = (film: string) => ['-v', 'quiet', '-re', '-stream_loop', '-1', '-i', film, '-c', 'copy']

/** SRT and RTMP wait for a reader; MPEG-TS is sent to the port. */
const outputs = {
  mpegts: { path: '', args: (port: number) => ['-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`] },
  srt: { path: '', args: (port: number) => ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener`] },
  rtmp: {
    path: '/live/film',
    args: (port: number) => ['-f', 'flv', '-listen', '1', `rtmp://127.0.0.1:${port}/live/film`],
  },
} as const

/** A film with a picture of H.264 and sound of AAC, again and again, for one reader at a time. */
export async function servePicture(
  ffmpegPath: string,
  film: string,
  protocol: keyof typeof outputs | 'rtsp',
): Promise<PictureServer> {
  if (protocol === 'rtsp') return await serveRtsp(ffmpegPath, film)
  const { path, args } = outputs[protocol]
  const port = protocol === 'rtmp' ? await freeTcpPort() : await freeUdpPort()
  const server = superviseChild({
    command: ffmpegPath,
    args: [...played(film), ...args(port)],
    restart: () => 200,
  })
  return { port, path, stop: () => server.stop() }
}

/** ffmpeg has no RTSP server: its RTP is passed on within the connection of the reader. */
async function serveRtsp(ffmpegPath: string, film: string): Promise<PictureServer> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-rtsp-'))
  const description = join(folder, 'film.sdp')
  const streams = await Promise.all([openUdp(), openUdp()])
  const ways = streams.flatMap(({ port }, at) => [
    '-map',
    `0:${at}`,
    '-c',
    'copy',
    '-f',
    'rtp',
    `rtp://127.0.0.1:${port}`,
  ])
  const source = superviseChild({
    command: ffmpegPath,
    args: [...played(film), ...ways, '-sdp_file', description],
  })
  await until(() => readText(description).includes('m=audio'))
  const sdp = withTracks(readText(description))
  const readers = new Set<Socket>()
  const playing = new Set<Socket>()
  for (const [at, { socket }] of streams.entries())
    socket.on('message', (packet) => {
      const head = Buffer.from([0x24, 2 * at, packet.length >> 8, packet.length & 0xff])
      for (const reader of playing) reader.write(Buffer.concat([head, packet]))
    })
  const server = createServer((reader) => {
    readers.add(reader)
    reader.on('error', () => {})
    reader.on('close', () => {
      readers.delete(reader)
      playing.delete(reader)
    })
    answerRtsp(reader, sdp, () => playing.add(reader))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    path: '/film',
    async stop() {
      server.close()
      for (const reader of readers) reader.destroy()
      for (const { socket } of streams) socket.close()
      await source.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Requests have no body; what the reader sends between them are its reports. */
function answerRtsp(reader: Socket, sdp: string, play: () => void): void {
  let waiting = ''
  reader.on('data', (bytes: Buffer) => {
    waiting += bytes.toString('latin1')
    for (;;) {
      const found = /(OPTIONS|DESCRIBE|SETUP|PLAY|TEARDOWN) (\S+) RTSP\/1\.0\r\n([\s\S]*?)\r\n\r\n/.exec(
        waiting,
      )
      if (!found) return
      waiting = waiting.slice(found.index + found[0].length)
      const [, method, , headers = ''] = found
      const header = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(headers)?.[1] ?? ''
      const body = method === 'DESCRIBE' ? sdp : ''
      const lines = [
        'RTSP/1.0 200 OK',
        `CSeq: ${header('cseq')}`,
        'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN',
        'Session: 7',
        ...(method === 'SETUP' ? [`Transport: ${header('transport')}`] : []),
        ...(body ? ['Content-Type: application/sdp', `Content-Length: ${body.length}`] : []),
      ]
      reader.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
      if (method === 'PLAY') play()
    }
  })
}

/** Each stream is set up at an address of its own. */
function withTracks(sdp: string): string {
  let count = 0
  return sdp
    .slice(sdp.indexOf('v=0'))
    .trimEnd()
    .split(/\r?\n/)
    .flatMap((line) =>
      line.startsWith('m=') ? [line.replace(/ \d+ /, ' 0 '), `a=control:track${count++}`] : [line],
    )
    .map((line) => `${line}\r\n`)
    .join('')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function openUdp(): Promise<{ socket: UdpSocket; port: number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { socket, port: socket.address().port }
}

async function freeUdpPort(): Promise<number> {
  const { socket, port } = await openUdp()
  await new Promise<void>((resolve) => void socket.close(resolve))
  return port
}

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
