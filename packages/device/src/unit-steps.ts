/** The steps from the actual state of a unit to the wanted one. */

import type {
  UnitWanted,
  WantedDatabridge,
  WantedIfb,
  WantedIntercom,
  WantedIpPipe,
  WantedTransmission,
  WantedVideoReturn,
} from '@backhaul/contract/gateway/units'
import type { IntercomNumber } from '@backhaul/contract/nouns/intercom'
import { settingNames, type UnitSettings, unconfirmedOf } from '@backhaul/contract/nouns/unit-settings'

/** The input of the rule. */
export interface UnitSituation {
  channelId: string | null
  delayMs: number
  /** The transmission that is sent or being started. */
  transmission: WantedTransmission | undefined
  /** Whether it can move to another receiver without a stop. */
  canMove?: boolean
  /** The video return that is fetched or being started. */
  videoReturn?: WantedVideoReturn | undefined
  /** Sessions on the lines of the intercom, connected or connecting. */
  intercoms?: readonly WantedIntercom[]
  /** The IFB that is heard or being called. */
  ifb?: WantedIfb | undefined
  /** The databridge that runs or is being started. */
  databridge?: WantedDatabridge | undefined
  /** The IP pipe that is connected or being connected. */
  ipPipe?: WantedIpPipe | undefined
  links: readonly { port: number; enabled: boolean }[]
  /** Settings that the hardware knows. */
  settings?: UnitSettings | undefined
  /** Absent where the hardware does not support them. */
  extenders?: readonly { serialNumber: string }[] | undefined
}

export type UnitStep =
  | { do: 'setEnabledLinks'; disabled: readonly number[] }
  | { do: 'applySettings'; changes: UnitSettings }
  | { do: 'setExtenders'; serialNumbers: readonly string[] }
  | { do: 'stopTransmission' }
  | { do: 'setChannel'; channelId: string | null }
  | { do: 'updateDelay'; delayMs: number }
  | { do: 'startTransmission'; transmission: WantedTransmission }
  | { do: 'moveTransmission'; transmission: WantedTransmission }
  | { do: 'limitTransmission'; transmission: WantedTransmission }
  | { do: 'stopVideoReturn' }
  | { do: 'startVideoReturn'; videoReturn: WantedVideoReturn }
  | { do: 'setReturnDelay'; videoReturn: WantedVideoReturn }
  | { do: 'stopIntercom'; intercom: IntercomNumber }
  | { do: 'startIntercom'; session: WantedIntercom }
  | { do: 'renameIntercomRoom'; session: WantedIntercom }
  | { do: 'stopIfb' }
  | { do: 'startIfb'; ifb: WantedIfb }
  | { do: 'stopDatabridge' }
  | { do: 'startDatabridge'; databridge: WantedDatabridge }
  | { do: 'stopIpPipe' }
  | { do: 'startIpPipe'; ipPipe: WantedIpPipe }

/**
 * The steps in the order in which they must be done: links and settings first, since a start uses them; what is no longer wanted ends
 * before anything begins; a running transmission continues through a change of the delay, and through a change of
 * the channel where the hardware can move it.
 */
export function stepsTowards(actual: UnitSituation, wanted: UnitWanted): UnitStep[] {
  const steps: UnitStep[] = []
  if (actual.links.some(({ port, enabled }) => enabled === wanted.disabledLinks.includes(port)))
    steps.push({ do: 'setEnabledLinks', disabled: wanted.disabledLinks })
  const changes = changedSettings(actual.settings ?? {}, wanted.settings ?? {})
  if (settingNames(changes).length > 0) steps.push({ do: 'applySettings', changes })
  const extenders = wanted.extenders ?? []
  const known = actual.extenders?.map(({ serialNumber }) => serialNumber)
  if (known && known.toSorted().join() !== extenders.toSorted().join())
    steps.push({ do: 'setExtenders', serialNumbers: extenders })
  const keeps = wanted.transmission !== null && isSame(actual.transmission, wanted.transmission)
  const moves = !keeps && actual.canMove === true && isMove(actual.transmission, wanted.transmission)
  const setChannel: UnitStep[] =
    actual.channelId === wanted.channelId ? [] : [{ do: 'setChannel', channelId: wanted.channelId }]
  if (actual.transmission && !keeps && !moves) steps.push({ do: 'stopTransmission' })
  if (!moves) steps.push(...setChannel)
  if (actual.delayMs !== wanted.delayMs) steps.push({ do: 'updateDelay', delayMs: wanted.delayMs })
  if (wanted.transmission && !keeps)
    steps.push({ do: moves ? 'moveTransmission' : 'startTransmission', transmission: wanted.transmission })
  if (wanted.transmission && keeps && limitsOf(actual.transmission) !== limitsOf(wanted.transmission))
    steps.push({ do: 'limitTransmission', transmission: wanted.transmission })
  // The displayed channel follows the picture.
  if (moves) steps.push(...setChannel)
  const fetched = wanted.videoReturn ?? undefined
  const keepsReturn = fetched !== undefined && isSame(actual.videoReturn, fetched)
  if (actual.videoReturn && !keepsReturn) steps.push({ do: 'stopVideoReturn' })
  if (fetched && !keepsReturn) steps.push({ do: 'startVideoReturn', videoReturn: fetched })
  if (keepsReturn && actual.videoReturn?.latencyMs !== fetched.latencyMs)
    steps.push({ do: 'setReturnDelay', videoReturn: fetched })
  return [
    ...steps,
    ...intercomSteps(actual.intercoms ?? [], wanted.intercoms ?? []),
    ...ifbSteps(actual.ifb, wanted.ifb ?? undefined),
    ...databridgeSteps(actual.databridge, wanted.databridge ?? undefined),
    ...ipPipeSteps(actual.ipPipe, wanted.ipPipe ?? undefined),
  ]
}

