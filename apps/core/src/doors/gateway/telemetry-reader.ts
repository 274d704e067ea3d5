// Reads the figures of a unit from the bytes of its message, by their schema and without it.
//
// Every unit sends figures each second, nearly always with every field and no other. Read here they need no text, no parse and
// no second copy. What is not plain in this sense is left to JSON and the schema, which alone report errors:
// telemetry-reader.test.ts compares both for many messages.
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import { type LinkTelemetry, SAMPLES_PER_MESSAGE, type UnitSample } from '@backhaul/contract/gateway/units'

/** The message, when the schema would accept it unchanged; undefined means that JSON and the schema decide. */
export function readTelemetry(bytes: Buffer): UnitTelemetry | undefined {
  if (!startsWith(bytes, opening)) return undefined
  try {
    return new Reading(bytes, opening.length).telemetry()
  } catch (error) {
    if (error === notPlain) return undefined
    throw error
  }
}

/** Thrown without a trace, which would cost more than the whole message. */
const notPlain = Symbol('not plain')

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const keysOf = (...names: string[]): readonly Uint8Array[] => names.map((name) => bytesOf(`"${name}":`))

const opening = bytesOf('{"type":"telemetry",')
const [nullWord, trueWord, falseWord] = [bytesOf('null'), bytesOf('true'), bytesOf('false')]

/** The keys in the order in which units usually send them; their places are the numbers of `case` below. */
const messageKeys = keysOf('samples', 'unitId')
const sampleKeys = keysOf('ts', 'links', 'encoderKbps', 'capacityKbps', 'battery', 'location')
const linkKeys = keysOf(
  'port',
  'up',
  'kbps',
  'downKbps',
  'rttMs',
  'lossPercent',
  'rtxPercent',
  'capacityKbps',
  'signal',
)
const batteryKeys = keysOf('connected', 'charging', 'percentage')
const locationKeys = keysOf('lat', 'lng', 'address', 'accuracyM')

/** Fields that a message must have, as bits by their number. */
const [allOfSample, allOfLink, allOfBattery, allOfLocation] = [0b1111, 0b1111_1111, 0b111, 0b111]

const codeOf = (character: string): number => character.charCodeAt(0)
const [openBrace, closeBrace, openBracket, closeBracket] = [
  codeOf('{'),
  codeOf('}'),
  codeOf('['),
  codeOf(']'),
]
const [comma, quote, backslash, minus, point] = [
  codeOf(','),
  codeOf('"'),
  codeOf('\\'),
  codeOf('-'),
  codeOf('.'),
]
const [zero, nine, firstPrintable] = [codeOf('0'), codeOf('9'), codeOf(' ')]

/** With at most this many digits the number and the power of ten are exact, so their quotient is what JSON.parse makes of it. */
const exactDigits = 15
const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, exponent) => 10 ** exponent)
const most = Number.MAX_VALUE
const none: UnitSample[] = []

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at++) if (bytes[at] !== start[at]) return false
  return true
}

