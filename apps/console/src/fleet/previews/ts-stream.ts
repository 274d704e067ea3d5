// MPEG-TS over WebSocket, for networks that block UDP; kept at the live edge by force.
export interface TsStream {
  destroy(): void
}

/** A player that is further behind than this is moved to the live edge, s. */
const mostBehindS = 2
const keptBehindS = 0.3

/** `path`: of the WebSocket, on the origin of the page. */
export async function playTsStream(
  path: string,
  video: HTMLVideoElement,
  onEnd: () => void,
): Promise<TsStream> {
  const { default: mpegts } = await import('mpegts.js')
  mpegts.LoggingControl.enableAll = false
  const url = `${location.origin.replace(/^http/, 'ws')}${path}`
  const player = mpegts.createPlayer(
    { type: 'mpegts', isLive: true, url },
    {
      enableStashBuffer: false,
      liveBufferLatencyChasing: true,
      liveBufferLatencyMaxLatency: 0.5,
      liveBufferLatencyMinRemain: 0.1,
    },
  )
  player.attachMediaElement(video)
  player.on(mpegts.Events.ERROR, onEnd)
  player.on(mpegts.Events.LOADING_COMPLETE, onEnd)
  player.load()
  void Promise.resolve(player.play()).catch(() => {})
  const timer = setInterval(() => {
    const { buffered } = video
    const edge = buffered.length === 0 ? 0 : buffered.end(buffered.length - 1)
    if (edge - video.currentTime > mostBehindS) video.currentTime = edge - keptBehindS
  }, 1000)
  return {
    destroy() {
      clearInterval(timer)
      player.destroy()
    },
  }
}
