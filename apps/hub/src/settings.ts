import { hostname, networkInterfaces } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { CAMERAS_MAX } from '@backhaul/contract/nouns/cameras'
import { IP_PIPE_NETWORKS_MAX } from '@backhaul/contract/nouns/ip-pipe'
import { SDI_INPUTS } from '@backhaul/contract/nouns/video-return'
import { readSettings, SettingsError, wholeNumber, withFiles } from '@backhaul/runtime/settings'
import { upgradeSettings } from '@backhaul/runtime/upgrade-settings'
import { z } from 'zod'
import { hubDataFolder } from './data-folder.ts'
import { isPlaceRule } from './databridge/allowed-places.ts'
import type { ReturnSource } from './messages.ts'
import { highestAddress, type TallyLamp } from './tally/tsl-umd.ts'

/** Shown as pictures of the simulated channels; more are played from the same scenes. */
const DEMO_LOOPS = 12
const MOST_LOOPS = 16
const MOST_CHANNELS = 32
const MOST_ADDRESSES = 16
const MOST_TALLIES = 32
const MOST_PLACES = 256
/** Above the media port, behind the ports of the channels. */
const SPEECH_FROM = 900
const UPLOADS_FROM = 910

const wordList = z.string().transform((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
)

const inputs = wordList.pipe(
  z.array(z.enum(['srt', 'rist', 'rtmp', 'webrtc'], 'must be a list of srt, rist, rtmp and webrtc')).max(16),
)

/** `srt-1` is a channel of the hub by its slot, `test` the test picture, everything else the path of a file. */
function readReturnSource(text: string): ReturnSource {
  if (text === 'test') return { kind: 'testPattern' }
  return isSlot(text) ? { kind: 'slot', slot: text } : { kind: 'file', path: resolve(text) }
}

const isSlot = (text: string) => /^(bonded|srt|rist|rtmp|webrtc)-\d+$/.test(text)

const returnSources = wordList
  .pipe(
    z
      .array(
        z
          .string()
          .refine(
            (word) => word === 'test' || isSlot(word) || word.includes('/'),
            'must be a list of channels such as srt-1, paths of files such as /media/slate.mp4, and test',
          ),
      )
      .min(1, 'must name 1 to 4 inputs')
      .max(SDI_INPUTS, 'must name 1 to 4 inputs'),
  )
  .transform((words) => words.map(readReturnSource))

const displaysRule = `must be addresses from 0 to ${highestAddress} such as 1-8,20, ${MOST_TALLIES} at most`

/** `1-8,20` in ascending order, each address once. */
const displayAddresses = wordList
  .pipe(
    z.array(
      z
        .string()
        .regex(/^\d{1,5}(-\d{1,5})?$/, displaysRule)
        .transform((word) => word.split('-').map(Number))
        .refine(([first = 0, last = first]) => first <= last && last <= highestAddress, displaysRule)
        .transform(([first = 0, last = first]) => ({ first, last })),
    ),
  )
  // Counted before any list is made of a range.
  .refine(
    (ranges) => ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0) <= MOST_TALLIES,
    displaysRule,
  )
  .transform((ranges) =>
    [...new Set(ranges.flatMap(({ first, last }) => numbersFrom(first, last)))].sort((a, b) => a - b),
  )
  .refine((addresses) => addresses.length > 0, displaysRule)

const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

