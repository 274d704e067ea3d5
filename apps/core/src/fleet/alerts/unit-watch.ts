// State of the rules for units that send: the bit rate before it fell, and since when the camera is missing.
import { allowedKbps, limitedKbps } from '@backhaul/contract/nouns/unit-settings'
import { activeVideoState, isActiveForAlerts, isStreaming } from '@backhaul/contract/nouns/unit-status'
import { camerasBySocket } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Units } from '../units/units.ts'
import type { UnitSituation } from './alert-rules.ts'
import { BitrateWatch, type SendingTerms } from './bitrate-watch.ts'
import type { Shown } from './group-alerts.ts'

interface Watched {
  bitrate: BitrateWatch
  cameraGoneSinceMs: number | undefined
}

export interface UnitWatch {
  /** Figures were received; `active` is the present alert about the bit rate. */
  measured(unitId: string, active: Shown | undefined): void
  /** Its links or settings may have changed. */
  reported(unitId: string): void
  closed(unitId: string): void
  forget(unitId: string): void
  usualKbps(unitId: string): number | undefined
  /** Undefined for a unit that is not known. */
  situation(unitId: string): UnitSituation | undefined
}

export function createUnitWatch(clock: Clock, units: Units): UnitWatch {
  const watched = new Map<string, Watched>()

  function termsOf(unitId: string): SendingTerms {
    const { links = [], settings = {} } = units.memory(unitId)?.actual ?? {}
    const { totalKbps, cellularKbps } = allowedKbps(settings)
    return {
      transmissionId: units.kept(unitId)?.transmission?.id ?? '',
      disabled: links.filter(({ enabled }) => !enabled).map(({ port }) => port),
      limits: [
        totalKbps,
        settings.linkMode === 'fixedInternet' ? 0 : cellularKbps,
        limitedKbps(settings.cameraLimitKbps),
      ],
    }
  }

  /** It sends nothing now; the usual rate of a transmission that is to continue is kept. */
  function rest(unitId: string): void {
    const isWanted = (units.kept(unitId)?.transmission ?? null) !== null
    const known = watched.get(unitId)
    if (!known || !isWanted) return void watched.delete(unitId)
    known.bitrate.pause()
    known.cameraGoneSinceMs = undefined
  }

  return {
    measured(unitId, active) {
      const unit = units.kept(unitId)
      if (!unit || !isActiveForAlerts(unit)) return rest(unitId)
      let known = watched.get(unitId)
      if (!known) {
        known = {
          bitrate: new BitrateWatch(termsOf(unitId), active?.usualKbps),
          cameraGoneSinceMs: undefined,
        }
        watched.set(unitId, known)
      }
      if (known.bitrate.transmissionId !== (unit.transmission?.id ?? ''))
        known.bitrate.follow(termsOf(unitId))
      const nowMs = clock.monotonicMs()
      const second = {
        ...units.sending(unitId),
        transmits: isStreaming(unit),
        isConnecting: activeVideoState(unit) === 'connecting' || unit.transition === 'starting',
        nowMs,
      }
      known.bitrate.add(second, active !== undefined)
      const isGone = unit.camera?.connected === false
      known.cameraGoneSinceMs = isGone ? (known.cameraGoneSinceMs ?? nowMs) : undefined
    },
    reported: (unitId) => watched.get(unitId)?.bitrate.follow(termsOf(unitId)),
    closed: rest,
    forget: (unitId) => void watched.delete(unitId),
    usualKbps: (unitId) => watched.get(unitId)?.bitrate.now(clock.monotonicMs())?.usualKbps,
    situation(unitId) {
      const unit = units.kept(unitId)
      if (!unit) return undefined
      const known = watched.get(unitId)
      const nowMs = clock.monotonicMs()
      return {
        unit,
        battery: units.memory(unitId)?.sample?.battery ?? null,
        bitrate: known?.bitrate.now(nowMs),
        isWanted: unit.transmission !== null,
        isEnding: unit.transition === 'stopping' || activeVideoState(unit) === 'stopping',
        cameraGoneSinceMs: known?.cameraGoneSinceMs,
        cameras: camerasBySocket(unit),
        nowMs,
      }
    },
  }
}
