// Sources whose channels of sound each have a tone of their own, and the tones that are found in sound.
import { spawnSync } from 'node:child_process'

const samplesPerSecond = 48_000
const firstHz = 220
const filmSeconds = 4
/** The least level of an audible sample: below is the noise of a coder. */
const audible = 300

/** The tones of this many channels: 220 Hz on the first, 440 Hz on the second, and so on. */
export const tonesOf = (channels: number): number[] =>
  Array.from({ length: channels }, (_, at) => firstHz * (at + 1))

/** A film of four seconds with a track of sound for each number of channels; the tones rise from track to track. */
export function makeTones(ffmpegPath: string, path: string, tracks: readonly number[], codec = 'pcm_s16le') {
  const hertz = tonesOf(tracks.reduce((sum, channels) => sum + channels, 0))
  const sounds = tracks.map((channels) => {
    const each = hertz.splice(0, channels).map((hz) => `0.125*sin(${hz}*2*PI*t)`)
    return `aevalsrc=exprs=${each.join('|')}:sample_rate=${samplesPerSecond}:duration=${filmSeconds}`
  })
  const picture = `testsrc2=size=160x90:rate=25:duration=${filmSeconds}`
  const inputs = [picture, ...sounds].flatMap((graph) => ['-f', 'lavfi', '-i', graph])
  const maps = ['-map', '0:v', ...tracks.flatMap((_, at) => ['-map', `${at + 1}:a`])]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', codec]
  spawnSync(ffmpegPath, ['-v', 'error', '-y', ...inputs, ...maps, ...coding, path])
}

/**
 * The tone of each channel in the last but one half second of 16-bit sound, to 20 Hz; 0 of silence. Behind it the last block of
 * a coder is filled with silence.
 */
export function tonesInSound(sound: Buffer, channels: number): number[] {
  const samples = new Int16Array(sound.buffer.slice(sound.byteOffset, sound.byteOffset + (sound.length & ~1)))
  const whole = Math.floor(samples.length / channels)
  const count = Math.min(samplesPerSecond / 2, whole)
  const first = (Math.max(count, whole - count) - count) * channels
  return Array.from({ length: channels }, (_, channel) => {
    let rises = 0
    let isLow = false
    for (let at = 0; at < count; at++) {
      const sample = samples[first + at * channels + channel] ?? 0
      if (sample < -audible) isLow = true
      if (sample <= audible || !isLow) continue
      rises++
      isLow = false
    }
    return count === 0 ? 0 : Math.round((rises * samplesPerSecond) / count / 20) * 20
  })
}

/** The tones of all tracks in a transport stream, or in the file at a path; each is stereo. */
export function tonesIn(ffmpegPath: string, input: Buffer | string): number[] {
  const isPath = typeof input === 'string'
  const source = ['-hide_banner', ...(isPath ? ['-i', input] : ['-f', 'mpegts', '-i', 'pipe:0'])]
  const run = (args: readonly string[]) =>
    spawnSync(ffmpegPath, [...source, ...args], { ...(!isPath && { input }), maxBuffer: 1e9 })
  const tracks = [
    ...run([])
      .stderr.toString()
      .matchAll(/Stream #0:\d+.*: Audio: .*stereo/g),
  ].length
  return Array.from({ length: tracks }, (_, track) => {
    const raw = ['-map', `0:a:${track}`, '-ar', String(samplesPerSecond), '-f', 's16le', 'pipe:1']
    return tonesInSound(run(raw).stdout, 2)
  }).flat()
}
