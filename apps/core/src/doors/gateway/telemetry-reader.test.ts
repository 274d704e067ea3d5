import { unitTelemetry } from '@backhaul/contract/gateway/units'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNightly } from '../../database/testing.ts'
import { readMessage } from './message-reader.ts'
import { readTelemetry } from './telemetry-reader.ts'

const numRuns = isNightly ? 50_000 : 1000

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
const amount = number(0, 1e9)
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

/** The schema leaves the one name out that is the prototype of an object. */
const signalName = fc.string({ maxLength: 16 }).filter((name) => name !== '__proto__')

const link = fc.record(
  {
    port: fc.integer({ min: 0, max: 63 }),
    up: fc.boolean(),
    kbps: amount,
    downKbps: amount,
    rttMs: orNull(amount),
    lossPercent: number(0, 100),
    rtxPercent: number(0, 100),
    capacityKbps: orNull(amount),
    signal: fc.dictionary(signalName, number(-200, 200), { maxKeys: 4, noNullPrototype: true }),
  },
  {
    requiredKeys: ['port', 'up', 'kbps', 'downKbps', 'rttMs', 'lossPercent', 'rtxPercent', 'capacityKbps'],
  },
)
const battery = fc.record({
  connected: fc.boolean(),
  charging: fc.boolean(),
  percentage: orNull(number(0, 100)),
})
const location = fc.record(
  { lat: number(-90, 90), lng: number(-180, 180), address: fc.string({ maxLength: 255 }), accuracyM: amount },
  { requiredKeys: ['lat', 'lng', 'address'] },
)
const sample = fc.record(
  {
    ts: number(0, 2e12),
    links: fc.array(link, { maxLength: 7 }),
    encoderKbps: orNull(number(-10, 1e6)),
    capacityKbps: orNull(number(-10, 1e6)),
    battery: orNull(battery),
    location: orNull(location),
  },
  { requiredKeys: ['ts', 'links', 'encoderKbps', 'capacityKbps'] },
)
const plain = fc.record(
  {
    type: fc.constant('telemetry'),
    samples: fc.array(sample, { minLength: 1, maxLength: 4 }),
    unitId: fc.string({ maxLength: 64 }),
  },
  { requiredKeys: ['type', 'samples'] },
)