const schema = z.object({
  BACKHAUL_CORE_URL: z.url({
    protocol: /^wss?$/,
    error: 'must be the address of the gateway, ws://…/gateway',
  }),
  BACKHAUL_REGISTRATION_KEY: z.string().min(6).max(128).optional(),
  BACKHAUL_LOCAL_KEY: z.string().min(6).max(128).optional(),
  /** A transceiver takes feeds from elsewhere and sends them on; an ingest server takes files in, and has no channels. */
  BACKHAUL_HUB_ROLE: z
    .enum(['receiver', 'transceiver', 'ingest'], 'must be receiver, transceiver or ingest')
    .default('receiver'),
  BACKHAUL_HUB_CHANNELS: wholeNumber(0, MOST_CHANNELS).default(4),
  /** Number of channels in a group channel, which receives one unit with several cameras; 0 for none. */
  BACKHAUL_HUB_CAMERAS: wholeNumber(0, CAMERAS_MAX)
    .refine((count) => count !== 1, 'must be 0, or 2 to 4')
    .default(0),
  BACKHAUL_HUB_INPUTS: inputs.default(['srt', 'rtmp']),
  /** With 1 or more the hub is a video return server too. */
  BACKHAUL_HUB_RETURN_CHANNELS: wholeNumber(0, MOST_CHANNELS).default(0),
  BACKHAUL_HUB_RETURN_INPUTS: returnSources.optional(),
  BACKHAUL_HUB_MEDIA_PORT: wholeNumber(0, 60_000)
    .refine((port) => port % 2 === 0, 'must be even')
    .default(20_000),
  /** The programme of each IFB. */
  BACKHAUL_HUB_IFBS: returnSources.optional(),
  /** The port for units that speak in audio rooms; by default 900 above the media port, or any free one. */
  BACKHAUL_HUB_SPEECH_PORT: wholeNumber(0, 65_535).optional(),
  /** The port for units that send files; by default 910 above the media port, or any free one. */
  BACKHAUL_HUB_UPLOAD_PORT: wholeNumber(0, 65_535).optional(),
  /** The databridge gateway: where units call, closed without a port, and where the owner lets them lead to. */
  BACKHAUL_HUB_DATABRIDGE_PORT: wholeNumber(0, 65_535).optional(),
  BACKHAUL_HUB_DATABRIDGE_TO: wordList
    .pipe(
      z
        .array(
          z
            .string()
            .refine(
              isPlaceRule,
              'must be a list of IPv4 addresses and networks, each with a port if one is meant, such as 192.0.2.10:21 or 10.1.0.0/16',
            ),
        )
        .max(MOST_PLACES),
    )
    .default([]),
  /** Bridges of the machine that IP pipes of units may lead to; without any the hub holds none. */
  BACKHAUL_HUB_IP_PIPE_NETWORKS: wordList
    .pipe(
      z
        .array(z.string().regex(/^[\w.-]{1,15}$/, 'must be a list of names of bridges of this machine'))
        .max(IP_PIPE_NETWORKS_MAX),
    )
    .default([]),
  BACKHAUL_HUB_UNIT_HOST: z.ipv4('must be an IPv4 address of this machine').default('0.0.0.0'),
  BACKHAUL_HUB_PREVIEW_HOST: z.string().default('127.0.0.1'),
  BACKHAUL_HUB_PREVIEW_PORT: wholeNumber(0, 65_535).default(0),
  /** The door for the public, for players of HLS, is opened only where a port is set; 0 takes any free one. */
  BACKHAUL_HUB_WEB_PORT: wholeNumber(0, 65_535).optional(),
  BACKHAUL_HUB_WEB_HOST: z.string().default('0.0.0.0'),
  /** Where the public reaches it, if not at the address of the hub: a proxy with TLS. */
  BACKHAUL_HUB_WEB_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address, https://…' })
    .max(200, 'must have at most 200 characters')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Files are published only where a folder is set. */
  BACKHAUL_HUB_HOT_FOLDER: z.string().refine(isAbsolute, 'must be the path of a folder, /…').optional(),
  /** Files of other systems are taken from this folder; none without it. */
  BACKHAUL_HUB_INGEST_FOLDER: z.string().refine(isAbsolute, 'must be the path of a folder, /…').optional(),
  /** Metrics for Prometheus are served only where a port is set; 0 takes any free one. */
  BACKHAUL_HUB_METRICS_PORT: wholeNumber(0, 65_535).optional(),
  BACKHAUL_HUB_METRICS_HOST: z.string().default('127.0.0.1'),
  /** TSL UMD is received only where a port is set. */
  BACKHAUL_HUB_TALLY_PORT: wholeNumber(1, 65_535).optional(),
  BACKHAUL_HUB_TALLY_HOST: z.ipv4('must be an IPv4 address of this machine').default('127.0.0.1'),
  BACKHAUL_HUB_TALLIES: displayAddresses.default(numbersFrom(1, 8)),
  /** The lamp of TSL UMD 3.1 that means on air. */
  BACKHAUL_HUB_TALLY_LAMP: wholeNumber(1, 4).default(1),
  /** `1` offers outputs in the networks of a studio: uncompressed RTP without a PTP clock. */
  BACKHAUL_HUB_SMPTE: z.enum(['0', '1']).default('0'),
  /** The owner's command that sets the time zone of the machine; without it the console cannot. */
  BACKHAUL_HUB_TIMEZONE: z.string().optional(),
  /** As core reads it. */
  BACKHAUL_OWN_NETWORK_OUTPUTS: z.enum(['0', '1']).default('1'),
  /** Shown with its channels, such as the region of a cloud. */
  BACKHAUL_HUB_REGION: z.string().trim().max(64, 'must have at most 64 characters').optional(),
  BACKHAUL_HUB_ADDRESS: z.string().optional(),
  BACKHAUL_HUB_LOOPS: wholeNumber(0, MOST_LOOPS).optional(),
  BACKHAUL_HUB_NAME: z
    .string()
    .min(1)
    .max(64)
    .default(`Hub-${hostname().replace(/[^\w-]+/g, '-')}`.slice(0, 64)),
  BACKHAUL_DEMO: wholeNumber(0, 100_000).default(0),
  ...upgradeSettings,
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
})

