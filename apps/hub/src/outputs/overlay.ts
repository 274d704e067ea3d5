// The arguments by which ffmpeg draws a graphic over a programme: as a second input, scaled with the programme, at its place.
import type { WantedOverlay } from '@backhaul/contract/gateway/servers'
import { OVERLAY_DRAWN_FOR, OVERLAY_PIXELS_MAX, type OverlayPlace } from '@backhaul/contract/nouns/overlays'
import type { Picture } from '@backhaul/ffmpeg/stream-knowledge'

/** A graphic on the disk and the programme that it is drawn over; sizes in pixels of that programme. */
export interface Overlaid {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly place: OverlayPlace
}

/** Scaled as the programme is, and never beyond it. */
export function overlaidOn(
  { width, height }: Pick<Picture, 'width' | 'height'>,
  overlay: WantedOverlay,
  path: string,
): Overlaid {
  const scale = Math.min(width / OVERLAY_DRAWN_FOR, width / overlay.width, height / overlay.height)
  const size = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  return { path, width: size(overlay.width), height: size(overlay.height), place: overlay.place }
}

/** Comes after the input of the programme. */
export const overlayInput = ({ path }: Overlaid): string[] => [
  '-max_pixels',
  String(OVERLAY_PIXELS_MAX ** 2),
  '-f',
  'png_pipe',
  '-i',
  path,
]

const positions: Readonly<Record<OverlayPlace, string>> = {
  topLeft: 'x=0:y=0',
  topRight: 'x=W-w:y=0',
  bottomLeft: 'x=0:y=H-h',
  bottomRight: 'x=W-w:y=H-h',
  centre: 'x=(W-w)/2:y=(H-h)/2',
}

/** Maps the picture of the first input, filtered, with the graphic under the filters where there is one. */
export function pictureMapping(filters: readonly string[], over: Overlaid | undefined): string[] {
  if (!over) return ['-map', '0:v:0?', ...(filters.length > 0 ? ['-vf', filters.join(',')] : [])]
  const drawn = [`overlay=${positions[over.place]}`, ...filters].join(',')
  const graph = `[1:v:0]scale=${over.width}:${over.height},format=rgba[graphic];[0:v:0][graphic]${drawn}[drawn]`
  return ['-filter_complex', graph, '-map', '[drawn]']
}
