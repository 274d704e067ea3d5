// AMF0, the values of RTMP commands: as far as encoders and servers use it.

export type AmfValue = number | boolean | string | null | AmfValue[] | { [name: string]: AmfValue }

/** Deeper than the values of any encoder. */
const DEEPEST = 8
const marks = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  ecmaArray: 8,
  end: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
} as const

/** All values of a command. Throws RangeError for invalid bytes. */
export function readAmf(bytes: Buffer): AmfValue[] {
  let at = 0

  function text(length: number): string {
    if (at + length > bytes.length) throw new RangeError('amf: ends within a text')
    at += length
    return bytes.toString('utf8', at - length, at)
  }

  function number(): number {
    at += 8
    return bytes.readDoubleBE(at - 8)
  }

  function short(): number {
    at += 2
    return bytes.readUInt16BE(at - 2)
  }

  function long(): number {
    at += 4
    return bytes.readUInt32BE(at - 4)
  }

  function object(depth: number): AmfValue {
    const found: Record<string, AmfValue> = Object.create(null)
    for (;;) {
      const name = text(short())
      if (name === '' && bytes[at] === marks.end) break
      found[name] = value(depth + 1)
    }
    at++
    return found
  }

  function value(depth: number): AmfValue {
    if (depth > DEEPEST) throw new RangeError('amf: too deep')
    switch (bytes.readUInt8(at++)) {
      case marks.number:
        return number()
      case marks.boolean:
        return bytes.readUInt8(at++) !== 0
      case marks.string:
        return text(short())
      case marks.longString:
        return text(long())
      case marks.null:
      case marks.undefined:
        return null
      case marks.ecmaArray:
        long()
        return object(depth)
      case marks.object:
        return object(depth)
      case marks.strictArray:
        return Array.from({ length: Math.min(long(), bytes.length) }, () => value(depth + 1))
      case marks.date: {
        const timeMs = number()
        short()
        return timeMs
      }
      default:
        throw new RangeError('amf: unknown value')
    }
  }

  const values: AmfValue[] = []
  while (at < bytes.length) values.push(value(0))
  return values
}

function shortText(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function writeOne(value: AmfValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'boolean') return Buffer.from([marks.boolean, Number(value)])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([marks.string]), shortText(value)])
  if (value === null) return Buffer.from([marks.null])
  const fields = Object.entries(value).flatMap(([name, field]) => [shortText(name), writeOne(field)])
  return Buffer.concat([Buffer.from([marks.object]), ...fields, Buffer.from([0, 0, marks.end])])
}

export const writeAmf = (...values: AmfValue[]): Buffer => Buffer.concat(values.map(writeOne))