/** From the environment, `--key` and `--key-file` on the command line take precedence. */
export function readHubSettings(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
) {
  const flag = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const given = {
    ...env,
    ...(flag('--key-file') && { BACKHAUL_REGISTRATION_KEY_FILE: flag('--key-file') }),
    ...(flag('--key') && { BACKHAUL_REGISTRATION_KEY: flag('--key') }),
  }
  const read = readSettings(withFiles(given, ['BACKHAUL_REGISTRATION_KEY', 'BACKHAUL_UPGRADE_KEY']), schema)
  if (read.BACKHAUL_HUB_CAMERAS > read.BACKHAUL_HUB_CHANNELS)
    throw new SettingsError(['BACKHAUL_HUB_CAMERAS: must be at most BACKHAUL_HUB_CHANNELS'])
  requireOwnPort(read)
  const isIngest = read.BACKHAUL_HUB_ROLE === 'ingest'
  if (isIngest && read.BACKHAUL_HUB_INGEST_FOLDER === undefined)
    throw new SettingsError(['BACKHAUL_HUB_INGEST_FOLDER: must be set for an ingest server'])
  return {
    coreUrl: read.BACKHAUL_CORE_URL,
    registrationKey: read.BACKHAUL_REGISTRATION_KEY ?? read.BACKHAUL_LOCAL_KEY,
    dataFolder: hubDataFolder(env),
    upgrades: {
      key: read.BACKHAUL_UPGRADE_KEY,
      isSupervised: read.BACKHAUL_SUPERVISED === '1',
      trialMs: read.BACKHAUL_UPGRADE_WITHIN_S * 1000,
    },
    role: read.BACKHAUL_HUB_ROLE,
    channels: isIngest ? 0 : read.BACKHAUL_HUB_CHANNELS,
    cameras: isIngest ? 0 : read.BACKHAUL_HUB_CAMERAS,
    inputs: isIngest ? [] : read.BACKHAUL_HUB_INPUTS,
    returns: { channels: read.BACKHAUL_HUB_RETURN_CHANNELS, sources: returnSourcesIn(read) },
    ifbs: requireKnown('BACKHAUL_HUB_IFBS', read.BACKHAUL_HUB_IFBS ?? [], read),
    mediaPort: read.BACKHAUL_HUB_MEDIA_PORT,
    ...calledPorts(read),
    databridge:
      read.BACKHAUL_HUB_DATABRIDGE_PORT === undefined
        ? undefined
        : { port: read.BACKHAUL_HUB_DATABRIDGE_PORT, allowed: read.BACKHAUL_HUB_DATABRIDGE_TO },
    ipPipeNetworks: read.BACKHAUL_HUB_IP_PIPE_NETWORKS,
    unitHost: read.BACKHAUL_HUB_UNIT_HOST,
    previewHost: read.BACKHAUL_HUB_PREVIEW_HOST,
    previewPort: read.BACKHAUL_HUB_PREVIEW_PORT,
    web:
      read.BACKHAUL_HUB_WEB_PORT === undefined
        ? undefined
        : { host: read.BACKHAUL_HUB_WEB_HOST, port: read.BACKHAUL_HUB_WEB_PORT },
    hotFolder: read.BACKHAUL_HUB_HOT_FOLDER,
    ingestFolder: read.BACKHAUL_HUB_INGEST_FOLDER,
    webUrl: read.BACKHAUL_HUB_WEB_URL,
    metrics:
      read.BACKHAUL_HUB_METRICS_PORT === undefined
        ? undefined
        : { host: read.BACKHAUL_HUB_METRICS_HOST, port: read.BACKHAUL_HUB_METRICS_PORT },
    tally:
      read.BACKHAUL_HUB_TALLY_PORT === undefined
        ? undefined
        : {
            host: read.BACKHAUL_HUB_TALLY_HOST,
            port: read.BACKHAUL_HUB_TALLY_PORT,
            addresses: read.BACKHAUL_HUB_TALLIES,
            lamp: read.BACKHAUL_HUB_TALLY_LAMP as TallyLamp,
          },
    addresses: advertised(read.BACKHAUL_HUB_ADDRESS),
    opened: { web: read.BACKHAUL_HUB_WEB_PORT !== undefined, smpte: read.BACKHAUL_HUB_SMPTE === '1' },
    timeZoneCommand: read.BACKHAUL_HUB_TIMEZONE,
    mayStreamToOwnNetwork: read.BACKHAUL_OWN_NETWORK_OUTPUTS === '1',
    region: read.BACKHAUL_HUB_REGION || null,
    loops: read.BACKHAUL_HUB_LOOPS ?? (read.BACKHAUL_DEMO > 0 ? DEMO_LOOPS : 0),
    name: read.BACKHAUL_HUB_NAME,
    logFormat: read.BACKHAUL_LOG,
  }
}

