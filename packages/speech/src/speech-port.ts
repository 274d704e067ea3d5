// The server's end of all speech sessions on one UDP port, which units call over each of their links.
import type { CallSession } from '@backhaul/bonding/call-seal'
import { openCalledPort } from '@backhaul/bonding/called-port'
import { type BondingClock, steadyClock } from '@backhaul/bonding/clock'

/** A link that does not call for this long gets no sound. */
const FORGET_AFTER_MS = 2000

export interface SpeechEntry extends CallSession {
  /** Each frame once. `index` counts the packets without a gap, `instance` changes when the unit has started again. */
  onFrame: (sound: { frame: number; index: number; instance: number; payload: Buffer }) => void
}

export interface SpeechWay {
  /** Sends a frame over every link that calls. */
  send(frame: number, payload: Uint8Array): void
  /** Ids of the links that call now. */
  links(): string[]
  close(): void
}

export interface SpeechPort {
  readonly port: number
  /** Admits a unit with the key. Throws RangeError for a key that is not 32 bytes. */
  admit(entry: SpeechEntry): SpeechWay
  close(): Promise<void>
}

/** Resolves when the port is bound, 0 being any free one; rejects with the system's error. */
export async function openSpeechPort(
  host: string,
  port: number,
  clock: BondingClock = steadyClock,
): Promise<SpeechPort> {
  const called = await openCalledPort({ host, port, forgetAfterMs: FORGET_AFTER_MS, clock })
  return {
    ...called,
    admit(entry) {
      const caller = called.admit(entry)
      return { ...caller, send: (frame, payload) => caller.send(frame, payload, caller.links()) }
    },
  }
}
