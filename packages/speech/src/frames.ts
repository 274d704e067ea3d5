// Sound as it is spoken, mixed and sent: 48 kHz, mono, 16 bit, in frames of 20 ms.

export const SAMPLE_RATE = 48_000
export const FRAME_MS = 20
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000
export const FRAME_BYTES = FRAME_SAMPLES * 2

export type Frame = Int16Array

export const silence: Frame = new Int16Array(FRAME_SAMPLES)

export const isSilent = (frame: Frame): boolean => frame.every((sample) => sample === 0)

/** The bytes of a frame, as sound programs read them (s16le). */
export function bytesOf(frame: Frame): Buffer {
  const bytes = Buffer.alloc(frame.length * 2)
  for (const [at, sample] of frame.entries()) bytes.writeInt16LE(sample, at * 2)
  return bytes
}

/** Cuts the bytes of a sound program into frames; what is left waits for the next ones. */
export function createFrameCutter(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (; at + FRAME_BYTES <= rest.length; at += FRAME_BYTES) {
      const from = at
      onFrame(Int16Array.from({ length: FRAME_SAMPLES }, (_, sample) => rest.readInt16LE(from + sample * 2)))
    }
    rest = rest.subarray(at)
  }
}
