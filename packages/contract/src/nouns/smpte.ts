/** SMPTE 2110: outputs of a server for picture and sound on the networks of a studio (EN-MISC-04, EN-CHAN-29, -42, -43). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { rule } from '../define/refusals.ts'
import { whole } from './servers.ts'
import { isSubnetMask } from './unit-settings.ts'

const isAddress = (text: string): boolean => z.ipv4().safeParse(text).success

/** 224.0.0.0 to 239.255.255.255. */
const MulticastAddress = z
  .string()
  .refine((text) => /^(22[4-9]|23\d)\./.test(text) && isAddress(text), rule('address.multicast'))

const NetworkSide = z.strictObject({
  address: z.string().refine(isAddress, rule('address.ip')),
  subnetMask: z.string().refine(isSubnetMask, rule('address.subnetMask')),
  gateway: z
    .string()
    .refine((text) => text === '' || isAddress(text), rule('address.ip'))
    .describe('Empty where there is none'),
})

/** The addresses of a server in the networks of a studio. Both carry the same, so that either may fail (ST 2022-7). */
export const SmpteNetworkSettings = z.strictObject({
  ptpDomain: whole(0, 127).describe('The PTP domain of the studio'),
  primary: NetworkSide,
  secondary: NetworkSide.nullable(),
})
export type SmpteNetworkSettings = z.infer<typeof SmpteNetworkSettings>

const Stream = z.strictObject({ address: MulticastAddress, port: whole(1, 65_535) })

/** Uncompressed, or as JPEG XS. */
export const smpteFlavors = ['ST 2110-20', 'ST 2110-22'] as const

/** Separate streams; the last two may be left out. */
export const essences = ['video', 'audio', 'audio2', 'ancillary'] as const
export type Essence = (typeof essences)[number]

/** The outputs of a channel. */
export const SmpteStreams = z.strictObject({
  flavor: z.enum(smpteFlavors),
  video: Stream,
  audio: Stream.describe('Up to 8 channels'),
  audio2: Stream.nullish().describe('Channels 9 to 16; null or absent: they are not sent'),
  ancillary: Stream.nullable(),
})
export type SmpteStreams = z.infer<typeof SmpteStreams>

const placeOf = (streams: SmpteStreams, essence: Essence): string | undefined => {
  const stream = streams[essence]
  return stream ? `${stream.address}:${stream.port}` : undefined
}

const placesOf = (streams: SmpteStreams, of: readonly Essence[]) =>
  of.flatMap((essence) => placeOf(streams, essence) ?? [])

/** The first stream with an address and port that the other one already uses. */
export function sharedEssence(mine: SmpteStreams, other: SmpteStreams): Essence | undefined {
  const taken = placesOf(other, essences)
  return essences.find((essence) => taken.includes(placeOf(mine, essence) ?? ''))
}

/** null: no outputs any more. */
export const SmpteServerRequest = z.strictObject({
  configuration: SmpteNetworkSettings.superRefine(({ primary, secondary }, context) => {
    if (primary.address === secondary?.address)
      context.addIssue({ code: 'custom', path: ['secondary', 'address'], message: rule('field.notUnique') })
  }).nullable(),
})
export type SmpteServerRequest = z.infer<typeof SmpteServerRequest>

export const SmpteChannelRequest = z.strictObject({
  configuration: SmpteStreams.superRefine((streams, context) => {
    for (const [at, essence] of essences.entries())
      if (placesOf(streams, essences.slice(0, at)).includes(placeOf(streams, essence) ?? ''))
        context.addIssue({ code: 'custom', path: [essence, 'port'], message: rule('field.notUnique') })
  }).nullable(),
})
export type SmpteChannelRequest = z.infer<typeof SmpteChannelRequest>

/** The settings as stored and sent to the server; `lastUpdate` is the time of the last change by a user. */
export const SmpteServer = z.object({ lastUpdate: IsoTime, configuration: SmpteNetworkSettings })
export type SmpteServer = z.infer<typeof SmpteServer>

export const SmpteChannel = z.object({ lastUpdate: IsoTime, configuration: SmpteStreams })
export type SmpteChannel = z.infer<typeof SmpteChannel>

const state = { isConfigured: z.boolean(), lastUpdate: IsoTime.nullable() }

export const SmpteServerState = z.object({ ...state, configuration: SmpteNetworkSettings.nullable() })
export type SmpteServerState = z.infer<typeof SmpteServerState>

export const SmpteChannelState = z.object({ ...state, configuration: SmpteStreams.nullable() })
export type SmpteChannelState = z.infer<typeof SmpteChannelState>

/** The answer for the stored state, or for none. */
export const smpteState = <Configuration>(
  kept: { lastUpdate: string; configuration: Configuration } | null,
) => ({
  isConfigured: kept !== null,
  lastUpdate: kept?.lastUpdate ?? null,
  configuration: kept?.configuration ?? null,
})
