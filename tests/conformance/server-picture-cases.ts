/** The pictures of a receiving server without a sender, and its answers to browsers. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { until } from '../stage/until.ts'
import { colourOfPicture, playFilm } from './film.ts'
import { freePort } from './free-port.ts'
import { isIn, main, receiving, showsRed } from './server-reception.ts'
import { type ServerUnderTest, wantedChannel } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'

/** The offer of a browser that requests H.264 video and Opus audio. */
const offer = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  ...['video 9 UDP/TLS/RTP/SAVPF 96', 'audio 9 UDP/TLS/RTP/SAVPF 111'].flatMap((media, at) => [
    `m=${media}`,
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuvwx',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
    'a=setup:actpass',
    `a=mid:${at}`,
    'a=recvonly',
    'a=rtcp-mux',
    at === 0 ? 'a=rtpmap:96 H264/90000' : 'a=rtpmap:111 opus/48000/2',
    ...(at === 0 ? ['a=fmtp:96 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f'] : []),
  ]),
  '',
].join('\r\n')

/** The ports that the server offers to a browser. */
export async function answersFrom(server: ServerUnderTest): Promise<string> {
  const first = 40_000 + 2 * (process.pid % 5000)
  return await receiving(
    server,
    {},
    async () => {
      const answer = await (await server.post(`/channels/${main}/whep`, offer)).text()
      const ports = [...answer.matchAll(/^a=candidate:\S+ \d+ udp \d+ \S+ (\d+) typ host/gim)].map(
        ([, port]) => Number(port),
      )
      if (ports.length === 0 || ports.some((port) => port < first || port >= first + 200))
        throw new Error(`the ports are ${ports.join() || answer}`)
      return `browsers are offered ports from ${first} on: ${ports[0]}`
    },
    [],
    { settings: { webrtcPort: first } },
  )
}

/** The picture of the second source, since the first gives none; and nothing once there is no source. */
export async function fetches(server: ServerUnderTest): Promise<string> {
  const [silent, port] = [await freePort(), await freePort()]
  const output = `srt://127.0.0.1:${port}?mode=listener`
  const player = playFilm(server.ffmpegPath, server.film('red'), { output })
  const address = (at: number) => `srt://127.0.0.1:${at}?mode=caller`
  const sources = [
    { id: 'so-1', url: address(silent) },
    { id: 'so-2', url: address(port) },
  ]
  try {
    await server.want([wantedChannel('srt-1', { sources: sources.slice(0, 1) })])
    await until(
      'a source without a picture to be reported',
      () => {
        const { inputProblem, inputFailure } = server.channel('channel-of-srt-1') ?? {}
        return inputProblem === 'noSource' && inputFailure?.sourceId === 'so-1'
      },
      patienceMs,
    )
    await server.want([wantedChannel('srt-1', { sources })])
    await isIn(server, 'srt-1', 'collecting')
    await showsRed(server, 'channel-of-srt-1')
    await server.want([wantedChannel('srt-1')])
    await isIn(server, 'srt-1', 'idle')
    return 'the picture of the first source that gives one is shown'
  } finally {
    await player.stop()
  }
}

/** The destination of a channel to which nothing comes in, then a unit, then nothing again. */
export async function putsOutBlack(server: ServerUnderTest): Promise<string> {
  const far = createSocket('udp4').bind(0, '127.0.0.1')
  const packets: Buffer[] = []
  far.on('message', (packet) => packets.push(packet))
  await once(far, 'listening')
  const outputs = [{ id: 'out', protocol: 'mpegts', url: `udp://127.0.0.1:${far.address().port}` }] as const
  const more = { forceOutput: true, outputs: [...outputs] }
  const shows = async (colour: string) => {
    packets.length = 0
    await until(
      `a ${colour} picture at the destination`,
      () => {
        // The newest pictures: what was on the way before the change does not count.
        if (packets.length > 4000) packets.length = 0
        return colourOfPicture(server.ffmpegPath, Buffer.concat(packets.slice(-300)), 0.5, 0.5) === colour
      },
      patienceMs,
    )
  }
  try {
    await server.want([wantedChannel('bonded-1', more)])
    await shows('black')
    if (server.channel(main)?.status !== 'idle') throw new Error(`it is ${server.channel(main)?.status}`)
    await receiving(server, more, () => shows('red'))
    await server.want([wantedChannel('bonded-1', more)])
    await shows('black')
    await server.want([wantedChannel('bonded-1', { outputs: [...outputs] })])
    await until('the outputs to end', () => server.channel(main)?.outputs.length === 0, patienceMs)
    return 'black before and after the picture of the unit, and nothing without it'
  } finally {
    far.close()
    await server.want([wantedChannel('bonded-1')])
  }
}
