// What picture a source gives, found by opening it once.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Colours, isWithin, largestPicture, type Picture, type Source, sourceInputs } from './sources.ts'

const run = promisify(execFile)
/** A camera that is not there yet, or an address that does not answer. */
const probeLimitMs = 8000
const rateOf = /, (\d+(?:\.\d+)?) (?:fps|tbr)/
const sizeOf = /Video: .*?, (\d{2,5})x(\d{2,5})/
/** Matrix, primaries and transfer of HLG and PQ. */
const hdrOf = /\((?:[a-z]+, )*([\w-]+)\/([\w-]+)\/(arib-std-b67|smpte2084)\b/

/**
 * Size and rate of what the source gives by itself, rates rounded to whole frames, and the colours of HDR; undefined when
 * it gives nothing within 8 s, or a picture that the unit does not send (more than 2160p60).
 */
export async function probePicture(
  ffmpegPath: string,
  source: Exclude<Source, { kind: 'testPattern' }>,
): Promise<Picture | undefined> {
  const args = ['-hide_banner', '-nostdin', ...inputOf(source), '-frames:v', '1', '-f', 'null', '-']
  const { stderr } = await run(ffmpegPath, args, { timeout: probeLimitMs, killSignal: 'SIGKILL' }).catch(
    (error: { stderr?: string }) => ({ stderr: error.stderr ?? '' }),
  )
  return pictureOf(stderr)
}

function inputOf(source: Exclude<Source, { kind: 'testPattern' }>): string[] {
  // A camera is opened with the size that it has at the moment.
  if (source.kind === 'camera') return ['-f', 'v4l2', '-i', source.device]
  if (source.kind === 'file') return ['-i', `file:${source.path}`]
  return [...sourceInputs(source, largestPicture).args]
}

/** Of what ffmpeg says about its first video stream. */
function pictureOf(text: string): Picture | undefined {
  const line = text.split('\n').find((one) => /Stream #0:\d.*: Video: /.test(one)) ?? ''
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

function coloursOf(line: string): Colours | undefined {
  const [, matrix, primaries, transfer] = hdrOf.exec(line) ?? []
  return matrix && primaries && transfer ? { matrix, primaries, transfer } : undefined
}
