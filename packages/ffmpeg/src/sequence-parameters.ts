// Reads the picture format from the sequence parameter set of a video stream (ITU-T H.264 §7.3.2.1.1, H.265 §7.3.2.2).

export interface SequenceParameters {
  readonly width: number
  readonly height: number
  readonly profile: number
  /** 8-bit 4:2:0, the only sampling that every browser decodes. */
  readonly isPlainSampling: boolean
}

/** Finds and reads the parameter set among the NAL units of an access unit; undefined when there is none. */
export function readSequenceParameters(
  accessUnit: Uint8Array,
  codec: 'h264' | 'h265',
): SequenceParameters | undefined {
  for (let at = 0; at + 5 < accessUnit.length; at++) {
    if (accessUnit[at] !== 0 || accessUnit[at + 1] !== 0 || accessUnit[at + 2] !== 1) continue
    const header = accessUnit[at + 3]!
    const isSet = codec === 'h264' ? (header & 0x1f) === 7 : header >> 1 === 33
    if (!isSet) continue
    const bits = createBitReader(withoutEscapes(accessUnit.subarray(at + (codec === 'h264' ? 4 : 5))))
    const found = codec === 'h264' ? readH264(bits) : readH265(bits)
    return found.width > 0 && found.height > 0 && !bits.isExhausted() ? found : undefined
  }
  return undefined
}

/** Up to the next NAL unit, without the bytes that keep a start code from appearing inside. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  const clean: number[] = []
  let zeros = 0
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 1) break
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    clean.push(byte)
  }
  return Uint8Array.from(clean)
}

type BitReader = ReturnType<typeof createBitReader>

function createBitReader(bytes: Uint8Array) {
  let at = 0
  const bit = () => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    at++
    return value
  }
  const take = (count: number) => {
    let value = 0
    for (let index = 0; index < count; index++) value = value * 2 + bit()
    return value
  }
  /** Exponential Golomb code, unsigned. */
  const golomb = () => {
    let zeros = 0
    while (bit() === 0 && zeros < 32 && at < bytes.length * 8) zeros++
    return 2 ** zeros - 1 + take(zeros)
  }
  return {
    take,
    golomb,
    skip: (count: number) => {
      at += count
    },
    isExhausted: () => at > bytes.length * 8,
  }
}

const profilesWithChroma = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

function readH264(bits: BitReader): SequenceParameters {
  const profile = bits.take(8)
  bits.skip(16)
  bits.golomb()
  const sampling = profilesWithChroma.has(profile) ? readH264Sampling(bits) : { chroma: 1, depth: 8 }
  bits.golomb()
  skipPictureOrder(bits)
  bits.golomb()
  bits.skip(1)
  const widthUnits = bits.golomb() + 1
  const heightUnits = bits.golomb() + 1
  const isProgressive = bits.take(1)
  if (!isProgressive) bits.skip(1)
  bits.skip(1)
  const fields = 2 - isProgressive
  const [left, right, top, bottom] = readWindow(bits)
  const unitX = sampling.chroma === 1 || sampling.chroma === 2 ? 2 : 1
  const unitY = (sampling.chroma === 1 ? 2 : 1) * fields
  return {
    width: widthUnits * 16 - unitX * (left + right),
    height: heightUnits * 16 * fields - unitY * (top + bottom),
    profile,
    isPlainSampling: sampling.chroma === 1 && sampling.depth === 8,
  }
}

function readH264Sampling(bits: BitReader): { chroma: number; depth: number } {
  const chroma = bits.golomb()
  if (chroma === 3) bits.skip(1)
  const depth = 8 + Math.max(bits.golomb(), bits.golomb())
  bits.skip(1)
  if (bits.take(1)) {
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) {
      if (bits.take(1)) skipScalingList(bits, list < 6 ? 16 : 64)
    }
  }
  return { chroma, depth }
}

function skipScalingList(bits: BitReader, size: number): void {
  let next = 8
  let last = 8
  for (let index = 0; index < size; index++) {
    if (next !== 0) {
      const code = bits.golomb()
      const delta = code % 2 === 1 ? (code + 1) / 2 : -code / 2
      next = (last + delta + 256) % 256
    }
    if (next !== 0) last = next
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.golomb()
  if (type === 0) bits.golomb()
  if (type !== 1) return
  bits.skip(1)
  bits.golomb()
  bits.golomb()
  for (let left = bits.golomb(); left > 0 && !bits.isExhausted(); left--) bits.golomb()
}

function readWindow(bits: BitReader): [number, number, number, number] {
  if (!bits.take(1)) return [0, 0, 0, 0]
  return [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()]
}

function readH265(bits: BitReader): SequenceParameters {
  bits.skip(4)
  const subLayers = bits.take(3)
  bits.skip(1)
  bits.skip(3)
  const profile = bits.take(5)
  bits.skip(88)
  skipSubLayers(bits, subLayers)
  bits.golomb()
  const chroma = bits.golomb()
  if (chroma === 3) bits.skip(1)
  const width = bits.golomb()
  const height = bits.golomb()
  const [left, right, top, bottom] = readWindow(bits)
  const isPlainDepth = bits.golomb() === 0 && bits.golomb() === 0
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1
  const unitY = chroma === 1 ? 2 : 1
  return {
    width: width - unitX * (left + right),
    height: height - unitY * (top + bottom),
    profile,
    isPlainSampling: chroma === 1 && isPlainDepth,
  }
}

function skipSubLayers(bits: BitReader, subLayers: number): void {
  const present: number[] = []
  for (let layer = 0; layer < subLayers; layer++) present.push(bits.take(2))
  if (subLayers > 0) bits.skip(2 * (8 - subLayers))
  for (const flags of present) bits.skip((flags & 2 ? 88 : 0) + (flags & 1 ? 8 : 0))
}
