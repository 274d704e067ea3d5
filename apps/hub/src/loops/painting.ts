// Paints still pictures with ffmpeg's geq filter: expressions over X and Y of a canvas of W × H pixels.

/** Red, green and blue from 0 to 255, as numbers or expressions. */
export type Colour = readonly [number | string, number | string, number | string]

export interface Layer {
  readonly colour: Colour
  /** 0 leaves what is below, 1 covers it. */
  readonly mask: string
}

export const CANVAS = { width: 1120, height: 630 }

/** A number from 0 to 1 that is the same wherever both arguments are. */
export const chance = (a: string | number, b: string | number = 0): string =>
  `mod(abs(sin((${a})*12.9898+(${b})*78.233)*43758.5453),1)`

/** A gradient from one colour at `from` to the other at `to` (shares of the height). */
export function fade(top: Colour, bottom: Colour, from = 0, to = 1): Colour {
  const share = `clip((Y/H-${from})/${to - from},0,1)`
  const mix = (index: 0 | 1 | 2) => `lerp(${top[index]},${bottom[index]},${share})`
  return [mix(0), mix(1), mix(2)]
}

/** 1 below the line that the expression gives as a share of the height. */
export const below = (line: string): string => `gt(Y/H,${line})`
/** A soft spot around a point, in shares of the canvas; the size is a share of the width. */
export const glow = (x: number, y: number, size: number): string =>
  `exp(-((X/W-${x})^2+((Y/H-${y})*H/W)^2)/${size * size})`
export const disc = (x: number, y: number, size: number): string =>
  `lt(hypot(X/W-${x},(Y/H-${y})*H/W),${size})`
export const box = (x1: number, y1: number, x2: number, y2: number): string =>
  `between(X/W,${x1},${x2})*between(Y/H,${y1},${y2})`

/** The geq filter for layers from the bottom up. */
export function paint(layers: readonly Layer[]): string {
  const channel = (index: 0 | 1 | 2) => {
    const [ground, ...rest] = layers
    const steps = rest.map(({ colour, mask }) => `st(0,lerp(ld(0),${colour[index]},${mask}))`)
    return `'${[`st(0,${ground?.colour[index] ?? 0})`, ...steps, 'clip(ld(0),0,255)'].join(';')}'`
  }
  return `geq=r=${channel(0)}:g=${channel(1)}:b=${channel(2)}`
}