/** Values that may be where another type is expected: other types, values next to every limit. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', '5', 'telemetry', [], {}, [[]], -0, -1, 0.5, 63, 63.5, 64, 90.001),
  fc.constantFrom<unknown>(
    -90,
    -180.5,
    100,
    100.1,
    255,
    1e21,
    'x'.repeat(16),
    'x'.repeat(17),
    'x'.repeat(64),
  ),
  fc.constantFrom<unknown>('x'.repeat(65), 'x'.repeat(255), 'x'.repeat(256), { bars: 1e308 }, { bars: null }),
  fc.jsonValue({ maxDepth: 2 }),
)
const field = fc.constantFrom(
  'type',
  'unitId',
  'samples',
  'ts',
  'links',
  'port',
  'kbps',
  'signal',
  'accuracyM',
  'lat',
  '__proto__',
  'other',
)

type Change = { at: number; how: 'replace' | 'remove' | 'add'; field: string; value: unknown }
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add'),
  field,
  value: strange,
})

/** Every place of a value: its parent and its key. */
function places(value: unknown): [parent: Record<string, unknown>, key: string][] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [
    [parent, key] as [typeof parent, string],
    ...places(parent[key]),
  ])
}

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function changed(message: unknown, changes: readonly Change[]): unknown {
  const copy = copyOf(message)
  for (const { at, how, field: name, value: given } of changes) {
    // Values are the same objects in all changes.
    const value = copyOf(given)
    const all = places(copy)
    const place = all[at % Math.max(1, all.length)]
    if (!place) continue
    const [parent, key] = place
    if (how === 'remove' && Array.isArray(parent)) parent.splice(Number(key), 1)
    else if (how === 'remove') delete parent[key]
    else if (how === 'replace') parent[key] = value
    else Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The verdict on the text is that of the schema, and so is the message. */
function expectSchemasVerdict(text: string): void {
  const bySchema = unitTelemetry.schema.safeParse(parsed(text))
  const read = readMessage(Buffer.from(text))
  if (bySchema.success) expect(read).toEqual(bySchema.data)
  else expect(typeof read).toBe('string')
}

it('takes figures with every field, and no other, as they are, unless a text has escapes', () => {
  fc.assert(
    fc.property(plain, (message) => {
      const text = JSON.stringify(message)
      if (!text.includes('\\')) expect(readTelemetry(Buffer.from(text))).toEqual(JSON.parse(text))
      expectSchemasVerdict(text)
    }),
    { numRuns },
  )
})

it('answers changed figures as the schema does', () => {
  fc.assert(
    fc.property(plain, fc.array(change, { minLength: 1, maxLength: 3 }), (message, changes) => {
      const json = changed(message, changes)
      if ((json as { type?: unknown }).type === 'telemetry') expectSchemasVerdict(JSON.stringify(json))
    }),
    { numRuns },
  )
})

/** Characters that mean something in JSON, and some that do not. */
const characters = [...'0123456789-+.eE,:"{}[]\\ \n/untrfals\u0001é€', '00', '-0', '1e5', '\\u0041', 'null']

it('answers changed text as JSON and the schema do', () => {
  const edit = fc.record({
    at: fc.nat(),
    removed: fc.constantFrom(0, 1, 1, 2),
    put: fc.constantFrom('', ...characters),
  })
  fc.assert(
    fc.property(plain, fc.array(edit, { minLength: 1, maxLength: 2 }), (message, edits) => {
      let text = JSON.stringify(message)
      for (const { at, removed, put } of edits) {
        const place = at % text.length
        text = `${text.slice(0, place)}${put}${text.slice(place + removed)}`
      }
      // As it arrives: a half of a pair of surrogates has no bytes.
      expectSchemasVerdict(Buffer.from(text).toString())
    }),
    { numRuns },
  )
})

it('takes numbers as JSON does, to the last digit', () => {
  const written = fc.oneof(
    fc.double({ min: -1e20, max: 1e20, noNaN: true }).map(String),
    fc
      .tuple(fc.nat(1_000_000), fc.stringMatching(/^[0-9]{1,12}$/))
      .map(([whole, rest]) => `${whole}.${rest}`),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/),
  )
  fc.assert(
    fc.property(written, (number) => {
      const text = JSON.stringify(full).replace('"ts":1', `"ts":${number}`)
      const read = readTelemetry(Buffer.from(text))
      if (Number.isFinite(Number(number))) expect(read).toEqual(JSON.parse(text))
      else expect(read).toBeUndefined()
    }),
    { numRuns },
  )
})

const full = {
  type: 'telemetry',
  samples: [
    {
      ts: 1,
      links: [
        {
          port: 0,
          up: true,
          kbps: 1,
          downKbps: 0,
          rttMs: 9,
          lossPercent: 0,
          rtxPercent: 0,
          capacityKbps: null,
        },
      ],
      encoderKbps: null,
      capacityKbps: null,
    },
  ],
}

it.each([
  ['a number that JSON has and a double has not', '"kbps":1', '"kbps":1e999'],
  ['the same, negative', '"ts":1', '"ts":-1e999'],
  ['a field of the prototype', '"ts":1', '"ts":1,"__proto__":{"ts":2}'],
  ['a signal of that name', '"rttMs":9', '"rttMs":9,"signal":{"__proto__":1}'],
  ['a field twice', '"port":0', '"port":0,"port":64'],
  ['no samples', JSON.stringify(full.samples), '[]'],
  ['too many samples', '[{"ts"', `[${`${JSON.stringify(full.samples[0])},`.repeat(60)}{"ts"`],
  ['as many samples as there may be', '[{"ts"', `[${`${JSON.stringify(full.samples[0])},`.repeat(59)}{"ts"`],
  ['too many links', '[{"port"', `[${`${JSON.stringify(full.samples[0]?.links[0])},`.repeat(64)}{"port"`],
])('answers %s as the schema does', (_, part, other) => {
  const text = JSON.stringify(full)
  expect(readTelemetry(Buffer.from(text))).toEqual(JSON.parse(text))
  expect(text).toContain(part)
  expectSchemasVerdict(text.replace(part, other))
})
