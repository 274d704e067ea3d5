// Short films of one colour, and what is seen in a stream.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findFfmpeg } from '@backhaul/ffmpeg/find'

const ffmpegPath = findFfmpeg() ?? ''

/** Words of the command line, none of which holds a space. */
export const ffmpeg = (words: string, input?: Buffer) =>
  spawnSync(ffmpegPath, ['-v', 'quiet', '-y', ...words.split(' ')], { input, maxBuffer: 1e9 }).stdout

/** A film of four seconds in `folder`; its path. */
export function film(folder: string, colour: string): string {
  const path = join(folder, `${colour}.mkv`)
  ffmpeg(
    `-f lavfi -i color=${colour}:size=320x180:rate=25:duration=4,noise=alls=40:allf=t -c:v libx264 -preset ultrafast ${path}`,
  )
  return path
}

/** Makes a picture a pixel for `colourOf`. */
export const pixel = '-an -vf format=rgb24,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1'

/** The colour of the newest picture in a stream; undefined where there is none. */
export function colourOf(pixels: Buffer): string | undefined {
  if (pixels.length < 3) return undefined
  const bright = [...pixels.subarray(-3)].map((value) => value > 110)
  return { '100': 'red', '010': 'lime', '001': 'blue', '110': 'yellow' }[bright.map(Number).join('')]
}
export const colourOfStream = (stream: Buffer) => colourOf(ffmpeg(`-f mpegts -i pipe:0 ${pixel}`, stream))

/** The time from each picture of a stream to the next. */
export function pausesMs(stream: Buffer): number[] {
  const words = '-hide_banner -nostats -f mpegts -i pipe:0 -an -vf showinfo -f null -'
  const { stderr } = spawnSync(ffmpegPath, words.split(' '), { input: stream, maxBuffer: 1e9 })
  const times = [...stderr.toString().matchAll(/ pts_time:([\d.]+)/g)].map(([, time]) => Number(time) * 1000)
  return times.slice(1).map((time, at) => time - times[at]!)
}
