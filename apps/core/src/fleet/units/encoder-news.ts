import type { UnitActual } from '@backhaul/contract/gateway/units'
import { type UnitEventWhat, unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Camera } from '@backhaul/contract/nouns/units'

type Cameras = Partial<Pick<UnitActual, 'camera' | 'cameras'>>

const camerasOf = ({ camera, cameras }: Cameras): readonly Camera[] => cameras ?? [camera ?? []].flat()

/** The cameras whose hardware encoder has failed since the last report, for the history of the unit. */
export function encoderNews(before: Cameras, report: Cameras): UnitEventWhat[] {
  const known = camerasOf(before)
  return camerasOf(report).flatMap(({ hardwareFault: fault }, at) => {
    if (!fault || known[at]?.hardwareFault?.reason === fault.reason) return []
    const { reason: message, cause } = fault
    return unitEvent('transmission.inSoftware', { camera: at + 1 }, { message, cause })
  })
}
