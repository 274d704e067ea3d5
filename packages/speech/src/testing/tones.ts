// Tones that tests speak, and how loud one is in what was heard.
import { FRAME_SAMPLES, type Frame, SAMPLE_RATE } from '../frames.ts'

const LOUDNESS = 8000

/** Frames of a tone, each continuing the one before. */
export function toneOf(hertz: number, loudness = LOUDNESS): () => Frame {
  let at = 0
  return () =>
    Int16Array.from({ length: FRAME_SAMPLES }, () =>
      Math.round(loudness * Math.sin((2 * Math.PI * hertz * at++) / SAMPLE_RATE)),
    )
}

/** The amplitude of one frequency in the samples (Goertzel). */
export function loudnessOf(hertz: number, samples: ArrayLike<number>): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / SAMPLE_RATE)
  let [last, before] = [0, 0]
  for (let at = 0; at < samples.length; at++) {
    const now = (samples[at] ?? 0) + turn * last - before
    before = last
    last = now
  }
  const power = last * last + before * before - turn * last * before
  return (2 * Math.sqrt(Math.max(0, power))) / Math.max(1, samples.length)
}

/** Frames one after the other. */
export function joined(frames: readonly Frame[]): Int16Array {
  const all = new Int16Array(frames.length * FRAME_SAMPLES)
  for (const [at, frame] of frames.entries()) all.set(frame, at * FRAME_SAMPLES)
  return all
}
