// The picture format in parameter sets with fields that software encoders leave out.
import { expect, test } from 'vitest'
import { readSequenceParameters } from './sequence-parameters.ts'

/** A number as an Exponential Golomb code, a text as the bits themselves. */
type Field = number | string

const bitsOf = (value: number, count: number) => value.toString(2).padStart(count, '0')

function golomb(value: number): string {
  const digits = (value + 1).toString(2)
  return digits.padStart(2 * digits.length - 1, '0')
}

/** With the bytes that keep a start code from appearing inside. */
function unitOf(header: readonly number[], fields: readonly Field[]): Uint8Array {
  const bits = `${fields.map((field) => (typeof field === 'number' ? golomb(field) : field)).join('')}1`
  const bytes = bits.match(/.{1,8}/g)?.map((part) => Number.parseInt(part.padEnd(8, '0'), 2)) ?? []
  const escaped: number[] = []
  for (const byte of bytes) {
    if (byte <= 3 && escaped.length > 1 && escaped.at(-1) === 0 && escaped.at(-2) === 0) escaped.push(3)
    escaped.push(byte)
  }
  return Uint8Array.from([0, 0, 1, ...header, ...escaped])
}

const flag = (isSet: boolean) => (isSet ? '1' : '0')

test('the colours of H.265 are after scaling lists, PCM, sets of references and those of long term', () => {
  const repeated: Field[] = ['0', 0]
  const values = (count: number): Field[] => ['1', ...Array.from({ length: count }, (_, at) => at % 7)]
  const lists = [
    [values(16), repeated, repeated, repeated, repeated, repeated],
    [values(64), repeated, repeated, repeated, repeated, repeated],
    [values(65), repeated, repeated, repeated, repeated, repeated],
    [values(65), repeated],
  ].flat(2)
  const parts: Field[][] = [
    ['0000', '000', '1', '000', bitsOf(4, 5), '0'.repeat(88)],
    // Number of the set, 4:2:0, size, no window, 10 bits.
    [0, 1, 1920, 1080, flag(false), 2, 2],
    // Order of pictures in 8 bits, one layer, sizes of blocks.
    [4, flag(true), 4, 2, 0, 0, 3, 0, 3, 1, 1],
    ['1', '1', ...lists, '00'],
    ['1', bitsOf(9, 4), bitsOf(9, 4), 0, 2, '0'],
    // Three sets: two pictures before; of those and another one three; of those and another one two.
    [3, 2, 0, 0, '1', 1, '1'],
    ['1', '1', 0, '1', '1', '01'],
    ['1', '0', 1, '1', '00', '01', '00'],
    ['1', 1, bitsOf(77, 8), '1', '00'],
    // An aspect ratio of its own, overscan, and the colours of HLG.
    ['1', '1', bitsOf(255, 8), bitsOf(16, 16), bitsOf(11, 16), '1', '0'],
    ['1', '101', '0', '1', bitsOf(9, 8), bitsOf(18, 8), bitsOf(9, 8), '0000'],
  ]
  const read = (some: readonly Field[][]) => readSequenceParameters(unitOf([33 << 1, 1], some.flat()), 'h265')
  const colours = { primaries: 9, transfer: 18, matrix: 9 }
  expect(read(parts)).toEqual({ width: 1920, height: 1080, profile: 4, isPlainSampling: false, colours })
  // A set that is cut off has a size, but no colours.
  expect(read(parts.slice(0, -6))).toEqual({
    width: 1920,
    height: 1080,
    profile: 4,
    isPlainSampling: false,
  })
})
