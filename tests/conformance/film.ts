/** Pictures to send: one colour with noise that fills any rate, and sound, as a camera or an encoder gives them. */
import { spawnSync } from 'node:child_process'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'

/**
 * Two seconds of it, to be shown again and again: a stream of this rate, or else as good as a camera's picture, which is
 * decoded and encoded all the time, and so has fewer frames.
 */
export function makeFilm(ffmpegPath: string, colour: string, path: string, kbps?: number): void {
  const rate = kbps === undefined ? 10 : 25
  const words = [
    `-v error -y -f lavfi -i color=${colour}:size=704x396:rate=${rate}:duration=2,noise=alls=50:allf=t`,
    `-f lavfi -i anoisesrc=duration=2:sample_rate=48000 -c:v libx264 -preset ultrafast -g ${rate} -bf 0`,
    ...(kbps === undefined ? [] : [`-b:v ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k`]),
    path,
  ]
  const { status, stderr } = spawnSync(
    ffmpegPath,
    words.flatMap((text) => text.split(' ')),
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`a film cannot be made: ${stderr}`)
}

/** Plays a film for ever, as fast as it lasts: MPEG-TS to `onData`, or to the outputs that `to` names. */
export function playFilm(
  ffmpegPath: string,
  path: string,
  to: { onData: (bytes: Buffer) => void } | { output: string },
): SupervisedChild {
  const words = `-v quiet -nostdin -re -stream_loop -1 -i ${path} -c:v copy -c:a aac -f mpegts`
  const output = 'output' in to ? to.output : 'pipe:1'
  return superviseChild({
    command: ffmpegPath,
    args: [...words.split(' '), output],
    ...('onData' in to && { onStdout: to.onData }),
  })
}

/** The newest whole picture in a file of MPEG-TS or in a still. */
function newestFrame(ffmpegPath: string, input: Buffer): Buffer {
  const words = '-v quiet -i pipe:0 -an -vf scale=64:36:flags=area,format=rgb24 -f rawvideo pipe:1'
  const raw = spawnSync(ffmpegPath, words.split(' '), { input, maxBuffer: 1e9 }).stdout
  return raw.subarray(-64 * 36 * 3)
}

/** The colour at a place of the newest picture, each of 0 to 1; undefined without a picture. */
export function colourOfPicture(ffmpegPath: string, input: Buffer, x: number, y: number): string | undefined {
  const frame = newestFrame(ffmpegPath, input)
  const at = (Math.min(35, Math.floor(y * 36)) * 64 + Math.min(63, Math.floor(x * 64))) * 3
  return frame.length === 0 ? undefined : colourOf(frame.subarray(at, at + 3))
}

/** The colour of one pixel in RGB. */
export function colourOf([red = 0, green = 0, blue = 0]: Uint8Array): string {
  if (Math.max(red, green, blue) < 60) return 'black'
  return red > green && red > blue ? 'red' : green > blue ? 'lime' : 'blue'
}