class Reading {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  telemetry(): UnitTelemetry {
    const message: UnitTelemetry = { type: 'telemetry', samples: none }
    let seen = 0
    do {
      const key = this.#key(messageKeys, seen)
      seen |= 1 << key
      if (key === 0) message.samples = this.#samples()
      else message.unitId = this.#text(64)
    } while (this.#takes(comma))
    this.#take(closeBrace)
    if (message.samples.length === 0 || this.#at !== this.#bytes.length) throw notPlain
    return message
  }

  /** Nearly always one: an empty list that grows would get room for 17. */
  #samples(): UnitSample[] {
    this.#take(openBracket)
    const samples = [this.#sample()]
    while (this.#takes(comma)) if (samples.push(this.#sample()) > SAMPLES_PER_MESSAGE) throw notPlain
    this.#take(closeBracket)
    return samples
  }

  #sample(): UnitSample {
    const sample: UnitSample = {
      ts: 0,
      links: [],
      encoderKbps: null,
      capacityKbps: null,
      battery: undefined,
      location: undefined,
    }
    this.#take(openBrace)
    let seen = 0
    do {
      const key = this.#key(sampleKeys, seen)
      seen |= 1 << key
      switch (key) {
        case 0:
          sample.ts = this.#number(-most, most)
          break
        case 1:
          this.#links(sample.links)
          break
        case 2:
          sample.encoderKbps = this.#isNull() ? null : this.#number(-most, most)
          break
        case 3:
          sample.capacityKbps = this.#isNull() ? null : this.#number(-most, most)
          break
        case 4:
          sample.battery = this.#isNull() ? null : this.#battery()
          break
        default:
          sample.location = this.#isNull() ? null : this.#location()
      }
    } while (this.#takes(comma))
    this.#take(closeBrace)
    if ((seen & allOfSample) !== allOfSample) throw notPlain
    return sample
  }

  #links(links: LinkTelemetry[]): void {
    this.#take(openBracket)
    if (this.#takes(closeBracket)) return
    do {
      if (links.push(this.#link()) > 64) throw notPlain
    } while (this.#takes(comma))
    this.#take(closeBracket)
  }

  #link(): LinkTelemetry {
    const link: LinkTelemetry = {
      port: 0,
      up: false,
      kbps: 0,
      downKbps: 0,
      rttMs: null,
      lossPercent: 0,
      rtxPercent: 0,
      capacityKbps: null,
      signal: undefined,
    }
    this.#take(openBrace)
    let seen = 0
    do {
      const key = this.#key(linkKeys, seen)
      seen |= 1 << key
      this.#fieldOfLink(link, key)
    } while (this.#takes(comma))
    this.#take(closeBrace)
    if ((seen & allOfLink) !== allOfLink) throw notPlain
    return link
  }

  #fieldOfLink(link: LinkTelemetry, key: number): void {
    switch (key) {
      case 0:
        link.port = this.#number(0, 63)
        if (!Number.isInteger(link.port)) throw notPlain
        break
      case 1:
        link.up = this.#boolean()
        break
      case 2:
        link.kbps = this.#number(0, most)
        break
      case 3:
        link.downKbps = this.#number(0, most)
        break
      case 4:
        link.rttMs = this.#isNull() ? null : this.#number(0, most)
        break
      case 5:
        link.lossPercent = this.#number(0, 100)
        break
      case 6:
        link.rtxPercent = this.#number(0, 100)
        break
      case 7:
        link.capacityKbps = this.#isNull() ? null : this.#number(0, most)
        break
      default:
        link.signal = this.#signal()
    }
  }

  #signal(): Record<string, number> {
    const signal: Record<string, number> = {}
    this.#take(openBrace)
    if (this.#takes(closeBrace)) return signal
    do {
      const name = this.#text(16)
      // The schema leaves the first out, and JSON has the last of two.
      if (name === '__proto__' || Object.hasOwn(signal, name)) throw notPlain
      this.#take(codeOf(':'))
      signal[name] = this.#number(-most, most)
    } while (this.#takes(comma))
    this.#take(closeBrace)
    return signal
  }

  #battery(): NonNullable<UnitSample['battery']> {
    const battery: NonNullable<UnitSample['battery']> = {
      connected: false,
      charging: false,
      percentage: null,
    }
    this.#take(openBrace)
    let seen = 0
    do {
      const key = this.#key(batteryKeys, seen)
      seen |= 1 << key
      if (key === 0) battery.connected = this.#boolean()
      else if (key === 1) battery.charging = this.#boolean()
      else battery.percentage = this.#isNull() ? null : this.#number(0, 100)
    } while (this.#takes(comma))
    this.#take(closeBrace)
    if (seen !== allOfBattery) throw notPlain
    return battery
  }

  #location(): NonNullable<UnitSample['location']> {
    const location: NonNullable<UnitSample['location']> = { lat: 0, lng: 0, address: '' }
    this.#take(openBrace)
    let seen = 0
    do {
      const key = this.#key(locationKeys, seen)
      seen |= 1 << key
      if (key === 0) location.lat = this.#number(-90, 90)
      else if (key === 1) location.lng = this.#number(-180, 180)
      else if (key === 2) location.address = this.#text(255)
      else location.accuracyM = this.#number(0, most)
    } while (this.#takes(comma))
    this.#take(closeBrace)
    if ((seen & allOfLocation) !== allOfLocation) throw notPlain
    return location
  }

  /** The number of the field that begins here, which was not seen before; usually the one after the last. */
  #key(keys: readonly Uint8Array[], seen: number): number {
    const next = 32 - Math.clz32(seen)
    if (next < keys.length && this.#takesWord(keys[next] as Uint8Array)) return next
    for (let key = 0; key < keys.length; key++)
      if ((seen & (1 << key)) === 0 && this.#takesWord(keys[key] as Uint8Array)) return key
    throw notPlain
  }

  #takesWord(word: Uint8Array): boolean {
    const from = this.#at
    for (let at = 0; at < word.length; at++) if (this.#bytes[from + at] !== word[at]) return false
    this.#at = from + word.length
    return true
  }

  #takes(code: number): boolean {
    if (this.#bytes[this.#at] !== code) return false
    this.#at++
    return true
  }

  #take(code: number): void {
    if (!this.#takes(code)) throw notPlain
  }

  #isNull(): boolean {
    return this.#takesWord(nullWord)
  }

  #boolean(): boolean {
    if (this.#takesWord(trueWord)) return true
    if (this.#takesWord(falseWord)) return false
    throw notPlain
  }

  /** Reads a text without escapes. */
  #text(lengthAtMost: number): string {
    this.#take(quote)
    const from = this.#at
    for (let at = from; ; at++) {
      const code = this.#bytes[at]
      if (code === undefined || code === backslash || code < firstPrintable) throw notPlain
      if (code !== quote) continue
      this.#at = at + 1
      if (at === from) return ''
      const text = this.#bytes.toString('utf8', from, at)
      if (text.length > lengthAtMost) throw notPlain
      return text
    }
  }

  #number(least: number, most: number): number {
    const from = this.#at
    const isNegative = this.#takes(minus)
    const start = this.#at
    const whole = this.#digits(0)
    let value = whole
    let digits = this.#at - start
    if (digits > 1 && this.#bytes[start] === zero) throw notPlain
    if (this.#takes(point)) {
      value = this.#digits(whole)
      const decimals = this.#at - start - digits - 1
      digits += decimals
      value /= powersOfTen[Math.min(decimals, exactDigits)] as number
    }
    const next = this.#bytes[this.#at]
    if (digits > exactDigits || (next !== comma && next !== closeBrace)) value = this.#unusualNumber(from)
    else if (isNegative) value = -value
    if (!(value >= least && value <= most)) throw notPlain
    return value
  }

  /** Reads at least one digit and appends it to those of `value`. */
  #digits(value: number): number {
    const from = this.#at
    let at = from
    let sum = value
    for (; ; at++) {
      const code = this.#bytes[at] as number
      if (!(code >= zero && code <= nine)) break
      sum = sum * 10 + (code - zero)
    }
    if (at === from) throw notPlain
    this.#at = at
    return sum
  }

  /** Reads a number with many digits or an exponent. */
  #unusualNumber(from: number): number {
    let to = from
    while (![comma, closeBrace, undefined].includes(this.#bytes[to])) to++
    this.#at = to
    try {
      return Number(JSON.parse(this.#bytes.toString('latin1', from, to)))
    } catch {
      throw notPlain
    }
  }
}
