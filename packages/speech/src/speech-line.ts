// A line on which a unit speaks: sound of the crew out, sound of the room in, over all links.

import type { CallSession } from '@backhaul/bonding/call-seal'
import { createSpeechDecoder, createSpeechEncoder } from './codec.ts'
import { type Frame, isSilent, silence } from './frames.ts'
import { everyFrame } from './pace.ts'
import { createSpeechBuffer } from './speech-buffer.ts'
import { createSpeechCaller, type SpeechCaller } from './speech-caller.ts'

export interface SpeechLine extends Pick<SpeechCaller, 'addLink' | 'removeLink' | 'enableLink' | 'stats'> {
  /** The next 20 ms of the crew. */
  speak(frame: Frame): void
  close(): void
}

export interface SpeechLineOptions extends CallSession {
  /** The time for which sound is buffered before it is heard; 60 ms by default. */
  delayMs?: number | undefined
  /** Every 20 ms the sound of the room, silence included. */
  onHeard: (frame: Frame) => void
}

/** Rejects with RangeError for a key that is not 32 bytes. */
export async function openSpeechLine({
  onHeard,
  delayMs,
  ...session
}: SpeechLineOptions): Promise<SpeechLine> {
  const [encoder, decoder] = await Promise.all([createSpeechEncoder(), createSpeechDecoder()])
  let buffer = createSpeechBuffer(delayMs)
  let instance = 0
  const caller = createSpeechCaller({
    ...session,
    onFrame(frame, payload, from) {
      if (from !== instance) buffer = createSpeechBuffer(delayMs)
      instance = from
      buffer.put(frame, payload)
    },
  })
  let frames = 0
  const endTurns = everyFrame(() => {
    const played = buffer.take()
    if (played.kind === 'silent') onHeard(silence)
    else onHeard((played.kind === 'sound' && decoder.decode(played.payload)) || decoder.conceal())
  })
  const { addLink, removeLink, enableLink, stats } = caller
  return {
    addLink,
    removeLink,
    enableLink,
    stats,
    speak(frame) {
      frames++
      // Nothing is sent while a microphone is switched off.
      if (!isSilent(frame)) caller.send(frames, encoder.encode(frame))
    },
    close() {
      endTurns()
      caller.close()
      encoder.free()
      decoder.free()
    },
  }
}
