import { packetBytes, stampModulus } from '../ts-packets.ts'

// Builds small transport streams for tests: PAT, PMT and units of one packet, as an encoder would send them.

export const pids = { pmt: 0x1000, video: 0x100, audio: 0x101, secondAudio: 0x102 }

/** Counts continuity for one encoder. */
export function createTsBuilder({ audioTracks = 1 }: { audioTracks?: 1 | 2 } = {}) {
  const counters = new Map<number, number>()

  function packet(pid: number, starts: boolean, payload: readonly number[], flags = 0): Buffer {
    const counter = ((counters.get(pid) ?? -1) + 1) & 0x0f
    counters.set(pid, counter)
    const room = packetBytes - 4
    const stuffing = room - payload.length
    const adaptation = [stuffing - 1, flags, ...new Array<number>(Math.max(0, stuffing - 2)).fill(0xff)]
    const head = [0x47, (starts ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x30 | counter]
    return Buffer.from([...head, ...adaptation.slice(0, stuffing), ...payload])
  }

  const table = (pid: number, section: readonly number[]) => packet(pid, true, [0, ...section, 0, 0, 0, 0])
  return {
    tables(): Buffer {
      const pat = [0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (pids.pmt >> 8), pids.pmt & 0xff]
      const second = audioTracks === 2 ? [15, 0xe1, 0x02, 0xf0, 0] : []
      const streams = [27, 0xe1, 0x00, 0xf0, 0, 15, 0xe1, 0x01, 0xf0, 0, ...second]
      const pmt = [2, 0xb0, 13 + streams.length, 0, 1, 0xc1, 0, 0, 0xe1, 0x00, 0xf0, 0, ...streams]
      return Buffer.concat([table(0, pat), table(pids.pmt, pmt)])
    },
    video: (pts: number, isKey: boolean): Buffer =>
      packet(pids.video, true, [...unitHead(0xe0, pts), 0, 0, 1, isKey ? 0x65 : 0x41], isKey ? 0x40 : 0),
    audio: (pts: number, pid = pids.audio): Buffer => packet(pid, true, unitHead(0xc0, pts)),
    more: (pid: number): Buffer => packet(pid, false, [1, 2, 3]),
  }
}

function unitHead(streamId: number, pts: number): number[] {
  const stamp = ((pts % stampModulus) + stampModulus) % stampModulus
  const high = Math.floor(stamp / 2 ** 30)
  const middle = Math.floor(stamp / 2 ** 15) % 2 ** 15
  const low = stamp % 2 ** 15
  const bytes = [
    0x21 | (high << 1),
    middle >> 7,
    ((middle << 1) & 0xfe) | 1,
    low >> 7,
    ((low << 1) & 0xfe) | 1,
  ]
  return [0, 0, 1, streamId, 0, 0, 0x80, 0x80, 5, ...bytes]
}
