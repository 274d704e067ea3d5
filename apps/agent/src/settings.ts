import { isIPv4 } from 'node:net'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { isWithin, largestPicture, type Picture, parseSource } from '@backhaul/ffmpeg/sources'
import { readSettings, SettingsError, wholeNumber, withFiles } from '@backhaul/runtime/settings'
import { upgradeSettings } from '@backhaul/runtime/upgrade-settings'
import { z } from 'zod'
import { usualDataFolder } from './data-folder.ts'
import { explicitInterfaces, type Interface } from './hardware/interfaces.ts'
import { readDisplay } from './returns/display.ts'

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
} as const

/** May be in a file instead, which other users of the machine cannot read; they can read a command line. */ const inFiles =
  [
    'BACKHAUL_REGISTRATION_KEY',
    'BACKHAUL_UPGRADE_KEY',
    'BACKHAUL_SOURCE',
    'BACKHAUL_SOURCE_2',
    'BACKHAUL_SOURCE_3',
    'BACKHAUL_SOURCE_4',
  ] as const

const SourceText = z.string().regex(/^.*$/, 'must be one line')
const FurtherSource = SourceText.transform(parseSource).optional()

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
  BACKHAUL_LINKS: z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine(
      (words) => words.every(isLinkWord),
      'must be local addresses with commas between, each as 10.0.0.5 or eth0=10.0.0.5',
    )
    .transform(readLinks)
    .optional(),
  BACKHAUL_BITRATE_KBPS: wholeNumber(250, 50_000).default(4000),
  BACKHAUL_POSITION: z.string().optional(),
  BACKHAUL_PRODUCT: z.string().min(1).max(64).default('LU-800'),
  BACKHAUL_REBOOT: z.enum(['agent', 'machine'], 'must be agent or machine').default('agent'),
  /** The owner's command that switches the machine off; without it the console cannot. */
  BACKHAUL_SHUTDOWN: z.string().optional(),
  BACKHAUL_RETURN_DISPLAY: z
    .string()
    .regex(/^.+$/, 'must be none, window or a command of one line')
    .default('none')
    .transform(readDisplay),
  /** Of the returned picture on this machine; 0 takes any free one. */
  BACKHAUL_RETURN_PORT: wholeNumber(0, 65_535).default(8089),
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
  return readSettings(withFiles({ ...env, ...readFlags(argv) }, inFiles), schema)
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
