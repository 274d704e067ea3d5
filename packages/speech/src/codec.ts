// Opus for speech: one packet for each frame of 20 ms.
import { Application, createDecoder, createEncoder } from 'libopus-wasm'
import { FRAME_SAMPLES, type Frame, SAMPLE_RATE } from './frames.ts'

const BITS_PER_SECOND = 32_000
/** Higher ones cost more time and are not heard in speech. */
const COMPLEXITY = 5

export interface SpeechEncoder {
  encode(frame: Frame): Uint8Array
  free(): void
}

export interface SpeechDecoder {
  /** Undefined for a packet that is not Opus or does not hold 20 ms. */
  decode(packet: Uint8Array): Frame | undefined
  /** A substitute for the speech of a lost packet. */
  conceal(): Frame
  free(): void
}

export async function createSpeechEncoder(): Promise<SpeechEncoder> {
  const encoder = await createEncoder({
    sampleRate: SAMPLE_RATE,
    channels: 1,
    application: Application.Voip,
    bitrate: BITS_PER_SECOND,
    complexity: COMPLEXITY,
  })
  return {
    // A copy: the library may use its memory again.
    encode: (frame) => Uint8Array.from(encoder.encode(frame)),
    free: () => encoder.free(),
  }
}

export async function createSpeechDecoder(): Promise<SpeechDecoder> {
  const decoder = await createDecoder({ sampleRate: SAMPLE_RATE, channels: 1 })
  return {
    decode(packet) {
      try {
        const frame = decoder.decode(packet)
        return frame.length === FRAME_SAMPLES ? Int16Array.from(frame) : undefined
      } catch {
        return undefined
      }
    },
    conceal: () => Int16Array.from(decoder.decodePacketLoss(FRAME_SAMPLES)),
    free: () => decoder.free(),
  }
}
