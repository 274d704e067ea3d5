import { type Picture, pixelFormat } from './sources.ts'

// The strip is at the top left of the picture: 26 cells, each 48 px wide and high at a width of 1280 and in
// proportion at other widths. Cell 0 is white, cells 1 to 24 are the bits of Date.now() modulo 2^24 (lowest first,
// white = 1), cell 25 is their parity. It wraps after 4 h 39 min.

const cells = 26
const bits = 24
const modulus = 2 ** bits

/** Side of one cell in pixels. */
function stripCellSize(pictureWidth: number): number {
  return Math.round((pictureWidth * 48) / 1280 / 2) * 2
}

/**
 * A filter chain from `[input]` to `[output]` that draws the wall clock of this machine, in milliseconds, over the
 * picture as a strip that a program can read. The time is taken when the frame passes, so no raw frame leaves ffmpeg.
 */
export function timeCodeStripFilter(input: string, output: string, picture: Picture): string {
  const cell = stripCellSize(picture.width)
  // Registers of the expression: 0 the time, taken at the first cell so that all cells agree; 1 parity; 2 this bit.
  const first = `st(1,0)*0+st(0,mod(floor(time(0)*1000),${modulus}))*0+235`
  const bit = 'st(2,mod(floor(ld(0)/pow(2,X-1)),2))*0+st(1,mod(ld(1)+ld(2),2))*0+16+219*ld(2)'
  const luma = `if(eq(X,0),${first},if(lt(X,${cells - 1}),${bit},16+219*ld(1)))`
  return [
    `[${input}]split[${output}_picture][${output}_clock]`,
    // Splitting the picture, rather than a second source, makes the strip when its frame is there, not one earlier.
    `[${output}_clock]crop=${cells}:2:0:0,format=gray,crop=${cells}:1:0:0,geq=lum='${luma}',` +
      `scale=${cells * cell}:${cell}:flags=neighbor,format=${pixelFormat(picture)}[${output}_strip]`,
    `[${output}_picture][${output}_strip]overlay=0:0:format=${picture.bits === 10 ? 'yuv420p10' : 'yuv420'}[${output}]`,
  ].join(';')
}

/**
 * Reads the strip: `lumaAt(x, y)` gives the brightness (0 to 255) of a pixel of a picture `pictureWidth` wide.
 * The result is Date.now() modulo 2^24 at the source, or undefined where the strip is absent or damaged.
 */
export function readTimeCodeStrip(
  lumaAt: (x: number, y: number) => number,
  pictureWidth: number,
): number | undefined {
  const cell = (pictureWidth * 48) / 1280
  const isWhite = (index: number) => lumaAt(Math.round((index + 0.5) * cell), Math.round(cell / 2)) > 125
  if (!isWhite(0)) return undefined
  let time = 0
  let parity = false
  for (let index = 0; index < bits; index++) {
    if (!isWhite(index + 1)) continue
    time += 2 ** index
    parity = !parity
  }
  return isWhite(bits + 1) === parity ? time : undefined
}

/** Age of a frame in milliseconds from its strip, right as long as it is younger than 2 h. */
export function ageByStrip(stripMs: number, nowMs: number): number {
  const age = (((nowMs - stripMs) % modulus) + modulus) % modulus
  return age > modulus / 2 ? age - modulus : age
}
