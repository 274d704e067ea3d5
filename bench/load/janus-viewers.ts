/**
 * WebRTC viewers of one stream of a Janus server, without a decoder: `janus-viewers.ts <http port> <stream>`. A line with
 * `add` adds this many; each line is answered with the video packets of every viewer so far.
 */
import { type MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { answerLines } from './load-program.ts'

const [port = '', stream = ''] = process.argv.slice(2)
const server = `http://127.0.0.1:${port}/janus`
const packets: number[] = []

interface JanusEvent {
  janus: string
  data?: { id: number }
  jsep?: { type: 'offer'; sdp: string }
  error?: { reason: string }
}

async function post(path: string, message: object): Promise<JanusEvent> {
  const body = JSON.stringify({ ...message, transaction: 'bench' })
  const event = (await (await fetch(`${server}${path}`, { method: 'POST', body })).json()) as JanusEvent
  if (event.error) throw new Error(`Janus: ${event.error.reason}`)
  return event
}

/** Events come to the session one after the other. */
async function offerOf(session: string): Promise<string> {
  for (let tries = 0; tries < 3; tries++) {
    const { jsep } = (await (await fetch(`${server}${session}?maxev=1`)).json()) as JanusEvent
    if (jsep) return jsep.sdp
  }
  throw new Error('Janus sent no offer')
}

async function watch(): Promise<void> {
  const { data: created } = await post('', { janus: 'create' })
  const session = `/${created?.id}`
  const { data: attached } = await post(session, { janus: 'attach', plugin: 'janus.plugin.streaming' })
  const handle = `${session}/${attached?.id}`
  await post(handle, { janus: 'message', body: { request: 'watch', id: Number(stream) } })
  const connection = new RTCPeerConnection({
    iceServers: [{ urls: 'stun:127.0.0.1:9' }],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90_000,
          parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
        }),
      ],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  })
  const at = packets.push(0) - 1
  connection.onTrack.subscribe((track: MediaStreamTrack) => {
    if (track.kind === 'video') track.onReceiveRtp.subscribe(() => void packets[at]!++)
  })
  await connection.setRemoteDescription({ type: 'offer', sdp: await offerOf(session) })
  await connection.setLocalDescription(await connection.createAnswer())
  const jsep = { type: 'answer', sdp: connection.localDescription?.sdp }
  await post(handle, { janus: 'message', body: { request: 'start' }, jsep })
}

answerLines(async ({ add = 0 }: { add?: number }) => {
  for (let more = 0; more < add; more++) await watch()
  return { packets }
})
