// Real pictures of every kind are accepted, and files that unpack to more than the limit are refused.
import { execFileSync } from 'node:child_process'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pngFault } from './png.ts'

const limits = { pixelsAtMost: 2000, extraBytesAtMost: 1024 * 1024 }
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

function header(width: number, height: number, bits = 8, colours = 6, interlace = 0): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([bits, colours, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}

const file = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks, chunk('IEND')])
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 })
const packed = (text: string, data: Buffer) => Buffer.concat([Buffer.from(text), data])
const pixel = chunk('IDAT', zeros(5))

test('pictures as ffmpeg writes them pass', async () => {
  for (const format of ['monob', 'gray', 'gray16be', 'ya8', 'pal8', 'rgb24', 'rgb48be', 'rgba', 'rgba64be']) {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=333x77', '-frames:v', '1', '-pix_fmt', format]
    const made = execFileSync('ffmpeg', ['-v', 'error', ...source, '-c', 'png', '-f', 'image2pipe', '-'])
    expect([format, await pngFault(made, limits)]).toEqual([format, undefined])
  }
})

test('an interlaced picture has the rows of its passes', async () => {
  // 5x3 pixels of 4 bytes: 1x1, 1x1, none, 1x1, 3x1, 2x2, 5x1.
  const bytes = [5, 5, 5, 13, 9, 9, 21].reduce((sum, row) => sum + row)
  const of = (size: number) => file(header(5, 3, 8, 6, 1), chunk('IDAT', zeros(size)))
  expect(await pngFault(of(bytes), limits)).toBeUndefined()
  expect(await pngFault(of(bytes - 1), limits)).toBe('damaged')
})

test('a file that unpacks to more than its size is refused before it is unpacked whole', async () => {
  const cases: [string, Buffer][] = [
    ['notPng', Buffer.from('GIF89a')],
    ['notPng', file(header(1, 1, 3), pixel)],
    ['notPng', file(header(1, 1), header(1, 1), pixel)],
    ['notPng', file(header(1, 1, 8, 6, 2), pixel)],
    ['tooManyPixels', file(header(30_000, 30_000), chunk('IDAT', zeros(1000)))],
    ['tooManyPixels', file(header(1, 0xffffffff), pixel)],
    ['damaged', file(header(1, 1), chunk('IDAT', zeros(100_000_000)))],
    ['damaged', file(header(1, 1), chunk('IDAT', Buffer.from('garbage')))],
    ['damaged', file(header(1, 1), chunk('IDAT', deflateSync(Buffer.from([9, 0, 0, 0, 0]))))],
    ['damaged', file(header(1, 1, 8, 3), chunk('IDAT', zeros(2)))],
    ['damaged', file(header(1, 1))],
    ['tooMuchExtra', file(header(1, 1), chunk('iCCP', packed('name\0\0', zeros(100_000_000))), pixel)],
    ['tooMuchExtra', file(header(1, 1), chunk('iTXt', packed('name\0\x01\0en\0t\0', zeros(2e6))), pixel)],
    [
      'tooMuchExtra',
      file(
        header(1, 1),
        ...Array.from({ length: 3 }, () => chunk('zTXt', packed('name\0\0', zeros(400_000)))),
        pixel,
      ),
    ],
  ]
  for (const [fault, bytes] of cases) expect([fault, await pngFault(bytes, limits)]).toEqual([fault, fault])
  const small = chunk('zTXt', packed('name\0\0', zeros(1000)))
  expect(await pngFault(file(header(1, 1), small, pixel), limits)).toBeUndefined()
})
