// Records a channel into files that stay readable whatever happens to the writer.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { type FfmpegSink, sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import { folderName } from '../files/file-folders.ts'

export interface RecordingOptions {
  ffmpegPath: string
  bus: TsBus
  /** All recordings; each channel has a folder in it, and in that each unit. */
  folder: string
  channelId: string
  /** The unit that sends the picture. */
  unitId: string
  counts: ProgramCounts
  log: Log
}

/** Begins at the newest key frame; a new file follows whenever the writer had to be started again. */
export function startRecording({
  ffmpegPath,
  bus,
  folder,
  channelId,
  unitId,
  counts,
  log,
}: RecordingOptions): FfmpegSink {
  const ownFolder = join(folder, folderName(channelId), folderName(unitId))
  mkdirSync(ownFolder, { recursive: true })
  return startFfmpegSink({
    ffmpegPath,
    bus,
    args: () =>
      recordingArguments(join(ownFolder, recordingName(new Date())), {
        video: bus.video()?.codec,
        audio: bus.audio()?.codec,
      }),
    counts,
    log,
  })
}

/** For instance 2026-11-21T10-15-00Z.mp4: sorts by time and is a valid name on every file system. */
export const recordingName = (startedAt: Date): string =>
  `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`

/** Fragments that end at key frames: a file that was cut off is readable up to the last of them. */
export function recordingArguments(
  path: string,
  codecs: { video: string | undefined; audio: string | undefined },
): string[] {
  return [
    ...sinkInput,
    '-map',
    '0:v:0?',
    '-map',
    '0:a?',
    '-c',
    'copy',
    ...(codecs.video === 'h265' ? ['-tag:v', 'hvc1'] : []),
    ...(codecs.audio === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : []),
    '-f',
    'mp4',
    '-movflags',
    '+frag_keyframe+empty_moov+delay_moov',
    '-flush_packets',
    '1',
    // Never over another recording, even when two begin in the same second.
    '-n',
    `file:${path}`,
  ]
}
