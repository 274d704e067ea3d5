// Finds the picture and sound of a source by opening it once.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  type Colours,
  isWithin,
  largestPicture,
  type Picture,
  type SoundTracks,
  type Source,
  sourceInputs,
} from './sources.ts'

const run = promisify(execFile)
/** A camera that is not there yet, or an address that does not answer. */
const probeLimitMs = 8000
const rateOf = /, (\d+(?:\.\d+)?) (?:fps|tbr)/
const sizeOf = /Video: .*?, (\d{2,5})x(\d{2,5})/
/** Matrix, primaries and transfer of HLG and PQ. */
const hdrOf = /\((?:[a-z]+, )*([\w-]+)\/([\w-]+)\/(arib-std-b67|smpte2084)\b/

type Opened = Exclude<Source, { kind: 'testPattern' }>

interface Given {
  /**
   * Size and rate of what the source gives by itself, rates rounded to whole frames, and the colours of HDR; undefined when
   * it gives nothing within 8 s, or a picture that the unit does not send (more than 2160p60).
   */
  readonly picture: Picture | undefined
  readonly tracks: SoundTracks
  /** Why it gives no picture, in the words of ffmpeg; undefined where it gives one. */
  readonly fault: string | undefined
}

export const probePicture = async (ffmpegPath: string, source: Opened): Promise<Picture | undefined> =>
  (await probeSource(ffmpegPath, source)).picture

/** An aborted signal closes the source at once; nothing is known of it then. */
export async function probeSource(ffmpegPath: string, source: Opened, signal?: AbortSignal): Promise<Given> {
  const args = ['-hide_banner', '-nostdin', ...inputOf(source), '-frames:v', '1', '-f', 'null', '-']
  const limits = { timeout: probeLimitMs, killSignal: 'SIGKILL' } as const
  const { stderr } = await run(ffmpegPath, args, signal ? { ...limits, signal } : limits).catch(
    (error: { stderr?: string }) => ({ stderr: error.stderr ?? '' }),
  )
  return { picture: pictureOf(stderr), tracks: tracksOf(stderr), fault: faultOf(stderr) }
}

function inputOf(source: Opened): string[] {
  // A camera is opened with the size that it has at the moment.
  if (source.kind === 'camera') return ['-f', 'v4l2', '-i', source.device]
  if (source.kind === 'file') return ['-i', `file:${source.path}`]
  return [...sourceInputs(source, largestPicture).args]
}

const videoOf = (text: string) => text.split('\n').find((one) => /Stream #0:\d.*: Video: /.test(one))

function faultOf(text: string): string | undefined {
  if (videoOf(text) !== undefined) return undefined
  return text.trim().split('\n').at(-1) || `nothing came within ${probeLimitMs / 1000} s`
}

/** Reads the messages of ffmpeg about its first video stream. */
function pictureOf(text: string): Picture | undefined {
  const line = videoOf(text) ?? ''
  const [, width, height] = sizeOf.exec(line) ?? []
  const [, rate] = rateOf.exec(line) ?? []
  const picture = {
    width: Number(width) & ~1,
    height: Number(height) & ~1,
    framesPerSecond: Math.round(Number(rate)),
  }
  if (!isWithin(picture, largestPicture)) return undefined
  const colours = coloursOf(line)
  return colours ? { ...picture, colours } : picture
}

/** The tracks of the input only: the output of ffmpeg is described after it. They end at a track that has sent nothing yet. */
function tracksOf(text: string): SoundTracks {
  const [input = ''] = text.split(/^(?:Stream mapping|Output #0)/m)
  const layouts = [...input.matchAll(/Stream #0:\d.*: Audio: .*?, (?:\d+ Hz, )?([^,\n]+)/g)]
  const channels = layouts.map(([, layout = '']) => channelsIn(layout))
  const silent = channels.indexOf(0)
  return silent < 0 ? channels : channels.slice(0, silent)
}

/** With this level ffmpeg names each message's own, and describes the source. */
export const describing = 'level+info'
const levelOf = /^(?:\[[^\]]* @ \w+\] )?\[(\w+)\] */

/** Not a warning or worse, of a program that describes its source. */
export const isDescription = (line: string): boolean => levelOf.exec(line)?.[1] === 'info'

/** Takes the messages of a program that describes its source, each time that it opens it. */
export function createTracksReader(onTracks: (tracks: SoundTracks) => void): (line: string) => void {
  let sounds: string[] = []
  return (line) => {
    const text = line.replace(levelOf, '')
    if (text.startsWith('Input #0')) sounds = []
    else if (/^Stream #0:\d.*: Audio: /.test(text)) sounds.push(text)
    else if (text.startsWith('Stream mapping')) onTracks(tracksOf(sounds.join('\n')))
  }
}

const namedLayouts: Readonly<Record<string, number>> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
  cube: 8,
  hexadecagonal: 16,
}

/** The number of channels of `stereo`, `7.1(wide)` or `16 channels`. */
function channelsIn(layout: string): number {
  const [name = ''] = /^[a-z]+/.exec(layout) ?? []
  const [counted] = /^\d+(?= channels)/.exec(layout) ?? []
  const [points] = /^\d+(?:\.\d+)+/.exec(layout) ?? []
  if (points !== undefined) return points.split('.').reduce((sum, part) => sum + Number(part), 0)
  return Number(counted ?? namedLayouts[name] ?? 2)
}

function coloursOf(line: string): Colours | undefined {
  const [, matrix, primaries, transfer] = hdrOf.exec(line) ?? []
  return matrix && primaries && transfer ? { matrix, primaries, transfer } : undefined
}