/** The ports at which units call for speech and files; 0 takes any free one. */
function calledPorts(read: z.output<typeof schema>) {
  const { BACKHAUL_HUB_MEDIA_PORT: first } = read
  return {
    speechPort: read.BACKHAUL_HUB_SPEECH_PORT ?? (first === 0 ? 0 : first + SPEECH_FROM),
    uploadPort: read.BACKHAUL_HUB_UPLOAD_PORT ?? (first === 0 ? 0 : first + UPLOADS_FROM),
  }
}

/** Throws SettingsError where the port of the tallies, which is never replaced by another one, is that of units. */
function requireOwnPort(read: z.output<typeof schema>): void {
  const {
    BACKHAUL_HUB_TALLY_PORT: port,
    BACKHAUL_HUB_TALLY_HOST: host,
    BACKHAUL_HUB_UNIT_HOST: unitHost,
  } = read
  const isShared = [host, unitHost].includes('0.0.0.0') || host === unitHost
  if (port === undefined || !isShared) return
  const { speechPort, uploadPort } = calledPorts(read)
  const taken = Object.entries({
    BACKHAUL_HUB_SPEECH_PORT: speechPort,
    BACKHAUL_HUB_UPLOAD_PORT: uploadPort,
    BACKHAUL_HUB_DATABRIDGE_PORT: read.BACKHAUL_HUB_DATABRIDGE_PORT,
  }).find(([, other]) => other === port)
  if (taken) throw new SettingsError([`BACKHAUL_HUB_TALLY_PORT: ${port} is the port of ${taken[0]}`])
  const media = read.BACKHAUL_HUB_MEDIA_PORT
  if (media > 0 && port >= media && port < media + 2 * read.BACKHAUL_HUB_CHANNELS)
    throw new SettingsError([
      `BACKHAUL_HUB_TALLY_PORT: ${port} is one of the ports from BACKHAUL_HUB_MEDIA_PORT on`,
    ])
}

/** The slots of the input channels. */
const inputSlotsOf = ({ BACKHAUL_HUB_INPUTS: inputs }: z.output<typeof schema>): string[] =>
  inputs.map((name, at) => `${name}-${inputs.slice(0, at).filter((one) => one === name).length + 1}`)

/** Throws SettingsError for a channel that the hub does not have. */
function requireKnown(
  field: string,
  sources: readonly ReturnSource[],
  read: z.output<typeof schema>,
): readonly ReturnSource[] {
  const bonded = Array.from({ length: read.BACKHAUL_HUB_CHANNELS }, (_, at) => `bonded-${at + 1}`)
  const known = new Set([...inputSlotsOf(read), ...bonded])
  for (const source of sources) {
    if (source.kind === 'slot' && !known.has(source.slot))
      throw new SettingsError([`${field}: the hub has no channel ${source.slot}`])
  }
  return sources
}

/** The sources of video returns, empty where no video is returned; by default the first input channels. Throws SettingsError for another channel. */
function returnSourcesIn(read: z.output<typeof schema>): readonly ReturnSource[] {
  if (read.BACKHAUL_HUB_RETURN_CHANNELS === 0) return []
  const usual = inputSlotsOf(read).slice(0, SDI_INPUTS).map(readReturnSource)
  return requireKnown('BACKHAUL_HUB_RETURN_INPUTS', read.BACKHAUL_HUB_RETURN_INPUTS ?? usual, read)
}

function advertised(written: string | undefined): string[] {
  const given = (written ?? '').split(',').map((word) => word.trim())
  const own = given.filter(Boolean)
  return (own.length > 0 ? own : [...ownAddresses(), '127.0.0.1']).slice(0, MOST_ADDRESSES)
}

/** IPv4 addresses of this machine's network interfaces. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}
