// Records a channel into files that remain readable if the writer is interrupted at any time.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import { partName } from '@backhaul/contract/nouns/files'
import { serverRecordingLabels } from '@backhaul/contract/nouns/recordings'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { steadyMs } from '@backhaul/runtime/signed-requests'
import { type FfmpegSink, sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import { failureOf } from '../failures.ts'
import { folderName } from '../files/file-folders.ts'
import { createSinkState } from '../outputs/output-state.ts'

export interface RecordingOptions {
  ffmpegPath: string
  bus: TsBus
  /** All recordings; each channel has a folder in it, and in that each unit. */
  folder: string
  channelId: string
  /** The unit that sends the picture. */
  unitId: string
  /** '' where an encoder dialled in. */
  transmissionId: string
  channelName: string
  /** The labels of the transmission from core; a further part has those of its own beginning. */
  labels(): Readonly<Record<string, string>> | undefined
  counts: ProgramCounts
  log: Log
}

export interface Recording extends FfmpegSink {
  /** Something has come into the file within the last seconds. */
  isWriting(): boolean
  /** Why nothing is recorded. */
  failure(): ServerFailure | undefined
}

/** Begins at the newest key frame; a further part follows whenever the writer had to be started again. */
export function startRecording({
  ffmpegPath,
  bus,
  folder,
  channelId,
  unitId,
  transmissionId,
  channelName,
  labels,
  counts,
  log,
}: RecordingOptions): Recording {
  const ownFolder = folderOf(folder, { channelId, unitId })
  const state = createSinkState({ nowMs: Date.now, steadyMs, isListener: false })
  const sink = startFfmpegSink({
    ffmpegPath,
    bus,
    args() {
      mkdirSync(ownFolder, { recursive: true })
      return recordingArguments(join(ownFolder, nextName(ownFolder, transmissionId)), {
        video: bus.video()?.codec,
        audio: bus.audio()?.codec,
        labels: serverRecordingLabels({ channelName, startedAt: new Date() }, labels()),
      })
    },
    onStarted: state.started,
    onWrote(sizeBytes = 0) {
      if (sizeBytes > 0) state.wrote(sizeBytes)
    },
    onEnded(messages) {
      const code = diskFault(messages)
      if (code === undefined) state.ended(messages)
      else state.refused(code)
    },
    counts,
    log,
  })
  return {
    ...sink,
    isWriting: () => state.read().state === 'sending',
    failure() {
      const { state: now, reason, cause } = state.read()
      return now === 'failed' && reason !== null
        ? failureOf('recordingFailed', { message: reason, cause })
        : undefined
    },
  }
}

function diskFault(messages: readonly string[]): PlainCode | undefined {
  const all = messages.join(' ')
  if (/ENOSPC|EDQUOT|No space left|quota exceeded/i.test(all)) return 'recording.noSpace'
  const isClosed =
    /EACCES|EPERM|EROFS|ENOTDIR|EEXIST|Permission denied|Read-only file system|Not a directory/i.test(all)
  return isClosed ? 'recording.notWritable' : undefined
}

/** Ends the recording: the next one is a recording of its own. */
export function closeRecording(folder: string, of: Pick<RecordingOptions, 'channelId' | 'unitId'>): void {
  try {
    rmSync(join(folderOf(folder, of), openName), { force: true })
  } catch {
    // A disk that takes no file has no open recording either.
  }
}

const folderOf = (folder: string, { channelId, unitId }: Pick<RecordingOptions, 'channelId' | 'unitId'>) =>
  join(folder, folderName(channelId), folderName(unitId))

/** The recording that is open, over losses of the picture and restarts of the hub. */
const openName = '.open.json'

interface Open {
  readonly transmissionId: string
  /** The name of its first part. */
  readonly name: string
  readonly part: number
}

function readOpen(ownFolder: string): Open | undefined {
  try {
    return JSON.parse(readFileSync(join(ownFolder, openName), 'utf8')) as Open
  } catch {
    // The first recording of this unit, or a file that a loss of power has cut off.
    return undefined
  }
}

/** The name of the next part, which continues an interrupted recording; a part that was never written leaves no gap. */
function nextName(ownFolder: string, transmissionId: string): string {
  const before = readOpen(ownFolder)
  const isSame = before?.transmissionId === transmissionId
  const open = isSame ? before : { transmissionId, name: recordingName(new Date()), part: 1 }
  const isTaken = existsSync(join(ownFolder, partName(open.name, open.part)))
  const next = { ...open, part: open.part + (isTaken ? 1 : 0) }
  writeFileSync(join(ownFolder, openName), JSON.stringify(next))
  return partName(next.name, next.part)
}

/** The name of a recording, such as 2026-11-21T10-15-00Z.mp4: it sorts by time and is valid on every file system. */
export const recordingName = (startedAt: Date): string =>
  `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`

/** Fragments that end at key frames: a file that was cut off is readable up to the last of them. */
export function recordingArguments(
  path: string,
  {
    labels,
    ...codecs
  }: {
    video: string | undefined
    audio: string | undefined
    labels: Readonly<Record<string, string>>
  },
): string[] {
  return [
    ...sinkInput,
    '-progress',
    'pipe:2',
    '-map',
    '0:v:0?',
    '-map',
    '0:a?',
    '-c',
    'copy',
    ...(codecs.video === 'h265' ? ['-tag:v', 'hvc1'] : []),
    ...(codecs.audio === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : []),
    ...Object.entries(labels).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
    '-f',
    'mp4',
    '-movflags',
    '+frag_keyframe+empty_moov+delay_moov+use_metadata_tags',
    '-flush_packets',
    '1',
    // Never over another recording, even when two begin in the same second.
    '-n',
    `file:${path}`,
  ]
}
