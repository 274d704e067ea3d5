/** Streaming destinations: where a server sends a channel's stream to (EN-DEST rows, VA-STREAM-01 to -13, GAP-CHAN-05). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { NAME_MAX } from './names.ts'

export const StreamType = z.enum(['RTMP', 'SRT', 'MPEG-TS', 'RTSP', 'HLS'])
export type StreamType = z.infer<typeof StreamType>

/**
 * The fields of each type in addition to the common ones (appendix F); the first ones are required. HLS is not sent: players
 * fetch it from the server.
 */
export const destinationFields = {
  RTMP: { must: ['urlPrimary'], may: ['urlSecondary', 'streamId', 'username', 'password'] },
  SRT: {
    must: ['port'],
    may: ['srtMode', 'ip', 'sourcePort', 'passphrase', 'latency', 'streamId', 'maxReaders'],
  },
  'MPEG-TS': {
    must: ['ip', 'port'],
    may: ['sourcePort', 'videoBitrate', 'constantMuxRate', 'maxFrameRate'],
  },
  RTSP: { must: ['urlPrimary'], may: ['username', 'password'] },
  HLS: { must: [], may: ['lowLatency'] },
} as const satisfies Record<StreamType, { must: readonly string[]; may: readonly string[] }>

const whole = (least: number, most: number) =>
  z
    .number(rule('number.invalid'))
    .int(rule('number.integer'))
    .min(least, rule('number.orMore', { least }))
    .max(most, rule('number.orLess', { most }))
const short = (most: number) => z.string().trim().max(most, rule('text.atMost', { most }))
const noBlanks = (most: number) => short(most).regex(/^\S*$/, rule('text.blanks'))

export const VIDEO_BITRATE = { least: 2000, most: 8000 } as const
export const SRT_KEY = { least: 10, most: 64 } as const
/** The number of readers of an SRT listener; each takes a process of the server. */
export const SRT_READERS = { least: 1, most: 16, usual: 4 } as const
export const RTSP_URL_MAX = 256
/** Ports from which a server must not send (VA-STREAM-13). */
const isSourcePort = (port: number) => port <= 553 || port >= 558

export const videoProfiles = ['baseline', 'main', 'high'] as const
export const resolutions = ['1920x1080', '1280x720', '960x540', '640x360'] as const
export const srtModes = ['caller', 'listener', 'rendezvous'] as const

/** Fields of all types; a stream is encoded again where profile, rate or size is given, else sent as it comes. */
const ofAll = {
  provider: short(NAME_MAX).optional(),
  name: short(NAME_MAX).min(1, rule('field.required')),
  streamType: StreamType,
  videoProfile: z.enum(videoProfiles).optional(),
  bitRate: whole(100, 50_000).optional().describe('kbps of picture and sound together'),
  resolution: z.enum(resolutions).optional(),
  onDemand: z
    .boolean()
    .optional()
    .describe('Sends only while it is started for a unit; without it, whenever the channel has a picture'),
}

const ofSome = {
  urlPrimary: noBlanks(512).optional(),
  urlSecondary: noBlanks(512).optional(),
  streamId: noBlanks(512).optional(),
  username: noBlanks(NAME_MAX).optional(),
  ip: z.union([z.ipv4(), z.ipv6()], rule('address.ip')).optional(),
  port: whole(0, 65_535).optional(),
  srtMode: z.enum(srtModes).optional(),
  latency: whole(0, 60_000).optional().describe('ms'),
  sourcePort: whole(0, 65_535)
    .refine(isSourcePort, { message: rule('port.range') })
    .optional()
    .describe('The source port; 0 lets the server choose'),
  videoBitrate: whole(VIDEO_BITRATE.least, VIDEO_BITRATE.most).optional().describe('kbps'),
  constantMuxRate: whole(100, 100_000).optional().describe('kbps of the whole stream'),
  maxFrameRate: z
    .number(rule('number.invalid'))
    .min(1, rule('number.orMore', { least: 1 }))
    .max(120, rule('number.orLess', { most: 120 }))
    .optional(),
  maxReaders: whole(SRT_READERS.least, SRT_READERS.most)
    .optional()
    .describe(`Of an SRT listener: how many may read at once, ${SRT_READERS.usual} without it`),
  lowLatency: z.boolean().optional().describe('HLS with parts of segments'),
}

/** Sent only to the server. */
const secret = {
  password: noBlanks(NAME_MAX).optional(),
  passphrase: z
    .string()
    .min(SRT_KEY.least, rule('text.between', { least: SRT_KEY.least, most: SRT_KEY.most }))
    .max(SRT_KEY.most, rule('text.between', { least: SRT_KEY.least, most: SRT_KEY.most }))
    .regex(/^[A-Za-z0-9]*$/, rule('text.special'))
    .optional(),
}

