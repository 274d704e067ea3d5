import { isIPv4 } from 'node:net'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { hardwareCoders } from '@backhaul/ffmpeg/coders'
import { isWithin, largestPicture, type Picture, parseSource } from '@backhaul/ffmpeg/sources'
import { readSettings, SettingsError, wholeNumber, withFiles } from '@backhaul/runtime/settings'
import { upgradeSettings } from '@backhaul/runtime/upgrade-settings'
import { z } from 'zod'
import { usualDataFolder } from './data-folder.ts'
import { explicitInterfaces, type Interface } from './hardware/interfaces.ts'
import { readSound } from './intercom/sound-device.ts'
import { readDisplay } from './returns/display.ts'

const interfaceName = /^[\w.-]{1,15}$/
const pictureText = /^(source|\d{2,4}x\d{2,4}p\d{1,2})$/

function readPicture(text: string): Picture | 'source' {
  const [width = 0, height = 0, framesPerSecond = 0] = text.split(/[xp]/).map(Number)
  return text === 'source' ? text : { width, height, framesPerSecond }
}

/** Each flag sets a variable, so that a service file and a command line have the same options. */
const flags = {
  core: 'BACKHAUL_CORE_URL',
  key: 'BACKHAUL_REGISTRATION_KEY',
  'key-file': 'BACKHAUL_REGISTRATION_KEY_FILE',
  name: 'BACKHAUL_UNIT_NAME',
  data: 'BACKHAUL_DATA',
  source: 'BACKHAUL_SOURCE',
  'source-file': 'BACKHAUL_SOURCE_FILE',
  'source-2': 'BACKHAUL_SOURCE_2',
  'source-3': 'BACKHAUL_SOURCE_3',
  'source-4': 'BACKHAUL_SOURCE_4',
  picture: 'BACKHAUL_PICTURE',
  codec: 'BACKHAUL_CODEC',
  coder: 'BACKHAUL_CODER',
  links: 'BACKHAUL_LINKS',
  bitrate: 'BACKHAUL_BITRATE_KBPS',
  position: 'BACKHAUL_POSITION',
  product: 'BACKHAUL_PRODUCT',
  reboot: 'BACKHAUL_REBOOT',
  shutdown: 'BACKHAUL_SHUTDOWN',
  'upgrade-key': 'BACKHAUL_UPGRADE_KEY',
  'upgrade-key-file': 'BACKHAUL_UPGRADE_KEY_FILE',
  'return-display': 'BACKHAUL_RETURN_DISPLAY',
  'return-port': 'BACKHAUL_RETURN_PORT',
  'tally-command': 'BACKHAUL_TALLY_COMMAND',
  'tally-led': 'BACKHAUL_TALLY_LED',
  'microphone-1': 'BACKHAUL_MICROPHONE_1',
  'speaker-1': 'BACKHAUL_SPEAKER_1',
  'microphone-2': 'BACKHAUL_MICROPHONE_2',
  'speaker-2': 'BACKHAUL_SPEAKER_2',
  'ifb-speaker': 'BACKHAUL_IFB_SPEAKER',
  'databridge-address': 'BACKHAUL_DATABRIDGE_ADDRESS',
  'ip-pipe-bridge': 'BACKHAUL_IP_PIPE_BRIDGE',
  'page-port': 'BACKHAUL_PAGE_PORT',
  'page-host': 'BACKHAUL_PAGE_HOST',
  'page-password-file': 'BACKHAUL_PAGE_PASSWORD_FILE',
} as const

/** May be in a file instead, which other users of the machine cannot read; they can read a command line. */ const inFiles =
  [
    'BACKHAUL_REGISTRATION_KEY',
    'BACKHAUL_UPGRADE_KEY',
    'BACKHAUL_PAGE_PASSWORD',
    'BACKHAUL_SOURCE',
    'BACKHAUL_SOURCE_2',
    'BACKHAUL_SOURCE_3',
    'BACKHAUL_SOURCE_4',
  ] as const

const SourceText = z.string().regex(/^.*$/, 'must be one line')
const FurtherSource = SourceText.transform(parseSource).optional()

/** The sound device of a headset for the intercom; without one the unit has no headset. */
const Sound = z
  .string()
  .regex(/^.+$/, 'must be pulse, alsa, either with : and a device, or a command of one line')
  .transform(readSound)
  .optional()

