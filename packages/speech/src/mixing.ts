// Mixing voices: each listener gets all others, and never their own.
import { FRAME_SAMPLES, type Frame } from './frames.ts'

const HIGHEST = 32_767
const LOWEST = -32_768

export type Sum = Int32Array

export function sumOf(voices: Iterable<Frame>): Sum {
  const sum = new Int32Array(FRAME_SAMPLES)
  for (const voice of voices) for (let at = 0; at < FRAME_SAMPLES; at++) sum[at]! += voice[at] ?? 0
  return sum
}

/** The sum without one voice; what is too loud for 16 bits is limited. */
export function mixMinus(sum: Sum, own?: Frame): Frame {
  const mix = new Int16Array(FRAME_SAMPLES)
  for (let at = 0; at < FRAME_SAMPLES; at++)
    mix[at] = Math.min(HIGHEST, Math.max(LOWEST, (sum[at] ?? 0) - (own?.[at] ?? 0)))
  return mix
}