/** One with other terms is started again. */
function ifbSteps(actual: WantedIfb | undefined, wanted: WantedIfb | undefined): UnitStep[] {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return []
  return [
    ...(actual ? [{ do: 'stopIfb' as const }] : []),
    ...(wanted ? [{ do: 'startIfb' as const, ifb: wanted }] : []),
  ]
}

/** One with another gateway, address or port is started again. */
function databridgeSteps(
  actual: WantedDatabridge | undefined,
  wanted: WantedDatabridge | undefined,
): UnitStep[] {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return []
  return [
    ...(actual ? [{ do: 'stopDatabridge' as const }] : []),
    ...(wanted ? [{ do: 'startDatabridge' as const, databridge: wanted }] : []),
  ]
}

/** One with another server or address is connected again. */
function ipPipeSteps(actual: WantedIpPipe | undefined, wanted: WantedIpPipe | undefined): UnitStep[] {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return []
  return [
    ...(actual ? [{ do: 'stopIpPipe' as const }] : []),
    ...(wanted ? [{ do: 'startIpPipe' as const, ipPipe: wanted }] : []),
  ]
}

/**
 * A line for which another session is wanted, or the same at another address, ends its present one first. A session whose audio room
 * has another name continues.
 */
function intercomSteps(actual: readonly WantedIntercom[], wanted: readonly WantedIntercom[]): UnitStep[] {
  const place = ({ id, targets }: WantedIntercom) =>
    [id, ...targets.map(({ host, port }) => `${host} ${port}`)].join()
  const isIn = (sessions: readonly WantedIntercom[], one: WantedIntercom) =>
    sessions.some((other) => place(other) === place(one))
  const over = actual.filter((one) => !isIn(wanted, one))
  const fresh = wanted.filter((one) => !isIn(actual, one))
  const isRenamed = (one: WantedIntercom) =>
    actual.some((other) => place(other) === place(one) && other.roomName !== one.roomName)
  return [
    ...over.map(({ intercom }) => ({ do: 'stopIntercom' as const, intercom })),
    ...fresh.map((session) => ({ do: 'startIntercom' as const, session })),
    ...wanted.filter(isRenamed).map((session) => ({ do: 'renameIntercomRoom' as const, session })),
  ]
}

/** Settings that the hardware does not know are skipped; core shows them as not confirmed. */
function changedSettings(actual: UnitSettings, wanted: UnitSettings): UnitSettings {
  const changed = unconfirmedOf(wanted, actual).filter((name) => actual[name] !== undefined)
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]))
}

/** A single picture moves to another channel; several cameras and speed tests are restarted. */
function isMove(running: WantedTransmission | undefined, wanted: WantedTransmission | null): boolean {
  const isOne = (flow: WantedTransmission) => !flow.activity && flow.speedTestMs === undefined
  return !!running && !!wanted && running.id !== wanted.id && isOne(running) && isOne(wanted)
}

type Part = Pick<WantedTransmission, 'key' | 'channelId' | 'targets'>
type Flow = Part & Pick<WantedTransmission, 'id' | 'feeds'>

/** The limits of each picture, in order. */
const limitsOf = (flow: WantedTransmission | undefined): string =>
  [flow, ...(flow?.feeds ?? [])].map((part) => part?.limitKbps ?? 0).join()

function isSame(running: Flow | undefined, wanted: Flow): boolean {
  if (running?.id !== wanted.id) return false
  const place = ({ channelId, key, targets }: Part) =>
    [channelId, key, ...targets.map(({ host, port }) => `${host} ${port}`)].join()
  const places = (flow: Flow) => [flow, ...(flow.feeds ?? [])].map(place).join(' ')
  return places(running) === places(wanted)
}
