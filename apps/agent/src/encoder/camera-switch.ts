import type { RawListener, RawSource } from './raw-source.ts'

/** One of several cameras, which can be another one from the next frame on. */
export interface CameraSwitch extends RawSource {
  /** Cameras count from 1; one that is not there leaves the choice as it was. */
  show(camera: number): void
}

/** All cameras are kept open meanwhile, so that a change is one from frame to frame. They have pictures of one size and rate, and sound of as many channels. */
export function createCameraSwitch(cameras: readonly [RawSource, ...RawSource[]]): CameraSwitch {
  let shown: RawSource = cameras[0]
  const listeners = new Set<RawListener>()
  return {
    picture: cameras[0].picture,
    channels: cameras[0].channels,
    show(camera) {
      const next = cameras[camera - 1]
      if (next === undefined || next === shown) return
      shown = next
      // A part of a sound sample of the previous camera may be left.
      for (const listener of listeners) listener.restarted()
    },
    listen(listener) {
      listeners.add(listener)
      const ends = cameras.map((camera) => camera.listen(onlyWhile(() => shown === camera, listener)))
      return async () => {
        listeners.delete(listener)
        await Promise.all(ends.map((end) => end()))
      }
    },
  }
}

const onlyWhile = (isShown: () => boolean, listener: RawListener): RawListener => ({
  frame(bytes) {
    if (isShown()) listener.frame(bytes)
  },
  sound(chunk) {
    if (isShown()) listener.sound(chunk)
  },
  restarted() {
    if (isShown()) listener.restarted()
  },
})