const Fields = z.strictObject({ ...ofAll, ...ofSome, ...secret })
type Fields = z.infer<typeof Fields>
type Name = keyof Fields

/** The addresses of a type, and the start of one as its refusal gives it. */
const addressOf: Partial<Record<StreamType, { form: RegExp; start: string }>> = {
  RTMP: { form: /^rtmps?:\/\/[^\s/]+\/\S+/, start: 'rtmp://host/ or rtmps://host/' },
  RTSP: { form: /^rtsps?:\/\/[^\s/]+/, start: 'rtsp://host or rtsps://host' },
}

function faultsOfUrl(type: StreamType, url: string): string[] {
  const address = addressOf[type]
  const faults =
    address === undefined || address.form.test(url) ? [] : [rule('address.starts', { start: address.start })]
  if (type !== 'RTSP') return faults
  return [
    ...(url.length > RTSP_URL_MAX ? [rule('text.atMost', { most: RTSP_URL_MAX })] : []),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
    ...(/^[\x00-\x7f]*$/.test(url) ? [] : [rule('text.ascii')]),
    ...faults,
  ]
}

/** The faults of the fields for the type of the destination, by field. */
function faultsOfType(fields: Fields): [Name, string][] {
  const { must, may } = destinationFields[fields.streamType]
  const required: readonly Name[] = must
  const known: readonly string[] = [...required, ...may, ...Object.keys(ofAll)]
  const faults: [Name, string][] = []
  for (const name of Object.keys(fields) as Name[]) {
    if (!known.includes(name) && isGiven(fields[name]))
      faults.push([name, rule('destination.notOfType', { type: fields.streamType })])
  }
  for (const name of required) if (!isGiven(fields[name])) faults.push([name, rule('field.required')])
  // A listener needs no address.
  if (fields.streamType === 'SRT' && fields.srtMode !== 'listener' && !isGiven(fields.ip))
    faults.push(['ip', rule('field.required')])
  // It sends from the port where it listens, or of the rendezvous.
  if (fields.srtMode !== undefined && fields.srtMode !== 'caller' && fields.sourcePort)
    faults.push(['sourcePort', rule('destination.notOfMode', { mode: fields.srtMode })])
  if (fields.streamType === 'SRT' && fields.srtMode !== 'listener' && fields.maxReaders !== undefined)
    faults.push(['maxReaders', rule('destination.notOfMode', { mode: fields.srtMode ?? 'caller' })])
  for (const name of ['urlPrimary', 'urlSecondary'] as const) {
    const url = fields[name]
    if (isGiven(url))
      for (const fault of faultsOfUrl(fields.streamType, url ?? '')) faults.push([name, fault])
  }
  return faults
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== ''

/** A destination as a user enters it. */
export const DestinationRequest = Fields.superRefine((fields, context) => {
  for (const [name, message] of faultsOfType(fields))
    context.addIssue({ code: 'custom', path: [name], message })
})
export type DestinationRequest = z.infer<typeof DestinationRequest>

/** A destination as it is read: of its secrets only their presence. */
export const StreamingDestination = z.object({
  id: z.string(),
  ...ofAll,
  ...ofSome,
  hasPassword: z.boolean(),
  hasPassphrase: z.boolean(),
  playUrl: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Where players fetch HLS: who has it may watch; null until the server has reported its address',
    ),
})
export type StreamingDestination = z.infer<typeof StreamingDestination>

/**
 * The part that all users who see the channel may read. An address of RTMP can hold a key after the application, any
 * address a name and password, and its query a token; … replaces a path that is not shown.
 */
export function shownAddress(url: string): string {
  const [, scheme, host, path = ''] = /^(\w+):\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/.exec(url) ?? []
  if (scheme === undefined) return '…'
  // An HLS address has the key in place of a host, so it is not shown.
  if (scheme === 'hls') return 'hls://…'
  if (!scheme.startsWith('rtmp')) return `${scheme}://${host}${path}`
  const parts = path.split('/').filter(Boolean)
  return [`${scheme}://${host}`, ...parts.slice(0, Math.min(1, parts.length - 1)), '…'].join('/')
}

/** The address by which destinations are compared; it may hold a key that a user entered. */
export function destinationAddress(fields: Omit<DestinationRequest, 'password' | 'passphrase'>): string {
  const { streamType, name, srtMode, ip, port, urlPrimary = '' } = fields
  const host = ip?.includes(':') ? `[${ip}]` : (ip ?? '0.0.0.0')
  if (streamType === 'SRT') return `srt://${srtMode === 'listener' ? '0.0.0.0' : host}:${port}`
  // Each has an address of its own.
  if (streamType === 'HLS') return `hls:${name.toLowerCase()}`
  if (streamType === 'MPEG-TS') return `udp://${host}:${port}`
  return urlPrimary
}
