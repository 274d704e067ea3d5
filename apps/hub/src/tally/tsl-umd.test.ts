import { expect, test } from 'vitest'
import { readTslUmd } from './tsl-umd.ts'

/** TSL UMD 3.1, written from the protocol's own table: header, control, 16 characters. */
function version3(display: {
  address: number
  lamps?: number[]
  brightness?: number
  text?: string
}): Buffer {
  const { address, lamps = [], brightness = 3, text = '' } = display
  const bits = lamps.reduce((control, lamp) => control + 2 ** (lamp - 1), 0)
  return Buffer.concat([
    Buffer.of(address + 128, bits + brightness * 16),
    Buffer.from(text.padEnd(16, ' ').slice(0, 16), 'latin1'),
  ])
}

type Colour = 'off' | 'red' | 'green' | 'amber'
const colours: readonly Colour[] = ['off', 'red', 'green', 'amber']
interface Display {
  index: number
  right?: Colour
  text?: Colour
  left?: Colour
  label?: string
}

/** TSL UMD 5.0 by UDP, written from the protocol's own table, all words with the low byte first. */
function version5(displays: readonly Display[], { screen = 0, flags = 0, version = 0 } = {}): Buffer {
  const word = (value: number) => Buffer.of(value % 256, Math.floor(value / 256))
  const messages = displays.map(({ index, right = 'off', text = 'off', left = 'off', label = '' }) => {
    const lamps = [right, text, left].map((colour) => colours.indexOf(colour))
    const control = lamps.reduce((sum, lamp, at) => sum + lamp * 4 ** at, 0) + 3 * 64
    const bytes = Buffer.from(label, flags % 2 === 1 ? 'utf16le' : 'latin1')
    return Buffer.concat([word(index), word(control), word(bytes.length), bytes])
  })
  const body = Buffer.concat([Buffer.of(version, flags), word(screen), ...messages])
  return Buffer.concat([word(body.length), body])
}

const on = (address: number | 'all') => ({ address, isOn: true })
const off = (address: number | 'all') => ({ address, isOn: false })

test('of 3.1 the chosen lamp means on air, regardless of the others, the brightness and the text', () => {
  expect(readTslUmd(version3({ address: 0, lamps: [1] }), 1)).toEqual([on(0)])
  expect(readTslUmd(version3({ address: 126, lamps: [2, 3, 4], text: 'CAMERA 126' }), 1)).toEqual([off(126)])
  for (const lamp of [1, 2, 3, 4] as const) {
    expect(readTslUmd(version3({ address: 5, lamps: [lamp], brightness: 0 }), lamp)).toEqual([on(5)])
    const others = [1, 2, 3, 4].filter((other) => other !== lamp)
    expect(readTslUmd(version3({ address: 5, lamps: others }), lamp)).toEqual([off(5)])
  }
  const several = [version3({ address: 1, lamps: [1] }), version3({ address: 2 })]
  expect(readTslUmd(Buffer.concat(several), 1)).toEqual([on(1), off(2)])
})

test('of 5.0 red and amber of any lamp mean on air, green does not', () => {
  for (const lamp of ['left', 'text', 'right'] as const) {
    const states = colours.map((colour, index) => ({ index, [lamp]: colour, label: 'Cámara 1' }))
    expect(readTslUmd(version5(states), 1)).toEqual([off(0), on(1), off(2), on(3)])
  }
  const wide = version5([{ index: 65_534, left: 'red', right: 'green', label: 'Cámara 2' }], {
    flags: 1,
    screen: 7,
  })
  expect(readTslUmd(wide, 1)).toEqual([on(65_534)])
  expect(readTslUmd(version5([{ index: 65_535, text: 'red' }]), 1)).toEqual([on('all')])
  expect(readTslUmd(version5([]), 1)).toEqual([])
})

test('a message of 5.0 as long as several of 3.1 is read as 5.0', () => {
  const long = version5([{ index: 3, right: 'red', label: 'x'.repeat(150) }])
  // Nine messages of 3.1, the first of which begins with the highest bit.
  expect([long.length, long[0]]).toEqual([9 * 18, 0xa0])
  expect(readTslUmd(long, 1)).toEqual([on(3)])
})

test('control data and screen control of 5.0 change no display', () => {
  const screenControl = Buffer.concat([Buffer.of(4 + 3, 0, 0, 2, 0, 0), Buffer.from('abc')])
  expect(readTslUmd(screenControl, 1)).toEqual([])
  const control = Buffer.of(12, 0, 0, 0, 0, 0, 1, 0, 0x01, 0x80, 9, 9, 9, 9)
  expect(readTslUmd(control, 1)).toEqual([])
})

test('a datagram of another version, or a truncated one, is refused as a whole', () => {
  const good = version5([{ index: 1, left: 'red', label: 'CAM 1' }, { index: 2 }])
  const wrong: Buffer[] = [
    Buffer.alloc(0),
    Buffer.from('hello'),
    version3({ address: 1, lamps: [1] }).subarray(0, 17),
    version3({ address: 127, lamps: [1] }),
    // Without the highest bit of the address, and with that of the control.
    Buffer.concat([Buffer.of(1, 1), Buffer.alloc(16, 0x20)]),
    Buffer.concat([Buffer.of(0x81, 0x81), Buffer.alloc(16, 0x20)]),
    Buffer.concat([version3({ address: 1, lamps: [1] }), Buffer.alloc(18)]),
    good.subarray(0, -1),
    Buffer.concat([good, Buffer.of(0)]),
    version5([{ index: 1, left: 'red' }], { version: 1 }),
    // The text of the last display, or its header, would be behind the end.
    Buffer.of(10, 0, 0, 0, 0, 0, 1, 0, 1, 0, 5, 0),
    Buffer.of(9, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0),
    version5([{ index: 1, left: 'red', label: 'x'.repeat(2048) }]),
  ]
  for (const datagram of wrong)
    expect(readTslUmd(datagram, 1), datagram.toString('hex').slice(0, 80)).toBeUndefined()
})

test('a datagram of any bytes is read or refused, never an error', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 5000; round++) {
    const bytes = Buffer.from(Array.from({ length: random(60) }, () => random(256)))
    // Half of them pass as 5.0 at first sight.
    if (round % 2 === 0 && bytes.length >= 6) bytes.set([bytes.length - 2, 0, 0, random(4)])
    for (const { address } of readTslUmd(bytes, 1) ?? [])
      expect(address === 'all' || (address >= 0 && address <= 65_534)).toBe(true)
  }
})
