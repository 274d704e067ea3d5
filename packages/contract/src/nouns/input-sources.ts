/** Addresses from which a server fetches the picture of an input channel (EN-CHAN-44). */
import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { NAME_MAX } from './names.ts'

/** The most sources of a channel; they are tried in their order. */
export const INPUT_SOURCES_MAX = 4

/** The schemes of the addresses that a server can fetch from. */
export const sourceSchemes = ['srt', 'rtmp', 'rtsp', 'udp'] as const
export const SourceScheme = z.enum(sourceSchemes)
export type SourceScheme = z.infer<typeof SourceScheme>

/** `rtmps` is RTMP, `rtsps` is RTSP. */
export const schemeOf = (url: string): SourceScheme | undefined => {
  const [, scheme = ''] = /^([a-z]+?)(?:s)?:\/\//.exec(url) ?? []
  return SourceScheme.safeParse(scheme).data
}

const form = /^(srt|rtmps?|rtsps?|udp):\/\/[^\s/'"\\]+[^\s'"\\]*$/

export const SourceAddress = z.string().max(512).regex(form, rule('source.address'))

export const InputSourceRequest = z.strictObject({
  name: z.string().trim().min(1, rule('field.required')).max(NAME_MAX),
  url: SourceAddress.describe(
    'srt://, rtmp://, rtsp:// or udp:// with a host; a password in it is not shown again',
  ),
})
export type InputSourceRequest = z.infer<typeof InputSourceRequest>

export const InputSource = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().describe('Without keys and passwords; … replaces parts that only administrators entered'),
})
export type InputSource = z.infer<typeof InputSource>
