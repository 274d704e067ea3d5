// Shows a channel by one way and reads the age of every picture from the time code strip in it.
import { ageByStrip, readTimeCodeStrip } from '@backhaul/ffmpeg/time-code-strip'
import mpegts from 'mpegts.js'

const samples = []
const canvas = document.createElement('canvas')
const drawing = canvas.getContext('2d', { willReadFrequently: true })
let unread = 0
let peer
let address
let onMoved
const moved = new Promise((resolve) => {
  onMoved = resolve
})

function readAge(video) {
  const { videoWidth: width } = video
  if (width === 0) return
  canvas.width = width
  canvas.height = 1
  drawing.drawImage(video, 0, Math.round((24 * width) / 1280), width, 1, 0, 0, width, 1)
  const now = Date.now()
  const { data } = drawing.getImageData(0, 0, width, 1)
  const strip = readTimeCodeStrip((x) => data[x * 4 + 1], width)
  if (strip === undefined) unread++
  else samples.push([now, ageByStrip(strip, now)])
}

function follow(video) {
  let pictures = 0
  const next = (now) => {
    if (++pictures === 2) onMoved(now)
    readAge(video)
    video.requestVideoFrameCallback(next)
  }
  video.requestVideoFrameCallback(next)
}

function addVideo() {
  const video = document.createElement('video')
  video.muted = true
  video.autoplay = true
  document.querySelector('#root').append(video)
  return video
}

// As the console does it (apps/console/src/fleet/previews/whep.ts), with the cross-site token handed in.
globalThis.watchByWebrtc = async (path, headers, { isShown, hasSound }) => {
  peer = new RTCPeerConnection({ iceServers: [] })
  const stream = new MediaStream()
  peer.addTransceiver('video', { direction: 'recvonly' })
  if (hasSound) peer.addTransceiver('audio', { direction: 'recvonly' })
  peer.addEventListener('track', ({ track }) => stream.addTrack(track))
  await peer.setLocalDescription(await peer.createOffer())
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', ...headers },
    body: peer.localDescription.sdp,
  })
  if (reply.status !== 201) throw new Error(`preview refused with ${reply.status}`)
  address = reply.headers.get('location')
  await peer.setRemoteDescription({ type: 'answer', sdp: await reply.text() })
  if (!isShown) return
  const video = addVideo()
  video.srcObject = stream
  follow(video)
}

// As the console does it (apps/console/src/fleet/previews/ts-stream.ts).
globalThis.watchByStream = (path) => {
  mpegts.LoggingControl.enableAll = false
  const video = addVideo()
  const player = mpegts.createPlayer(
    { type: 'mpegts', isLive: true, url: location.origin.replace(/^http/, 'ws') + path },
    {
      enableStashBuffer: false,
      liveBufferLatencyChasing: true,
      liveBufferLatencyMaxLatency: 0.5,
      liveBufferLatencyMinRemain: 0.1,
    },
  )
  player.attachMediaElement(video)
  player.load()
  player.play()
  follow(video)
}

globalThis.soundOf = async () => {
  for (const report of (await peer?.getStats())?.values() ?? [])
    if (report.type === 'inbound-rtp' && report.kind === 'audio')
      return {
        concealed: report.concealedSamples - report.silentConcealedSamples,
        samples: report.totalSamplesReceived,
      }
  return { concealed: 0, samples: 0 }
}

globalThis.moved = () =>
  Promise.race([moved, new Promise((_, reject) => setTimeout(() => reject(new Error('no picture')), 20_000))])

globalThis.hangUp = async (headers) => {
  peer.close()
  await fetch(address, { method: 'DELETE', headers })
}

globalThis.takeAges = () => ({ ages: samples.splice(0), unread })
document.title = 'ready'