const schema = z.object({
  BACKHAUL_CORE_URL: z
    .string()
    .regex(/^(https?|wss?):\/\/[^/]+/, 'must be the address of core, for instance http://10.0.0.1:8080')
    .transform(gatewayAddress),
  BACKHAUL_REGISTRATION_KEY: z.string().min(6, 'must have at least 6 characters').max(128).optional(),
  BACKHAUL_LOCAL_KEY: z.string().optional(),
  BACKHAUL_UNIT_NAME: z
    .string()
    .max(64, 'must have at most 64 characters')
    .default(
      hostname()
        .replace(/[^\w-]+/g, '-')
        .slice(0, 64),
    ),
  BACKHAUL_DATA: z.string().default(usualDataFolder),
  BACKHAUL_SOURCE: SourceText.default('test').transform(parseSource),
  BACKHAUL_SOURCE_2: FurtherSource,
  BACKHAUL_SOURCE_3: FurtherSource,
  BACKHAUL_SOURCE_4: FurtherSource,
  BACKHAUL_PICTURE: z
    .string()
    .regex(pictureText, 'must be source, or size and rate as 1920x1080p50')
    .transform(readPicture)
    .refine(
      (picture) => picture === 'source' || isWithin(picture, largestPicture),
      'must be 3840x2160p60 at most, with even sizes',
    )
    .default('source'),
  BACKHAUL_CODEC: z.enum(['h264', 'h265'], 'must be h264 or h265').default('h264'),
  /** The encoder: the first hardware that works, software, or this hardware if it works. */
  BACKHAUL_CODER: z
    .enum(['auto', 'software', ...hardwareCoders], 'must be auto, software, nvenc, vaapi or v4l2m2m')
    .default('auto'),
  BACKHAUL_LINKS: z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine(
      (words) => words.every(isLinkWord),
      'must be local addresses with commas between, each as 10.0.0.5 or eth0=10.0.0.5',
    )
    .transform(readLinks)
    .optional(),
  /** With other addresses core has to be reached within this time, or else the previous ones are restored. */
  BACKHAUL_ADDRESSES_WITHIN_S: wholeNumber(5, 120).default(60),
  BACKHAUL_BITRATE_KBPS: wholeNumber(250, 50_000).default(4000),
  BACKHAUL_POSITION: z.string().optional(),
  BACKHAUL_PRODUCT: z.string().min(1).max(64).default('LU-800'),
  BACKHAUL_REBOOT: z.enum(['agent', 'machine'], 'must be agent or machine').default('agent'),
  /** The owner's command that switches the machine off; without it the console cannot. */
  BACKHAUL_SHUTDOWN: z.string().optional(),
  /** The address at which machines of the crew reach the databridge; without it the unit has none. */
  BACKHAUL_DATABRIDGE_ADDRESS: z.ipv4('must be an IPv4 address of this machine').optional(),
  /** The bridge of this machine that machines of the crew are in; without it the unit has no IP pipe. */
  BACKHAUL_IP_PIPE_BRIDGE: z
    .string()
    .regex(interfaceName, 'must be the name of a bridge of this machine')
    .optional(),
  BACKHAUL_RETURN_DISPLAY: z
    .string()
    .regex(/^.+$/, 'must be none, window or a command of one line')
    .default('none')
    .transform(readDisplay),
  /** The port of the returned picture on this machine; 0 takes any free one. */
  BACKHAUL_RETURN_PORT: wholeNumber(0, 65_535).default(8089),
  /** The owner's command that switches the red light of the crew; it gets on or off. */
  BACKHAUL_TALLY_COMMAND: z.string().optional(),
  /** The name of the lamp in /sys/class/leds. */
  BACKHAUL_TALLY_LED: z
    .string()
    .regex(/^[^/]+$/, 'must be the name of an LED in /sys/class/leds')
    .refine((name) => !/^\.+$/.test(name), 'must be the name of an LED in /sys/class/leds')
    .optional(),
  BACKHAUL_MICROPHONE_1: Sound,
  BACKHAUL_SPEAKER_1: Sound,
  BACKHAUL_MICROPHONE_2: Sound,
  BACKHAUL_SPEAKER_2: Sound,
  BACKHAUL_IFB_SPEAKER: Sound,
  /** The unit's own page is served only where a port is set; 0 takes any free one. */
  BACKHAUL_PAGE_PORT: wholeNumber(0, 65_535).optional(),
  BACKHAUL_PAGE_HOST: z.ipv4('must be an IPv4 address of this machine').default('127.0.0.1'),
  BACKHAUL_PAGE_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(128, 'must have at most 128 characters')
    .optional(),
  ...upgradeSettings,
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
  FFMPEG_PATH: z.string().optional(),
})
export type AgentSettings = z.output<typeof schema>

/** Reads the command line over the environment; throws SettingsError that names what is wrong. */
export function readAgentSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentSettings {
  const settings = readSettings(withFiles({ ...env, ...readFlags(argv) }, inFiles), schema)
  const { BACKHAUL_PAGE_PORT: port, BACKHAUL_PAGE_HOST: host, BACKHAUL_PAGE_PASSWORD: password } = settings
  if (port !== undefined && !host.startsWith('127.') && password === undefined)
    throw new SettingsError([
      'BACKHAUL_PAGE_PASSWORD: is not set, and BACKHAUL_PAGE_HOST is for other machines',
    ])
  return settings
}

function readFlags(argv: readonly string[]): Record<string, string> {
  const options = Object.fromEntries(Object.keys(flags).map((flag) => [flag, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({ args: [...argv], options })
    return Object.fromEntries(
      Object.entries(flags).flatMap(([flag, variable]) => {
        const value = values[flag]
        return typeof value === 'string' ? [[variable, value]] : []
      }),
    )
  } catch (error) {
    throw new SettingsError([error instanceof Error ? error.message : String(error)])
  }
}

/** The address of the gateway; an address with a path of its own is taken as it is. */
function gatewayAddress(text: string): string {
  const url = new URL(text.replace(/^http/, 'ws'))
  if (url.pathname === '/') url.pathname = '/gateway'
  return url.href
}

const isLinkWord = (word: string) => isIPv4(word.split('=').at(-1) ?? '')

function readLinks(words: readonly string[]): Interface[] {
  return words.flatMap((word) => {
    const [id = word, address] = word.split('=')
    if (address === undefined) return explicitInterfaces([id])
    return [{ id, kind: /^(modem|wwan)/i.test(id) ? 'modem' : 'ethernet', address } as const]
  })
}
