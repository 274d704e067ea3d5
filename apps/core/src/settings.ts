// The settings of this installation, read from the environment.
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApplicationUrls, MapTiles } from '@backhaul/contract/nouns/client'
import { SECONDARY_INVENTORIES_MAX } from '@backhaul/contract/nouns/inventories'
import { readSettings, wholeNumber } from '@backhaul/runtime/settings'
import { z } from 'zod'
import type { PageServices } from './edge/client/client.ts'
import { readOpenidSettings } from './openid-settings.ts'
import type { OpenidSettings } from './people/openid/openid.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** A web address; one of another kind would run in the console of a user who follows it. */
const webAddress = z.string().regex(/^https?:\/\/[^\s]+$/, 'must start with http:// or https://')

/** An origin only: links that are sent to users are built on it. */
const publicUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must start with http:// or https://')
  .refine((text) => URL.parse(text)?.pathname === '/', 'must have no path')
  .transform((text) => new URL(text).origin)

/** The address of a tile server: one host, so that the pages may fetch pictures from that origin alone. */
const tileAddress = webAddress
  .refine(
    (text) => ['{z}', '{x}', '{y}'].every((part) => text.includes(part)),
    'must contain {z}, {x} and {y}',
  )
  .refine((text) => !/^https?:\/\/[^/?#]*[{},;\s'"*]/.test(text), 'must name one host, without {s}')
  .refine((text) => URL.parse(text)?.username === '', 'must be an address without a user name')

/** Addresses of STUN or TURN servers, comma-separated. */
const iceUrls = (scheme: 'stun' | 'turn') =>
  z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .pipe(
      z.array(
        z.string().regex(new RegExp(`^${scheme}s?:[^\\s/]+$`), `must be a list of ${scheme}: addresses`),
      ),
    )

const schema = z.object({
  /** The address that core listens at; the demo is for this machine only without it. */
  BACKHAUL_HOST: z.string().optional(),
  BACKHAUL_PORT: wholeNumber(0, 65535).default(8080),
  /** Figures for Prometheus are given on an address of their own, and only where a port is set; 0 takes any free one. */
  BACKHAUL_METRICS_PORT: wholeNumber(0, 65535).optional(),
  BACKHAUL_METRICS_HOST: z.string().default('127.0.0.1'),
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
  BACKHAUL_DATA: z.string().default(`${repository}data`),
  /** Packages of software for upgrades of units and servers. */
  BACKHAUL_PACKAGES: z.string().optional(),
  BACKHAUL_ADMIN_PASSWORD: z.string().max(1024).optional(),
  /** Its holder may become the first super user in the console. */
  BACKHAUL_SETUP_CODE: z.string().min(12).max(64).optional(),
  /** Seals what core must read again, such as secrets of authenticator apps; else a file in BACKHAUL_DATA does. */
  BACKHAUL_SECRET_KEY: z.string().min(32).max(1024).optional(),
  BACKHAUL_DEMO: wholeNumber(0, 100_000).default(0),
  /** Admits devices that this machine's launcher started, without a registration key. */
  BACKHAUL_LOCAL_KEY: z.string().min(20).optional(),
  /** Addresses or networks of proxies, comma-separated, whose X-Forwarded headers are trusted. */
  BACKHAUL_TRUSTED_PROXIES: z.string().default('loopback'),
  BACKHAUL_PUBLIC_URL: publicUrl.optional(),
  BACKHAUL_VIDEO_RETURN_URL: webAddress.optional(),
  BACKHAUL_STUN_URLS: iceUrls('stun').optional(),
  BACKHAUL_TURN_URLS: iceUrls('turn').optional(),
  BACKHAUL_TURN_SECRET: z.string().min(8).max(256).optional(),
  /** Pictures of the ground for the map, {z}, {x} and {y} in it; without it the built-in outlines alone are shown. */
  BACKHAUL_MAP_TILES: tileAddress.optional(),
  BACKHAUL_MAP_TILES_CREDIT: z.string().trim().max(200).default(''),
  BACKHAUL_MATRIX_URL: webAddress.optional(),
  BACKHAUL_SUPPORT_URL: webAddress.optional(),
  /** Support cases that users open are sent there. */
  BACKHAUL_SUPPORT_EMAIL: z.email().optional(),
  BACKHAUL_RELEASE_NOTES_URL: webAddress.optional(),
  /** Requested once a minute; consoles show when it does not answer. */
  BACKHAUL_INTERNET_CHECK_URL: webAddress.optional(),
  BACKHAUL_CHAT_URL: webAddress.optional(),
  /** Consoles report page visits there. */
  BACKHAUL_PAGE_VISITS_URL: webAddress.optional(),
  /** The most secondary inventories of one inventory (GAP-INV-02). */
  BACKHAUL_SECONDARY_INVENTORIES: wholeNumber(0, 1000).default(SECONDARY_INVENTORIES_MAX),
  BACKHAUL_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  /** A name and password in it go into the authorization header. */
  BACKHAUL_SMS_URL: webAddress.optional(),
  /** 1 lets core send requests to addresses of its own network that users entered, such as a newsroom system. */
  BACKHAUL_ALLOW_OWN_NETWORK: z.enum(['0', '1']).default('0'),
  /** 0 closes the own network to streaming destinations; the hub reads the same. */
  BACKHAUL_OWN_NETWORK_OUTPUTS: z.enum(['0', '1']).default('1'),
  BACKHAUL_MAIL_FROM: z.email().default('backhaul@localhost.localdomain'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  /** A launcher reads core's standard output. */
  BACKHAUL_SUPERVISED: z.enum(['0', '1']).default('0'),
  NODE_ENV: z.string().default('production'),
})

export interface IdleTimes {
  /** The time from the connection to the end of its first request's head; checked every `checkMs`. */
  headersMs: number
  checkMs: number
  /** Between two requests on one connection. */
  keepAliveMs: number
  /** The time after which a push socket that follows nothing is closed. */
  subscribeMs: number
}

export interface Settings {
  host: string
  /** Whether other machines reach core: by its address, or by a proxy with a public one. */
  isOpenToOthers: boolean
  /** 0 for any free port. */
  port: number
  /** The address at which figures are given; undefined gives none. */
  metrics: { host: string; port: number } | undefined
  logFormat: 'json' | 'pretty'
  dataFolder: string
  packagesFolder: string
  databaseUrl: string | undefined
  adminPassword: string | undefined
  /** Admits the first super user where no password was given; made at the start when it is absent. */
  setupCode: string | undefined
  secretKey: string | undefined
  /** 0 for an empty installation, 1 for the usual demo fleet, else how many simulated units. */
  demo: number
  localKey: string | undefined
  /** Standard output goes to a launcher, so it may contain what only the launcher may read. */
  isSupervised: boolean
  trustedProxies: string[]
  /** The address of this installation for users; undefined: the one of each request. */
  publicUrl: string | undefined
  /** The mail server and the sender's address; undefined keeps e-mail in the outbox. */
  mail: { server: string; from: string } | undefined
  /** The sign-in provider in addition to local passwords, if there is one. */
  openid: OpenidSettings | undefined
  /** The SMS gateway's address; undefined keeps SMS in the outbox. */
  smsGateway: string | undefined
  /** Whether an address that a user entered may be in the operator's own network. */
  mayReachOwnNetwork: boolean
  /** Whether a streaming destination may. */
  mayStreamToOwnNetwork: boolean
  /** The addresses of the other applications; one that is missing hides its link (GAP-NAV-08). */
  applicationUrls: ApplicationUrls
  pageServices: PageServices
  /** The tile server of the map; undefined: nothing is fetched from elsewhere. */
  mapTiles: MapTiles | undefined
  secondariesAtMost: number
  supportEmail: string | undefined
  /** Relays that help browsers outside the network to reach pictures; empty unless the operator names some. */
  ice: { stunUrls: string[]; turnUrls: string[]; turnSecret: string | undefined }
  consoleFolder: string
  /** The times after which unused connections are closed. */
  idle: IdleTimes
  /**
   * The time that core works on messages of devices in one turn of the event loop, while no user waits for an answer.
   */
  intakeTurnMs: number
  /** The cost of one argon2id hash. */
  hashing: { memoryKib: number; passes: number }
  /** Check every answer against the contract: in tests and development. */
  checkAnswers: boolean
}

/** Throws SettingsError that names each wrong variable and its rule. */
export function readCoreSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = readSettings(env, schema)
  const publicHost = given.BACKHAUL_PUBLIC_URL && new URL(given.BACKHAUL_PUBLIC_URL).hostname
  const host = given.BACKHAUL_HOST ?? (given.BACKHAUL_DEMO > 0 ? '127.0.0.1' : '0.0.0.0')
  return {
    host,
    isOpenToOthers: [host, publicHost].some((one) => one !== undefined && !isThisMachine(one)),
    port: given.BACKHAUL_PORT,
    metrics:
      given.BACKHAUL_METRICS_PORT === undefined
        ? undefined
        : { host: given.BACKHAUL_METRICS_HOST, port: given.BACKHAUL_METRICS_PORT },
    logFormat: given.BACKHAUL_LOG,
    dataFolder: given.BACKHAUL_DATA,
    packagesFolder: resolve(given.BACKHAUL_PACKAGES ?? join(given.BACKHAUL_DATA, 'packages')),
    databaseUrl: given.DATABASE_URL,
    adminPassword: given.BACKHAUL_ADMIN_PASSWORD,
    setupCode: given.BACKHAUL_SETUP_CODE,
    secretKey: given.BACKHAUL_SECRET_KEY,
    demo: given.BACKHAUL_DEMO,
    localKey: given.BACKHAUL_LOCAL_KEY,
    isSupervised: given.BACKHAUL_SUPERVISED === '1',
    trustedProxies: given.BACKHAUL_TRUSTED_PROXIES.split(',').map((proxy) => proxy.trim()),
    publicUrl: given.BACKHAUL_PUBLIC_URL,
    openid: readOpenidSettings(env),
    applicationUrls: {
      login: '/login',
      ...(given.BACKHAUL_VIDEO_RETURN_URL && { videoReturnPortal: given.BACKHAUL_VIDEO_RETURN_URL }),
      ...(given.BACKHAUL_MATRIX_URL && { matrix: given.BACKHAUL_MATRIX_URL }),
      ...(given.BACKHAUL_SUPPORT_URL && { support: given.BACKHAUL_SUPPORT_URL }),
      ...(given.BACKHAUL_RELEASE_NOTES_URL && { releaseNotes: given.BACKHAUL_RELEASE_NOTES_URL }),
    },
    supportEmail: given.BACKHAUL_SUPPORT_EMAIL,
    pageServices: {
      internetCheckUrl: given.BACKHAUL_INTERNET_CHECK_URL,
      chatUrl: given.BACKHAUL_CHAT_URL,
      pageVisitsUrl: given.BACKHAUL_PAGE_VISITS_URL,
    },
    mapTiles: given.BACKHAUL_MAP_TILES
      ? { address: given.BACKHAUL_MAP_TILES, credit: given.BACKHAUL_MAP_TILES_CREDIT }
      : undefined,
    ice: {
      stunUrls: given.BACKHAUL_STUN_URLS ?? [],
      turnUrls: given.BACKHAUL_TURN_URLS ?? [],
      turnSecret: given.BACKHAUL_TURN_SECRET,
    },
    secondariesAtMost: given.BACKHAUL_SECONDARY_INVENTORIES,
    mail: given.BACKHAUL_SMTP_URL
      ? { server: given.BACKHAUL_SMTP_URL, from: given.BACKHAUL_MAIL_FROM }
      : undefined,
    smsGateway: given.BACKHAUL_SMS_URL,
    mayReachOwnNetwork: given.BACKHAUL_ALLOW_OWN_NETWORK === '1',
    mayStreamToOwnNetwork: given.BACKHAUL_OWN_NETWORK_OUTPUTS === '1',
    consoleFolder: `${repository}apps/console/dist`,
    idle: { headersMs: 15_000, checkMs: 5000, keepAliveMs: 72_000, subscribeMs: 60_000 },
    intakeTurnMs: 8,
    hashing: { memoryKib: 64 * 1024, passes: 3 },
    checkAnswers: given.NODE_ENV === 'test' || given.NODE_ENV === 'development',
  }
}

const isThisMachine = (host: string): boolean => /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(host)
