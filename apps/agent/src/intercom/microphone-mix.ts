// The microphones of one line as one voice: with a single one its frames pass as they come.
import type { Frame } from '@backhaul/speech/frames'
import { mixMinus, sumOf } from '@backhaul/speech/mixing'

/** A microphone that is behind the others by more is not waited for. */
const mostWaiting = 2

export interface MicrophoneMix {
  add(microphone: object): void
  remove(microphone: object): void
  speak(microphone: object, frame: Frame): void
}

export function createMicrophoneMix(onFrame: (frame: Frame) => void): MicrophoneMix {
  const waiting = new Map<object, Frame[]>()
  return {
    add: (microphone) => void waiting.set(microphone, []),
    remove: (microphone) => void waiting.delete(microphone),
    speak(microphone, frame) {
      const own = waiting.get(microphone)
      if (!own) return
      own.push(frame)
      const isComplete = [...waiting.values()].every(({ length }) => length > 0)
      if (!isComplete && own.length <= mostWaiting) return
      onFrame(mixMinus(sumOf([...waiting.values()].flatMap((frames) => frames.shift() ?? []))))
    },
  }
}
