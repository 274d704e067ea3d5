import type { UnitActual } from '@backhaul/contract/gateway/units'
import { type UnitEventWhat, unitEvent } from '@backhaul/contract/nouns/unit-events'
import { camerasBySocket } from '@backhaul/contract/nouns/units'

type Cameras = Partial<Pick<UnitActual, 'camera' | 'cameras'>>

/** The cameras whose hardware encoder has failed since the last report, for the history of the unit. */
export function encoderNews(before: Cameras, report: Cameras): UnitEventWhat[] {
  const known = camerasBySocket(before)
  return camerasBySocket(report).flatMap(({ hardwareFault: fault }, at) => {
    if (!fault || known[at]?.hardwareFault?.reason === fault.reason) return []
    const { reason: message, cause } = fault
    return unitEvent('transmission.inSoftware', { camera: at + 1 }, { message, cause })
  })
}
