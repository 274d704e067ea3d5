/** The next actions of a desk: units to start, with their channels, units to stop, and viewers of the studio. Pure. */

import { type Channel, isMultipointName } from '@backhaul/contract/nouns/channels'
import { delayChoices } from '@backhaul/contract/nouns/delays'
import { productOf } from '@backhaul/contract/nouns/products'
import { mayStart } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { VideoReturnChannel } from '@backhaul/contract/nouns/video-return'
import type { Random } from '../random.ts'

export type DeskUnit = Pick<
  Unit,
  | 'uid'
  | 'status'
  | 'applications'
  | 'transmission'
  | 'transition'
  | 'type'
  | 'swVersion'
  | 'delay'
  | 'comment'
  | 'capabilities'
>
export type DeskChannel = Pick<Channel, 'uniqueId' | 'name' | 'status' | 'allocatedToUnitUid' | 'kind'>

export interface Start {
  uid: string
  channelId: string
  /** Set before the start. */
  delayMs: number | undefined
}

export interface DeskPlan {
  starts: Start[]
  stops: string[]
}

const mostStartsAtOnce = 25
/** Share of the live units that are stopped in each round, so that a transmission lasts about half an hour. */
const endingShare = 0.012

/** Aims at `share` of the group's available units being live. What other users have started is left to them. */
export function planDesk(
  username: string,
  units: readonly DeskUnit[],
  channels: readonly DeskChannel[],
  share: number,
  isSport: boolean,
  random: Random,
): DeskPlan {
  const there = units.filter(({ status }) => status !== 'offline')
  const live = there.filter(({ transmission }) => transmission !== null)
  const wanted = Math.round(there.length * share)
  const own = live.filter(
    ({ transmission, transition }) => transmission?.by === username && transition === null,
  )
  const tooMany = Math.max(0, live.length - wanted)
  const stops = own.filter((_, index) => index < tooMany || random.chance(endingShare)).map(({ uid }) => uid)
  const ready = shuffled(
    there.filter(
      (unit) =>
        unit.transmission === null &&
        productOf(unit.type).group !== 'extenderDevices' &&
        mayStart({ ...unit, transition: unit.transition ?? undefined }),
    ),
    random,
  )
  const free = channels.filter(
    ({ name, status, allocatedToUnitUid, kind }) =>
      allocatedToUnitUid === null &&
      status === 'idle' &&
      kind !== 'INPUT_CHANNEL' &&
      kind !== 'GROUP_CHANNEL' &&
      !isMultipointName(name),
  )
  const count = Math.max(0, Math.min(mostStartsAtOnce, wanted - live.length, ready.length, free.length))
  const starts = ready.slice(0, count).map((unit, index) => ({
    uid: unit.uid,
    channelId: free[index]?.uniqueId ?? '',
    delayMs: random.chance(0.5) ? delayFor(unit, isSport, random) : undefined,
  }))
  return { starts, stops }
}

export type DeskReturn = Pick<VideoReturnChannel, 'uniqueId' | 'status' | 'unitUid'>

/** One crew of a group at a time sees the studio: one on air that has a monitor. Undefined while another one does. */
export function planReturn(
  units: readonly DeskUnit[],
  channels: readonly DeskReturn[],
  random: Random,
): { uid: string; channelId: string } | undefined {
  if (channels.some(({ unitUid }) => unitUid !== null)) return undefined
  const free = channels.find(({ status }) => status === 'videoReturnInputConnected')
  const [first, ...others] = units.filter(
    ({ capabilities, status, transition }) =>
      capabilities.videoReturn === true && status === 'streaming' && transition === null,
  )
  return free && first && { uid: random.pick([first, ...others]).uid, channelId: free.uniqueId }
}

/** News wants 0.8 to 2 s, sport 5 to 10 s; only delays that the unit offers, and not its present one. */
function delayFor(unit: DeskUnit, isSport: boolean, random: Random): number | undefined {
  const [from, to] = isSport ? [5000, 10_000] : [800, 2000]
  const [first, ...others] = delayChoices(unit.type, unit.swVersion).filter(
    (delayMs) => delayMs >= from && delayMs <= to && delayMs !== unit.delay,
  )
  return first === undefined ? undefined : random.pick([first, ...others])
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const comments = {
  news: [
    'Downtown pool',
    'Press conference, camera 2',
    'Morning show stand-up',
    'Backpack with new antennas',
    'Reserve, ask the desk first',
    'Helicopter pad',
    'Court house',
    'Weather live at 18:00',
  ],
  sport: [
    'Pitch side',
    'Mixed zone',
    'Motorcycle 1',
    'Flash interview',
    'Fan zone',
    'Team bus',
    'Finish line',
  ],
} as const

/** A comment for about one unit in six without one. */
export function commentFor(unit: DeskUnit, isSport: boolean, random: Random): string | undefined {
  if (unit.comment !== '' || !random.chance(0.16)) return undefined
  const [first, ...others] = isSport ? comments.sport : comments.news
  return random.pick<string>([first, ...others])
}
