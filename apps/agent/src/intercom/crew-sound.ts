// All sound between the unit and its studio: intercom by headsets, and IFB on a speaker of its own.
import { type AudioJack, firstLine, intercomNumbers } from '@backhaul/contract/nouns/intercom'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitHardware, UnitHardwareChange } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { UnitLink } from '../links.ts'
import type { Headset } from './headset.ts'
import { createUnitIfb } from './ifb.ts'
import { type CrewTalk, createIntercom, firstJacks } from './intercom.ts'

export interface CrewSoundOptions {
  /** The headsets; empty where the unit has no intercom. */
  headsets: readonly Headset[]
  /** Undefined where the crew hears no IFB. */
  ifbSpeaker: Headset | undefined
  /** The present use of each jack. */
  jacks: () => readonly AudioJack[]
  usable: () => readonly UnitLink[]
  clock: Clock
  log: Log
  onChange: (change: UnitHardwareChange) => void
}

export interface CrewSound {
  /** The hardware of the unit. */
  readonly hardware: Pick<UnitHardware, 'intercom' | 'ifb'>
  readonly firstSettings: UnitSettings
  readonly talk: CrewTalk
  /** The usable links changed. */
  useLinks(): void
  /** The jacks are set to other lines. */
  followJacks(): void
  close(): Promise<void>
}

export function createCrewSound(options: CrewSoundOptions): CrewSound {
  const { headsets, ifbSpeaker, jacks, onChange, ...shared } = options
  const hasHeadset = headsets.length > 0
  const intercom = createIntercom({
    ...shared,
    headsets,
    jacks,
    onLost: (line, why) => onChange({ kind: 'intercomLost', intercom: line, why }),
  })
  const ifb =
    ifbSpeaker &&
    createUnitIfb({ ...shared, speaker: ifbSpeaker, onLost: (why) => onChange({ kind: 'ifbLost', why }) })
  return {
    hardware: { ...(hasHeadset && { intercom: intercom.hardware }), ...(ifb && { ifb: ifb.hardware }) },
    firstSettings: hasHeadset
      ? {
          intercoms: headsets.slice(0, intercomNumbers.length).map(() => firstLine),
          audioJacks: firstJacks(headsets),
        }
      : {},
    talk: intercom.talk,
    useLinks() {
      intercom.useLinks()
      ifb?.useLinks()
    },
    followJacks: () => intercom.followJacks(),
    async close() {
      await Promise.all([intercom.close(), ifb?.close()])
    },
  }
}
