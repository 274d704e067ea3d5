/** The headset lines of a simulated crew: real calls to the server of the audio room, in which a short tone is sent. */
import type { AudioJack, IntercomNumber } from '@backhaul/contract/nouns/intercom'
import { Refused } from '@backhaul/device/refused'
import type { IntercomHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import { FRAME_SAMPLES, type Frame, SAMPLE_RATE, silence } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechLine, type SpeechLine } from '@backhaul/speech/speech-line'

const checkPeriodMs = 100
const startLimitMs = 15_000
const hertz = 660
const loudness = 4000
const toneFrames = 20
/** From the beginning of one tone to that of the next. */
const periodFrames = 200

/** A tone of 0.4 s every 4 s. */
function crewSound(frame: number): Frame {
  const at = frame % periodFrames
  if (at >= toneFrames) return silence
  const first = at * FRAME_SAMPLES
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, sample) =>
    Math.round(loudness * Math.sin((2 * Math.PI * hertz * (first + sample)) / SAMPLE_RATE)),
  )
}

const useOf = { 1: 'intercom1', 2: 'intercom2' } as const

interface Call {
  readonly line: SpeechLine
  endTurns: () => void
}

/** A line to which no jack is set has no headset: no tone is sent on it. */
export function createSimulatedIntercom(clock: Clock, jacks: () => readonly AudioJack[]): IntercomHardware {
  const calls = new Map<IntercomNumber, Call>()
  const hasHeadset = (intercom: IntercomNumber) => jacks().some(({ use }) => use === useOf[intercom])

  function hangUp(intercom: IntercomNumber): void {
    const call = calls.get(intercom)
    calls.delete(intercom)
    call?.endTurns()
    call?.line.close()
  }

  return {
    async connect({ id, intercom, key, targets }, signal) {
      const session = { sessionId: id, key: Buffer.from(key, 'base64') }
      const line = await openSpeechLine({ ...session, onHeard: () => {} })
      // One link for each address of the server: which of them is reached from here is not known.
      for (const { host, port } of targets) line.addLink({ id: host, remoteHost: host, remotePort: port })
      try {
        await answered(clock, line, signal)
      } catch (error) {
        line.close()
        throw error
      }
      let frame = 0
      const say = () => line.speak(hasHeadset(intercom) ? crewSound(frame++) : silence)
      calls.set(intercom, { line, endTurns: everyFrame(say) })
    },
    disconnect: hangUp,
    problem: (intercom) => (hasHeadset(intercom) ? null : 'intercom.noHeadset'),
  }
}

function answered(clock: Clock, line: SpeechLine, signal: AbortSignal): Promise<void> {
  const startedMs = clock.monotonicMs()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = clock.setInterval(() => {
    if (line.stats().links.some(({ up }) => up)) resolve()
    if (signal.aborted) reject(new Refused('intercom.cancelled'))
    if (clock.monotonicMs() - startedMs > startLimitMs) reject(new Refused('intercom.serverSilent'))
  }, checkPeriodMs)
  return promise.finally(() => clock.clearInterval(timer))
}
