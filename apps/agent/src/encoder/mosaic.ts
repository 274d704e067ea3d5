// All cameras in one small picture: what the studio sees in addition to the chosen camera.
import { frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import type { Picture } from '@backhaul/ffmpeg/sources'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { RawSource } from './raw-source.ts'

const mosaicPicture: Picture = { width: 640, height: 360, framesPerSecond: 15 }
/** Two by two; of two cameras both are in the middle. */
const columns = 2

interface Plane {
  readonly offset: number
  readonly width: number
  readonly height: number
}

/** Where Y, U and V are in a planar 4:2:0 frame, counted in samples. */
function planesOf({ width, height }: Picture): [Plane, Plane, Plane] {
  const luma = width * height
  const half = { width: width / 2, height: height / 2 }
  return [
    { offset: 0, width, height },
    { offset: luma, ...half },
    { offset: luma + luma / 4, ...half },
  ]
}

const black = [16, 128, 128] as const

function blackFrame(picture: Picture): Buffer {
  const frame = Buffer.alloc(frameBytes(picture))
  for (const [at, { offset, width, height }] of planesOf(picture).entries())
    frame.fill(black[at] ?? 0, offset, offset + width * height)
  return frame
}

/** The upper 8 bits of the sample with this number. */
function sampleReader({ frame, picture }: { frame: Buffer; picture: Picture }): (at: number) => number {
  return picture.bits === 10 ? (at) => frame.readUInt16LE(at * 2) >> 2 : (at) => frame[at]!
}

/** Draws a smaller copy of a frame into a tile of another one; positions are even numbers. */
function drawTile(
  target: { frame: Buffer; picture: Picture },
  tile: { left: number; top: number; width: number; height: number },
  source: { frame: Buffer; picture: Picture },
): void {
  const from = planesOf(source.picture)
  const sampleOf = sampleReader(source)
  for (const [at, to] of planesOf(target.picture).entries()) {
    const plane = from[at]!
    const scale = at === 0 ? 1 : 2
    const [width, height] = [tile.width / scale, tile.height / scale]
    for (let y = 0; y < height; y++) {
      const row = plane.offset + Math.floor((y * plane.height) / height) * plane.width
      let out = to.offset + (tile.top / scale + y) * to.width + tile.left / scale
      for (let x = 0; x < width; x++)
        target.frame[out++] = sampleOf(row + Math.floor((x * plane.width) / width))
    }
  }
}

/** The sound is that of the first camera; a camera without a picture is black. */
export function createMosaic(
  cameras: readonly [RawSource, ...RawSource[]],
  clock: Clock = systemClock,
): RawSource {
  const tile = { width: mosaicPicture.width / columns, height: mosaicPicture.height / columns }
  const rows = Math.ceil(cameras.length / columns)
  const firstTop = ((columns - rows) * tile.height) / 2
  return {
    picture: mosaicPicture,
    channels: cameras[0].channels,
    listen(listener) {
      const newest: (Buffer | undefined)[] = cameras.map(() => undefined)
      const ends = cameras.map((camera, at) =>
        camera.listen({
          frame(bytes) {
            newest[at] = bytes
          },
          sound(chunk) {
            if (at === 0) listener.sound(chunk)
          },
          restarted() {
            newest[at] = undefined
            if (at === 0) listener.restarted()
          },
        }),
      )
      const timer = clock.setInterval(() => {
        if (newest.every((frame) => frame === undefined)) return
        const frame = blackFrame(mosaicPicture)
        for (const [at, seen] of newest.entries()) {
          if (!seen) continue
          const left = (at % columns) * tile.width
          const top = firstTop + Math.floor(at / columns) * tile.height
          drawTile(
            { frame, picture: mosaicPicture },
            { left, top, ...tile },
            { frame: seen, picture: cameras[at]!.picture },
          )
        }
        listener.frame(frame)
      }, 1000 / mosaicPicture.framesPerSecond)
      return async () => {
        clock.clearInterval(timer)
        await Promise.all(ends.map((end) => end()))
      }
    },
  }
}
