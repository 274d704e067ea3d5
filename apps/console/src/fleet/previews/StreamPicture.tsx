// A moving picture by MPEG-TS over WebSocket, for pages without a sign-in.
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { PictureWords } from './PictureFrame.tsx'
import styles from './previews.module.css'
import { playTsStream, type TsStream } from './ts-stream.ts'

interface StreamPictureProps {
  /** Another path is another connection. */
  path: string
  words: { picture: string; connecting: string; sound: string; soundOff: string }
  /** The connection is over, or nothing has come for a while. */
  onEnd: () => void
}

const lookMs = 500
const silentAfterMs = 8000

export function StreamPicture({ path, words, onEnd }: StreamPictureProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [isMoving, setIsMoving] = useState(false)
  const [muted, setMuted] = useState(true)
  useEffect(() => {
    const element = video.current
    if (!element) return
    const stop = follow(path, element, setIsMoving, onEnd)
    return () => {
      stop()
      setIsMoving(false)
    }
  }, [path, onEnd])
  return (
    <div className={styles.picture} data-part="picture" data-state={isMoving ? 'stream' : 'connecting'}>
      <video
        ref={video}
        className={styles.pictureVideo}
        data-shown={isMoving}
        muted={muted}
        playsInline
        autoPlay
        aria-label={words.picture}
      />
      {isMoving ? (
        <button
          type="button"
          className={`plain-button icon-button ${styles.pictureSound}`}
          aria-pressed={!muted}
          aria-label={muted ? words.sound : words.soundOff}
          onClick={() => setMuted(!muted)}
        >
          {muted ? <IconVolumeOff size={16} /> : <IconVolume size={16} />}
        </button>
      ) : (
        <PictureWords>{words.connecting}</PictureWords>
      )}
    </div>
  )
}

function follow(
  path: string,
  video: HTMLVideoElement,
  onMoving: (isMoving: boolean) => void,
  onEnd: () => void,
): () => void {
  let isOver = false
  let stream: TsStream | undefined
  let place = 0
  let movedAt = performance.now()
  const end = () => {
    if (isOver) return
    stop()
    onEnd()
  }
  const timer = setInterval(() => {
    if (video.currentTime !== place) {
      place = video.currentTime
      movedAt = performance.now()
      onMoving(true)
    } else if (performance.now() - movedAt > silentAfterMs) end()
  }, lookMs)
  function stop(): void {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    stream?.destroy()
  }
  playTsStream(path, video, end).then((opened) => {
    if (isOver) opened.destroy()
    else stream = opened
  }, end)
  return stop
}
