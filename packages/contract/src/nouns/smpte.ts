/** SMPTE 2110: how a server puts out picture and sound on the networks of a studio (EN-MISC-04, EN-CHAN-29, -42, -43). */

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

/** How a server stands in the networks of a studio. Both carry the same, so that either may fail (ST 2022-7). */
export const SmpteNetworkSettings = z.strictObject({
  ptpDomain: whole(0, 127).describe('The clock that all of the studio follow'),
  primary: NetworkSide,
  secondary: NetworkSide.nullable(),
})
export type SmpteNetworkSettings = z.infer<typeof SmpteNetworkSettings>

const Stream = z.strictObject({ address: MulticastAddress, port: whole(1, 65_535) })

/** Uncompressed, or as JPEG XS. */
export const smpteFlavors = ['ST 2110-20', 'ST 2110-22'] as const

/** Each travels by itself; the last one may be left out. */
export const essences = ['video', 'audio', 'ancillary'] as const
export type Essence = (typeof essences)[number]

/** Where a server puts out what a channel receives. */
export const SmpteStreams = z.strictObject({
  flavor: z.enum(smpteFlavors),
  video: Stream,
  audio: Stream,
  ancillary: Stream.nullable(),
})
export type SmpteStreams = z.infer<typeof SmpteStreams>

const placeOf = (streams: SmpteStreams, essence: Essence): string | undefined => {
  const stream = streams[essence]
  return stream ? `${stream.address}:${stream.port}` : undefined
}

const placesOf = (streams: SmpteStreams, of: readonly Essence[]) =>
  of.flatMap((essence) => placeOf(streams, essence) ?? [])

/** The first that would go to an address and port to which something of the other goes. */
export function sharedEssence(mine: SmpteStreams, other: SmpteStreams): Essence | undefined {
  const taken = placesOf(other, essences)
  return essences.find((essence) => taken.includes(placeOf(mine, essence) ?? ''))
}

/** null: nothing is put out any more. */
export const SmpteServerWish = z.strictObject({
  configuration: SmpteNetworkSettings.superRefine(({ primary, secondary }, context) => {
    if (primary.address === secondary?.address)
      context.addIssue({ code: 'custom', path: ['secondary', 'address'], message: rule('field.notUnique') })
  }).nullable(),
})
export type SmpteServerWish = z.infer<typeof SmpteServerWish>

export const SmpteChannelWish = z.strictObject({
  configuration: SmpteStreams.superRefine((streams, context) => {
    for (const [at, essence] of essences.entries())
      if (placesOf(streams, essences.slice(0, at)).includes(placeOf(streams, essence) ?? ''))
        context.addIssue({ code: 'custom', path: [essence, 'port'], message: rule('field.notUnique') })
  }).nullable(),
})
export type SmpteChannelWish = z.infer<typeof SmpteChannelWish>

/** As it is kept and told to the server; `lastUpdate` is when people set it. */
export const SmpteServer = z.object({ lastUpdate: IsoTime, configuration: SmpteNetworkSettings })
export type SmpteServer = z.infer<typeof SmpteServer>

export const SmpteChannel = z.object({ lastUpdate: IsoTime, configuration: SmpteStreams })
export type SmpteChannel = z.infer<typeof SmpteChannel>

const state = { isConfigured: z.boolean(), lastUpdate: IsoTime.nullable() }

export const SmpteServerState = z.object({ ...state, configuration: SmpteNetworkSettings.nullable() })
export type SmpteServerState = z.infer<typeof SmpteServerState>

export const SmpteChannelState = z.object({ ...state, configuration: SmpteStreams.nullable() })
export type SmpteChannelState = z.infer<typeof SmpteChannelState>

/** What is read of what is kept, or of nothing. */
export const smpteState = <Configuration>(
  kept: { lastUpdate: string; configuration: Configuration } | null,
) => ({
  isConfigured: kept !== null,
  lastUpdate: kept?.lastUpdate ?? null,
  configuration: kept?.configuration ?? null,
})
