/** The working modes of a unit, and the functions that each excludes (EN-UCONF-10, GAP-UNIT-09). */
import { z } from 'zod'
import type { PlainCode } from '../define/refusals.ts'

/**
 * 1. video: it transmits; a databridge can run while it does not;
 * 2. databridge: its links are kept for the databridge, and no transmission starts;
 * 3. fetchlogs: it sends its logs alone;
 * 4. video_smr and databridge_smr: variants of 1 and 2, whose difference is the unit's own.
 */
export const WorkingMode = z.enum(['video', 'databridge', 'video_smr', 'databridge_smr', 'fetchlogs'])
export type WorkingMode = z.infer<typeof WorkingMode>

/** The capability that a mode needs; every unit has the mode without one. */
const capabilityOf: Readonly<Record<WorkingMode, string | undefined>> = {
  video: undefined,
  databridge: 'databridge',
  video_smr: 'videoSmr',
  databridge_smr: 'databridgeSmr',
  fetchlogs: 'logs',
}

interface Able {
  readonly capabilities: Readonly<Record<string, boolean>>
}

function hasMode({ capabilities }: Able, mode: WorkingMode): boolean {
  const capability = capabilityOf[mode]
  return capability === undefined || capabilities[capability] === true
}

export const workingModesOf = (unit: Able): WorkingMode[] =>
  WorkingMode.options.filter((mode) => hasMode(unit, mode))

/** Why the unit cannot be set to the mode now; undefined when it can. */
export function workingModeRefusal(
  unit: Able & { readonly busy: boolean },
  mode: WorkingMode,
): PlainCode | undefined {
  if (!hasMode(unit, mode)) return 'workingMode.unsupported'
  return unit.busy ? 'workingMode.whileBusy' : undefined
}

/** Why a unit in this mode cannot transmit; undefined when it can. */
export const videoRefusal = (mode: WorkingMode = 'video'): PlainCode | undefined =>
  mode === 'video' || mode === 'video_smr' ? undefined : 'workingMode.noVideo'

/** The reason why a working mode has no databridge. */
export const bridgeRefusal = (mode: WorkingMode = 'video'): PlainCode | undefined =>
  mode === 'fetchlogs' ? 'workingMode.noDatabridge' : undefined
