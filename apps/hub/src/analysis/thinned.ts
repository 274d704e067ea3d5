// The part of a stream that the analysis needs: sound, and the key frames that it is to decode.
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import { packetBytes, pidOf, startsUnit } from '@backhaul/ffmpeg/ts-packets'

/** ffmpeg knows that a picture is whole when the next one begins, and takes it apart when the one after that begins. */
const PICTURES_TO_END = 2

/**
 * A bus with only those pictures for which `isWanted` is true, and behind them the first packet of each picture that ends
 * them. Everything else passes.
 */
export function thinned(
  bus: Pick<TsBus, 'subscribe' | 'video'>,
  isWanted: (isKeyFrame: boolean) => boolean,
): Pick<TsBus, 'subscribe'> {
  return {
    subscribe(read, options) {
      let isPassing = false
      let endings = 0

      function passes(packets: Buffer, at: number, startsAtKeyFrame: boolean): boolean {
        if (pidOf(packets, at) !== bus.video()?.pid) return true
        if (!startsUnit(packets, at)) return isPassing
        // A piece of the bus begins with a key frame or has none.
        isPassing = isWanted(startsAtKeyFrame && at === 0)
        endings = isPassing ? PICTURES_TO_END : endings - 1
        return isPassing || endings >= 0
      }

      return bus.subscribe((packets, startsAtKeyFrame) => {
        const runs: Buffer[] = []
        let start = 0
        for (let at = 0; at < packets.length; at += packetBytes) {
          if (passes(packets, at, startsAtKeyFrame)) continue
          if (at > start) runs.push(packets.subarray(start, at))
          start = at + packetBytes
        }
        if (packets.length > start) runs.push(packets.subarray(start))
        if (runs.length > 0) read(runs.length === 1 ? runs[0]! : Buffer.concat(runs), startsAtKeyFrame)
      }, options)
    },
  }
}
