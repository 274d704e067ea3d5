/** Graphics overlays: pictures that servers draw over the output of channels (VA-STREAM-22 to -24, CO-ADMIN-55, -56). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { type PlainCode, rule } from '../define/refusals.ts'
import { NAME_MAX } from './names.ts'

export const OVERLAY_PIXELS_MAX = 2000
/** 110 KB. */
export const OVERLAY_BYTES_MAX = 110 * 1024
/** The most bytes of texts and colour profiles in a file, unpacked. */
export const OVERLAY_EXTRA_BYTES_MAX = 1024 * 1024
export const OVERLAYS_PER_INVENTORY = 50

/** Graphics are drawn for a programme of this width, and scaled with the programme. */
export const OVERLAY_DRAWN_FOR = 1920

/** The position of a graphic that is smaller than the programme. */
export const OverlayPlace = z.enum(['topLeft', 'topRight', 'bottomLeft', 'bottomRight', 'centre'])
export type OverlayPlace = z.infer<typeof OverlayPlace>

/** The graphic of a channel. */
export const OverlayRef = z.object({ id: z.string(), name: z.string(), place: OverlayPlace })
export type OverlayRef = z.infer<typeof OverlayRef>

export const Overlay = z.object({
  id: z.string(),
  inventory: z.string(),
  name: z.string(),
  width: z.number().int().describe('Pixels'),
  height: z.number().int().describe('Pixels'),
  bytes: z.number().int(),
  createdAt: IsoTime,
  channels: z
    .array(z.object({ uniqueId: z.string(), name: z.string() }))
    .describe('The channels that use it'),
})
export type Overlay = z.infer<typeof Overlay>

/** Characters of base64 of the largest file. */
export const OVERLAY_LETTERS_MAX = Math.ceil(OVERLAY_BYTES_MAX / 3) * 4

const png = z.base64(rule('text.base64')).describe('The file, in base64')

export const NewOverlay = z.strictObject({
  name: z.string().trim().min(1, rule('field.required')).max(NAME_MAX, rule('name.tooLong')),
  png: png.min(1, rule('field.required')).max(OVERLAY_LETTERS_MAX, rule('overlay.file')),
})
export type NewOverlay = z.infer<typeof NewOverlay>

export const OverlayPicture = z.object({ id: z.string(), png })

export const OverlayChoice = z.strictObject({
  overlay: z.string(rule('field.required')).min(1, rule('field.required')).max(64),
  place: OverlayPlace.default('topLeft'),
})
export type OverlayChoice = z.infer<typeof OverlayChoice>

/** Reasons for faults that are found when the file is unpacked, which a browser does not do. */
export const unpackedReasons = {
  notPng: 'overlay.type',
  tooManyPixels: 'overlay.resolution',
  tooMuchExtra: 'overlay.extra',
  damaged: 'overlay.pixels',
} as const

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const chunkHeadBytes = 8
const checksumBytes = 4

/**
 * How large the picture in a PNG file is, in pixels; undefined for anything else, and for a file that is cut off or
 * continues after its end. The pixels themselves are not checked.
 */
export function sizeOfPng(file: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (signature.some((byte, at) => file[at] !== byte)) return undefined
  let at = signature.length
  let size: { width: number; height: number } | undefined
  while (at + chunkHeadBytes + checksumBytes <= file.length) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8))
    const end = at + chunkHeadBytes + length + checksumBytes
    if (end > file.length || (size === undefined) !== (type === 'IHDR')) return undefined
    if (type === 'IHDR') {
      if (length !== 13) return undefined
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
      if (size.width === 0 || size.height === 0) return undefined
    }
    if (type === 'IEND') return end === file.length ? size : undefined
    at = end
  }
  return undefined
}

/** Why the file cannot be a graphic (ER-OTHER-13 to -15), or undefined when it can. */
export function overlayFault(file: Uint8Array): PlainCode | undefined {
  if (file.length > OVERLAY_BYTES_MAX) return 'overlay.file'
  const size = sizeOfPng(file)
  if (!size) return 'overlay.type'
  const isTooLarge = Math.max(size.width, size.height) > OVERLAY_PIXELS_MAX
  return isTooLarge ? 'overlay.resolution' : undefined
}
