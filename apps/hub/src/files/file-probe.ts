// Facts about a file, which ffmpeg reports when it opens it without converting it.

import { EncodingQuality, type FileMedia } from '@backhaul/contract/nouns/files'
import { runFfmpeg } from '@backhaul/ffmpeg/run'

/** Null when it finds no picture. */
export async function probeFile(ffmpegPath: string, path: string): Promise<FileMedia | null> {
  const lines: string[] = []
  const child = runFfmpeg({
    path: ffmpegPath,
    args: ['-hide_banner', '-nostdin', '-i', `file:${path}`],
    onMessage: (line) => lines.push(line),
  })
  await child.exited
  return readMedia(lines)
}

/** From lines such as `Duration: 00:01:02.50, start: 0.0, bitrate: 4012 kb/s` and `Stream #0:0: Video: h264 (…), …, 1280x720, …`. */
export function readMedia(lines: readonly string[]): FileMedia | null {
  const duration = find(lines, /Duration: (\d+):(\d\d):(\d\d)\.(\d\d)/)
  const video = find(lines, /Video: (\w+).*?[ ,](\d{2,5})x(\d{2,5})[ ,]/)
  if (!duration || !video) return null
  const [hours = 0, minutes = 0, seconds = 0, hundredths = 0] = duration.slice(1).map(Number)
  const quality = EncodingQuality.safeParse(find(lines, /^\s*quality\s*: (\w+)$/)?.[1]).data
  return {
    lengthMs: ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10,
    bitrateKbps: Number(find(lines, /bitrate: (\d+) kb\/s/)?.[1] ?? 0),
    codec: video[1] ?? '',
    width: Number(video[2]),
    height: Number(video[3]),
    ...(quality && { quality }),
  }
}

const find = (lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined => {
  for (const line of lines) {
    const found = pattern.exec(line)
    if (found) return found
  }
  return undefined
}
