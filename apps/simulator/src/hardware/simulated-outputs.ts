/** The streams of a simulated channel to its destinations: at the received rate, or at that of an encoder. Pure. */
import type { Output } from '@backhaul/contract/gateway/servers'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'

/** The sound of a picture that is encoded again. */
const soundKbps = 128
/** The rate of a black picture without sound, regardless of the limit of its encoder. */
const blackKbps = 40
const unitKbps: Readonly<Record<string, number>> = { '': 0.001, k: 1, M: 1000 }

/** As ffmpeg reads it: `2500k`, `2.5M`, `2500000`. */
function optionKbps(text = ''): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (unitKbps[unit] ?? 1)
}

/** Without anything received a black picture is sent. */
function kbpsOf({ broadcast, ffmpeg, encoding, muxRateKbps }: Output, receivedKbps: number | null): number {
  if (muxRateKbps !== undefined) return muxRateKbps
  if (receivedKbps === null) return blackKbps
  const videoKbps = broadcast?.videoKbps ?? optionKbps(ffmpeg?.['b:v']) ?? encoding?.videoKbps
  return videoKbps === undefined ? receivedKbps : videoKbps + soundKbps
}

export const outputStatuses = (
  outputs: readonly Output[],
  receivedKbps: number | null,
  since: number,
): OutputStatus[] =>
  outputs.map((output) => ({
    id: output.id,
    state: 'sending',
    reason: null,
    since,
    tries: 1,
    kbps: Math.round(kbpsOf(output, receivedKbps)),
  }))
