/** A model of the picture at a rate: its lines, and the rate that is left after the sound. Pure. */
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'

export interface SimulatedPicture {
  readonly width: number
  readonly height: number
}

/** The least rate for this many lines of a calm picture, in kbit/s. */
const leastKbps = [
  [1080, 2200],
  [720, 1100],
  [540, 600],
] as const
const fewestLines = 360
const keptShare = 0.75
/** Motion takes so much more for the same lines. */
const motionFactor = 1.5
const usualSoundKbps = 96

export const soundKbps = ({ audioBitrate = usualSoundKbps }: UnitSettings): number => audioBitrate

/** The gain in quality of an encoder that compares more, and the power that it takes. */
const efforts = {
  standard: { worth: 1, power: 1 },
  medium: { worth: 1.07, power: 1.1 },
  complex: { worth: 1.15, power: 1.25 },
} as const
const effortOf = ({ videoComplexity = 'standard' }: UnitSettings) => efforts[videoComplexity]

/** All lines, unless the resolution adapts to the rate; the lines of `now` are kept a little longer. */
export function pictureAt(kbps: number, settings: UnitSettings, now: SimulatedPicture): SimulatedPicture {
  const { adaptiveResolution = true, shootingMode } = settings
  const motion = shootingMode === 'motion' ? motionFactor : 1
  const worth = ((kbps - soundKbps(settings)) * effortOf(settings).worth) / motion
  const isEnough = ([lines, least]: readonly [number, number]) =>
    worth >= least * (lines === now.height ? keptShare : 1)
  const enough = leastKbps.find(isEnough)?.[0] ?? fewestLines
  const height = adaptiveResolution ? enough : 1080
  return { width: (height * 16) / 9, height }
}

export const powerFactor = (settings: UnitSettings): number => effortOf(settings).power
