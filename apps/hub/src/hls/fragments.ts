// Cuts fragmented MP4 as ffmpeg writes it (ISO/IEC 14496-12) into its header and its fragments, each a moof with its mdat.
import { boxesIn, type Mp4Tracks, readMoof, readMoov } from './mp4-boxes.ts'

export interface Fragment {
  readonly bytes: Buffer
  /** Duration of its picture, or of its sound where there is no picture; 0 where it has only sound in between. */
  readonly seconds: number
  /** Decoding can begin with it. */
  readonly isKey: boolean
}

export interface FragmentCutter {
  /** Bytes in pieces of any size. Throws RangeError for a box that is larger than any picture. */
  push(chunk: Buffer): void
}

export interface FragmentCutterOptions {
  onHeader: (bytes: Buffer, tracks: Mp4Tracks) => void
  onFragment: (fragment: Fragment) => void
}

const HEAD_BYTES = 8
const LARGEST_BOX_BYTES = 32 << 20

/**
 * 1. header: ftyp has come, moov has not;
 * 2. between: the next box is a moof, or one that players do not need;
 * 3. within: a moof has come, its mdat has not; then back to 2.
 */
export function createFragmentCutter({ onHeader, onFragment }: FragmentCutterOptions): FragmentCutter {
  let pending: Buffer = Buffer.alloc(0)
  let fileType: Buffer = Buffer.alloc(0)
  let tracks: Mp4Tracks | undefined
  let moof: Buffer | undefined

  function take(type: string, box: Buffer): void {
    if (type === 'ftyp') fileType = box
    if (type === 'moov') {
      tracks = readMoov(box.subarray(HEAD_BYTES))
      onHeader(Buffer.concat([fileType, box]), tracks)
    }
    if (type === 'moof') moof = box
    if (type !== 'mdat' || !moof || !tracks) return
    onFragment({ bytes: Buffer.concat([moof, box]), ...readMoof(moof.subarray(HEAD_BYTES), tracks) })
    moof = undefined
  }

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let at = 0
      for (const { type, start, end } of boxesIn(pending)) {
        if (end - start > LARGEST_BOX_BYTES) throw new RangeError(`MP4: a box of ${end - start} bytes`)
        if (end > pending.length) break
        // A copy: the rest of what was read with it must not be held in memory.
        take(type, Buffer.from(pending.subarray(start, end)))
        at = end
      }
      pending = pending.subarray(at)
    },
  }
}
