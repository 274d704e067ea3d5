/** Intercom of a unit: lines on which its crew speaks with an audio room, or with the users of its channel (ST-ICOM rows). */

import { z } from 'zod'
import { DeviceCause, type PlainCode, rule, WireCause } from '../define/refusals.ts'
import { UnitIfb } from './interfaces.ts'
import { isSameRegistrationServer, RegistrationServer } from './registration-servers.ts'

export const intercomNumbers = [1, 2] as const
export const IntercomNumber = z.literal([...intercomNumbers])
export type IntercomNumber = z.infer<typeof IntercomNumber>

/** The kind of destination of a line (EN-MISC-07). */
export const IntercomMode = z.enum(['audioRoom', 'targetChannel'])
export type IntercomMode = z.infer<typeof IntercomMode>

/** The sound of a session as the unit reports it; nothing without a session (EN-MISC-06). */
export const IntercomAudioState = z.enum(['connecting', 'connected'])
export type IntercomAudioState = z.infer<typeof IntercomAudioState>

/** The settings of a line. */
export const IntercomLine = z.object({
  mode: IntercomMode,
  destinationAccount: z
    .string()
    .max(64)
    .describe('The audio room by its id, "" while none is selected; "" in the mode targetChannel'),
})
export type IntercomLine = z.infer<typeof IntercomLine>

export const IntercomLines = z.array(IntercomLine).max(intercomNumbers.length)

/** The default until users choose. */
export const firstLine: IntercomLine = { mode: 'audioRoom', destinationAccount: '' }

/**
 * Where a line is between two settled states (GAP-STATE-01, ST-ICOM-03, -04):
 * 1. idle: no session, and none is wanted; a start leads to 2;
 * 2. connecting: a session is wanted, and its sound is not there yet; to 3 when the unit reports connected, to 4 by a stop;
 * 3. connected: to 4 by a stop, to 2 when the unit loses the sound;
 * 4. disconnecting: no session is wanted, and the unit still has one; to 1 when the unit does not report it any more.
 * 1 and 3 are settled, without a transition. A unit that goes offline ends in 1.
 */
export const IntercomTransition = z.enum(['connecting', 'disconnecting'])
export type IntercomTransition = z.infer<typeof IntercomTransition>

/** A line with its settings and the state of its session. */
export const Intercom = IntercomLine.extend({
  state: IntercomAudioState.nullable().describe('null without a session'),
  transition: IntercomTransition.nullable(),
  failure: z
    .string()
    .nullable()
    .describe('Why the session is not connected, or has no sound in one direction; null without a reason'),
  failureCause: WireCause.nullable().describe('The code of that reason, where it has one'),
})
export type Intercom = z.infer<typeof Intercom>

/** A session as the unit reports it. */
export const ActualIntercom = z.object({
  intercom: IntercomNumber,
  sessionId: z.string().max(64),
  state: IntercomAudioState,
  failure: z
    .string()
    .max(255)
    .nullish()
    .describe('Why it is not connected, or has no sound in one direction'),
  failureCause: DeviceCause.nullish().describe('The code of that reason, where it has one'),
})
export type ActualIntercom = z.infer<typeof ActualIntercom>

/** The transition of a line, from the wanted session and the reported one. */
export function intercomTransition(
  wantedId: string | undefined,
  actual: ActualIntercom | undefined,
): IntercomTransition | null {
  if (wantedId === undefined) return actual === undefined ? null : 'disconnecting'
  return actual?.sessionId === wantedId && actual.state === 'connected' ? null : 'connecting'
}

/** Most sockets for headsets of a unit. */
export const AUDIO_JACKS_MAX = 4

/** The line of an audio jack. */
export const JackUse = z.enum(['off', 'intercom1', 'intercom2'])
export type JackUse = z.infer<typeof JackUse>

/** Jacks count from 1. */
export const AudioJack = z.strictObject({ jack: z.number().int().min(1).max(AUDIO_JACKS_MAX), use: JackUse })
export type AudioJack = z.infer<typeof AudioJack>

export const AudioJacks = z
  .array(AudioJack)
  .max(AUDIO_JACKS_MAX)
  .refine((jacks) => new Set(jacks.map(({ jack }) => jack)).size === jacks.length, rule('field.notUnique'))

/** The parameters of a session in addition to the line. */
export interface IntercomSurroundings {
  /** The intercom server of the unit, "" without one. */
  server: string
  /** The server of the customer of the selected audio room; undefined while none is selected or it is not open to the unit. */
  roomServer: string | undefined
  /** The unit has selected a channel that can be reached. */
  hasChannel: boolean
  /** An audio room belongs to that channel. */
  hasChannelRoom: boolean
}

/** Why no session can begin now (ER-UNIT-24 to -26, GAP-AUDIO-02); undefined when one can. */
export function sessionRefusal(
  { mode }: Pick<IntercomLine, 'mode'>,
  { server, roomServer, hasChannel, hasChannelRoom }: IntercomSurroundings,
): PlainCode | undefined {
  if (server === '') return 'intercom.serverMissing'
  if (mode === 'targetChannel' && !hasChannel) return 'channel.busyOrOffline'
  if (mode === 'targetChannel') return hasChannelRoom ? undefined : 'intercom.channelNoRoom'
  if (roomServer === undefined) return 'intercom.roomExternal'
  return isSameRegistrationServer(roomServer, server) ? undefined : 'intercom.otherServer'
}

/** The account of a unit at an intercom server; a unit without one uses the server of its customer. */
export const SipAccount = z.object({ server: z.string(), account: z.string() })
export type SipAccount = z.infer<typeof SipAccount>

export const NewSipAccount = z.strictObject({
  server: RegistrationServer.min(1, rule('field.required')),
  account: z.string().trim().min(1, rule('field.required')).max(64),
})
export type NewSipAccount = z.infer<typeof NewSipAccount>

/** The choices for the lines of a unit. */
export const IntercomOptions = z.object({
  closed: z.array(z.string().nullable()).describe('Why each line is closed; null where it is open'),
  closedCauses: z.array(WireCause.nullable()).describe('The codes of these reasons'),
  server: z.string().describe('The intercom server of the unit, "" without one'),
  sipAccount: SipAccount.nullable(),
  rooms: z.array(z.object({ id: z.string(), name: z.string() })).describe('Audio rooms open to the unit'),
  jacks: AudioJacks,
  channelRoom: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The audio room that belongs to the selected channel of the unit'),
  ifb: UnitIfb.describe('How its crew hears its IFB'),
})
export type IntercomOptions = z.infer<typeof IntercomOptions>
