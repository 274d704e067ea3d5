// The intercom of a unit: its possible settings, and the shown state of a line.

import { intercom as calls } from '@backhaul/contract/api/intercom'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import {
  type Intercom,
  type IntercomNumber,
  type IntercomOptions,
  sessionRefusal,
} from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { call } from '../../doors/api.ts'
import { useAnswer } from '../../doors/reads.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import type { GlyphShape, Tone } from '../../ui/StatusGlyph.tsx'

/** Read again for another channel, to which another audio room may belong. */
export function useIntercom({ uid, channelId }: Pick<Unit, 'uid' | 'channelId'>) {
  const { data, error, again } = useAnswer(
    ['intercom', uid, channelId],
    () => call(calls.options, { params: { id: uid } }),
    { keepsBefore: true },
  )
  return { options: data, isError: error !== null, read: again }
}

/** Why core lets nothing be done on the line. */
export const lineClosed = (options: IntercomOptions, intercom: IntercomNumber): string | undefined =>
  givenReason({
    reason: options.closed[intercom - 1] ?? null,
    cause: options.closedCauses[intercom - 1] ?? undefined,
  }) || undefined

/** Why the whole of it is closed: the unit has neither a line nor IFB, or its customer does not have the service. */
export function useIntercomRefusal(
  unit: Pick<Unit, 'uid' | 'channelId' | 'intercoms' | 'capabilities'>,
): string | undefined {
  const { options } = useIntercom(unit)
  if (unit.capabilities.ifb === true) return undefined
  if (unit.intercoms.length === 0) return reasonText('intercom.notBuiltIn')
  return options && lineClosed(options, 1)
}

export type LineState = 'idle' | 'connecting' | 'connected' | 'disconnecting'

/** GAP-STATE-01. */
export const stateOf = ({ state, transition }: Intercom): LineState => transition ?? state ?? 'idle'

export const lineGlyphs: Readonly<Record<LineState, { shape: GlyphShape; tone: Tone }>> = {
  idle: { shape: 'ring', tone: 'offline' },
  connecting: { shape: 'arc', tone: 'transition' },
  connected: { shape: 'disc', tone: 'live' },
  disconnecting: { shape: 'arc', tone: 'transition' },
}

/** Why no session can begin, as far as it is known here: whether the room is at the unit's server, core knows. */
export function startRefusal(
  unit: Pick<Unit, 'offline' | 'selChannel'>,
  line: Intercom,
  { server, rooms, channelRoom }: IntercomOptions,
): PlainCode | undefined {
  if (unit.offline) return 'unit.offline'
  const hasRoom = rooms.some(({ id }) => id === line.destinationAccount)
  const hasChannel = unit.selChannel !== null
  return sessionRefusal(line, {
    server,
    roomServer: hasRoom ? server : undefined,
    hasChannel,
    hasChannelRoom: channelRoom !== null,
  })
}

/** Starts what is idle, and ends what is not. */
export async function switchLine(uid: string, session: IntercomNumber, runs: boolean): Promise<void> {
  const params = { id: uid, session }
  if (runs) await call(calls.stop, { params })
  else await call(calls.start, { params, body: {} })
}
