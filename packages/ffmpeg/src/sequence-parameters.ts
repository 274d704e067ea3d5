// Reads the picture format from the sequence parameter set of a video stream (ITU-T H.264 §7.3.2.1.1, H.265 §7.3.2.2).

/** How samples represent colours, in the numbers of ITU-T H.273, where 2 is not known. */
export interface ColourCodes {
  readonly primaries: number
  readonly transfer: number
  readonly matrix: number
}

export interface SequenceParameters {
  readonly width: number
  readonly height: number
  readonly profile: number
  /** 8-bit 4:2:0, the only sampling that every browser decodes. */
  readonly isPlainSampling: boolean
  /** Undefined where the stream does not contain it. */
  readonly colours?: ColourCodes | undefined
}

/** The parameter set as far as it was read; later fields may be missing. */
interface Read {
  readonly parameters: SequenceParameters
  readonly readColours: () => ColourCodes | undefined
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
    const { parameters, readColours } = codec === 'h264' ? readH264(bits) : readH265(bits)
    if (!(parameters.width > 0 && parameters.height > 0) || bits.isExhausted()) return undefined
    const written = readColours()
    if (bits.isExhausted()) return parameters
    const transfer = codec === 'h265' ? preferredTransfer(accessUnit.subarray(at + 3)) : undefined
    return {
      ...parameters,
      colours: transfer === undefined ? written : { ...(written ?? notNamed), transfer },
    }
  }
  return undefined
}

const notNamed: ColourCodes = { primaries: 2, transfer: 2, matrix: 2 }
const [firstOfOthers, supplement, alternativeTransfer] = [32, 39, 147]

/**
 * The transfer that the picture has for receivers that know it, in a supplement before the picture: HLG, which the parameter
 * set names as SDR for all others.
 */
function preferredTransfer(bytes: Uint8Array): number | undefined {
  for (let at = 0; at + 5 < bytes.length; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue
    const type = bytes[at + 3]! >> 1
    if (type < firstOfOthers) return undefined
    const found = type === supplement ? transferIn(withoutEscapes(bytes.subarray(at + 5))) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Reads the messages of one supplement, each with its type and size, which are sums of bytes up to one below 255. */
function transferIn(messages: Uint8Array): number | undefined {
  let at = 0
  function sum(): number {
    let whole = 0
    while (messages[at] === 255) whole += messages[at++]!
    return whole + (messages[at++] ?? 0)
  }
  // Behind the last message is the bit that ends the unit.
  while (at + 2 < messages.length) {
    const [type, size] = [sum(), sum()]
    if (type === alternativeTransfer) return messages[at]
    at += size
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

function readH264(bits: BitReader): Read {
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
  const parameters = {
    width: widthUnits * 16 - unitX * (left + right),
    height: heightUnits * 16 * fields - unitY * (top + bottom),
    profile,
    isPlainSampling: sampling.chroma === 1 && sampling.depth === 8,
  }
  return { parameters, readColours: () => coloursIn(bits) }
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

function readH265(bits: BitReader): Read {
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
  const depth = 8 + Math.max(bits.golomb(), bits.golomb())
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1
  const unitY = chroma === 1 ? 2 : 1
  const parameters = {
    width: width - unitX * (left + right),
    height: height - unitY * (top + bottom),
    profile,
    isPlainSampling: chroma === 1 && depth === 8,
  }
  return {
    parameters,
    readColours() {
      skipH265Coding(bits, subLayers)
      return coloursIn(bits)
    },
  }
}

function skipSubLayers(bits: BitReader, subLayers: number): void {
  const present: number[] = []
  for (let layer = 0; layer < subLayers; layer++) present.push(bits.take(2))
  if (subLayers > 0) bits.skip(2 * (8 - subLayers))
  for (const flags of present) bits.skip((flags & 2 ? 88 : 0) + (flags & 1 ? 8 : 0))
}

/** From the order of pictures up to the usability information. */
function skipH265Coding(bits: BitReader, subLayers: number): void {
  const orderBits = bits.golomb() + 4
  const layersWithOrder = bits.take(1) ? subLayers + 1 : 1
  const blockSizes = 6
  skipGolombs(bits, 3 * layersWithOrder + blockSizes)
  if (bits.take(1) && bits.take(1)) skipH265ScalingLists(bits)
  bits.skip(2)
  if (bits.take(1)) {
    bits.skip(8)
    skipGolombs(bits, 2)
    bits.skip(1)
  }
  skipReferenceSets(bits)
  if (bits.take(1))
    for (let left = bits.golomb(); left > 0 && !bits.isExhausted(); left--) bits.skip(orderBits + 1)
  bits.skip(2)
}

function skipGolombs(bits: BitReader, count: number): void {
  for (let left = count; left > 0 && !bits.isExhausted(); left--) bits.golomb()
}

function skipH265ScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size++)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1)
      // Either the list that it repeats, or its values.
      skipGolombs(bits, bits.take(1) ? Math.min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0) : 1)
}

/** The sets of pictures that others refer to (§7.3.7). */
function skipReferenceSets(bits: BitReader): void {
  const count = bits.golomb()
  let pictures = 0
  for (let set = 0; set < count && !bits.isExhausted(); set++)
    pictures = set > 0 && bits.take(1) ? skipPredictedSet(bits, pictures) : skipReferenceSet(bits)
}

/** Number of pictures in it. */
function skipReferenceSet(bits: BitReader): number {
  const count = bits.golomb() + bits.golomb()
  for (let left = count; left > 0 && !bits.isExhausted(); left--) {
    bits.golomb()
    bits.skip(1)
  }
  return count
}

/** Skips a set that names which pictures of the set before it, and one more, it contains. */
function skipPredictedSet(bits: BitReader, before: number): number {
  bits.skip(1)
  bits.golomb()
  let count = 0
  for (let left = before + 1; left > 0 && !bits.isExhausted(); left--)
    if (bits.take(1) || bits.take(1)) count++
  return count
}

/** The beginning of the usability information, which both standards share (Annex E). */
function coloursIn(bits: BitReader): ColourCodes | undefined {
  if (!bits.take(1)) return undefined
  const otherAspect = 255
  if (bits.take(1) && bits.take(8) === otherAspect) bits.skip(32)
  if (bits.take(1)) bits.skip(1)
  if (!bits.take(1)) return undefined
  bits.skip(4)
  if (!bits.take(1)) return undefined
  return { primaries: bits.take(8), transfer: bits.take(8), matrix: bits.take(8) }
}
