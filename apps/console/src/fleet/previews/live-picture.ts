// Brings a moving picture to the page: WebRTC first, MPEG-TS over WebSocket when nothing comes, and again from
// the start when that ends too.

import { streamPath } from '@backhaul/contract/nouns/previews'
import { notePreviewStart } from './previews.ts'
import { playTsStream, type TsStream } from './ts-stream.ts'
import { callByWhep, type WhepCall } from './whep.ts'

/**
 * 1. connecting: no picture yet;
 * 2. webrtc: pictures arrive by WebRTC;
 * 3. stream: pictures arrive as MPEG-TS over WebSocket;
 * 4. silent: a way is open, but nothing has arrived for a while.
 */
export type PictureState = 'connecting' | 'webrtc' | 'stream' | 'silent'

const firstPictureMs = 5000
const silentAfterMs = 2500
/** A way that gave pictures and then none for this long is given up: the server may have been started again. */
const givenUpAfterMs = 5000
const lookMs = 500
const againMs = 1000

/** Shows the channel in the video element until the returned function is called. */
export function showLive(
  channelId: string,
  video: HTMLVideoElement,
  onState: (state: PictureState) => void,
  iceServers?: RTCIceServer[],
): () => void {
  const stopped = new AbortController()
  const openedMs = performance.now()
  const firstFrame = video.requestVideoFrameCallback(() => notePreviewStart(performance.now() - openedMs))
  const dial = (signal: AbortSignal) => callByWhep(channelId, signal, iceServers)
  void keepShowing(channelId, dial, video, onState, stopped.signal)
  return () => {
    stopped.abort()
    video.cancelVideoFrameCallback(firstFrame)
    video.srcObject = null
  }
}

type Dial = (signal: AbortSignal) => Promise<WhepCall>

async function keepShowing(
  channelId: string,
  dial: Dial,
  video: HTMLVideoElement,
  onState: (state: PictureState) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    onState('connecting')
    const byWebrtc = await watchWebrtc(dial, video, onState, signal)
    if (!byWebrtc && !signal.aborted) await watchStream(channelId, video, onState, signal)
    await pause(againMs, signal)
  }
}

/** Resolves to true after pictures had come and stopped permanently, to false when none came at all. */
async function watchWebrtc(
  dial: Dial,
  video: HTMLVideoElement,
  onState: (state: PictureState) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const attempt = new AbortController()
  const end = () => attempt.abort()
  signal.addEventListener('abort', end, { once: true })
  let call: WhepCall | undefined
  try {
    call = await dial(attempt.signal)
    video.srcObject = call.stream
    void video.play().catch(() => {})
    return await follow(call, onState, signal)
  } catch {
    return false
  } finally {
    signal.removeEventListener('abort', end)
    call?.hangUp()
  }
}

async function follow(
  call: WhepCall,
  onState: (state: PictureState) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const beganAt = performance.now()
  let seen = false
  while (!signal.aborted) {
    const silentMs = await call.silentMs()
    if (silentMs < silentAfterMs) {
      seen = true
      onState('webrtc')
    } else if (seen) onState('silent')
    if (!seen && performance.now() - beganAt > firstPictureMs) return false
    if (seen && silentMs > givenUpAfterMs) return true
    await pause(lookMs, signal)
  }
  return seen
}

async function watchStream(
  channelId: string,
  video: HTMLVideoElement,
  onState: (state: PictureState) => void,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  let stream: TsStream | undefined
  try {
    stream = await playTsStream(streamPath(channelId), video, () => over.abort())
    let place = -1
    let movedAt = performance.now()
    while (!signal.aborted && !over.signal.aborted) {
      if (video.currentTime !== place) {
        place = video.currentTime
        movedAt = performance.now()
      }
      const still = performance.now() - movedAt
      if (place > 0) onState(still < silentAfterMs ? 'stream' : 'silent')
      if (still > givenUpAfterMs) return
      await pause(lookMs, signal)
    }
  } catch {
    // The next round tries both ways again.
  } finally {
    stream?.destroy()
  }
}

/** Ends early when the signal aborts, and leaves nothing on it: a picture is watched for weeks by one signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
