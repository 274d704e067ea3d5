// Packages as core gives them, of which each fault is refused with its code and leaves the running version alone.
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { type PackageManifest, packageHead } from '@backhaul/runtime/software-package'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOwnSoftware } from './own-software.ts'
import type { UpgradeFailed } from './upgrading.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519').privateKey
const log = createLog({ name: 'test', format: 'json', level: 'silent' })
/** Pauses between attempts are over at once. */
const clock = {
  ...systemClock,
  setTimeout: (run: () => void, ms: number) => systemClock.setTimeout(run, ms >= 30_000 ? ms : 0),
}

let folder: string
let content: Buffer | undefined
/** The answers of core, one per request, instead of the wanted part of the package. */
let answers: ((request: IncomingMessage, response: ServerResponse) => void)[]
let ranges: string[]
let url: string
let close: () => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backhaul-software-'))
  answers = []
  ranges = []
  const core = createServer((request, response) => {
    expect(request.headers.authorization).toBe('Bearer mine')
    expect(request.url).toBe('/gateway/packages/ug-1')
    ranges.push(request.headers.range ?? '')
    const own = answers.shift()
    if (own) return own(request, response)
    const part = partOf(request)
    if (!part) return response.writeHead(content ? 416 : 404).end()
    response.writeHead(206).end(part)
  })
  core.listen(0, '127.0.0.1')
  await once(core, 'listening')
  url = `ws://127.0.0.1:${(core.address() as AddressInfo).port}/gateway`
  close = () => {
    core.closeAllConnections()
    core.close()
  }
})
afterEach(() => {
  close()
  rmSync(folder, { recursive: true })
})

function partOf({ headers }: IncomingMessage): Buffer | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (!content || Number(from) >= content.length) return undefined
  return content.subarray(Number(from), Number(to) + 1)
}

/** A package of a program of one line. */
function pack(
  changes: Partial<PackageManifest> = {},
  key: KeyObject = privateKey,
  files = ['main.js'],
): Buffer {
  const program = join(folder, 'program')
  rmSync(program, { recursive: true, force: true })
  mkdirSync(program)
  // Random content is not made shorter.
  for (const name of files)
    writeFileSync(
      join(program, name),
      `// ${Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString('hex')}`,
    )
  const archive = join(folder, 'program.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', folder, 'program'])
  const payload = readFileSync(archive)
  const sha256 = createHash('sha256').update(payload).digest('hex')
  const about = { format: 1, program: 'agent', version: '8.1.0', node: 24, unpackedBytes: 40_003 } as const
  return Buffer.concat([
    Buffer.from(packageHead({ ...about, bytes: payload.length, sha256, ...changes }, key)),
    payload,
  ])
}

const open = (more: { isSupervised?: boolean; key?: KeyObject | undefined } = {}) =>
  openOwnSoftware({
    program: 'agent',
    setUpVersion: '8.0.0',
    dataFolder: join(folder, 'data'),
    coreUrl: url,
    tokens: { load: () => ({ deviceId: 'u-1', token: 'mine' }), save() {}, clear() {} },
    key: publicKey,
    isSupervised: true,
    trialMs: 60_000,
    clock,
    log,
    ...more,
  })
const wanted = { upgradeId: 'ug-1', version: '8.1.0', path: 'r/8.1.0' }
const versions = () => {
  const place = join(folder, 'data', 'versions')
  return existsSync(place) ? readdirSync(place).toSorted() : []
}

async function install(): Promise<number[]> {
  const percents: number[] = []
  await open().upgrade?.(wanted, (percent) => percents.push(percent))
  return percents
}

/** Code and reason of the failure. */
async function failure(): Promise<[number, string | undefined]> {
  const error = await install().then(
    () => undefined,
    (reason: unknown) => reason as UpgradeFailed,
  )
  return [error?.code ?? 0, error?.cause.code]
}

test('a package is installed next to the running version, which is the next to start, with its progress', async () => {
  content = pack()
  const percents = await install()
  expect(percents.at(-1)).toBe(100)
  expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b))
  expect(versions()).toEqual(['8.1.0', 'current', 'trial.json'])
  const place = join(folder, 'data', 'versions')
  expect(readlinkSync(join(place, 'current'))).toBe('8.1.0')
  expect(readFileSync(join(place, 'current', 'main.js'), 'utf8')).toMatch(/^\/\/ [0-9a-f]+$/)
  expect(JSON.parse(readFileSync(join(place, 'trial.json'), 'utf8'))).toEqual({
    upgradeId: 'ug-1',
    version: '8.1.0',
    previous: null,
    starts: 0,
    withinMs: 60_000,
  })
})

test('a download that is interrupted is continued where it was, also by another order after it was given up', async () => {
  content = pack()
  const half = (request: IncomingMessage, response: ServerResponse) => {
    const part = partOf(request) ?? Buffer.alloc(0)
    response.writeHead(206, { 'content-length': part.length })
    response.write(part.subarray(0, Math.floor(part.length / 2)), () => response.destroy())
  }
  const head = (request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(206).end(partOf(request))
  const unavailable = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end()
  answers = [head, half, ...Array.from({ length: 39 }, () => unavailable)]
  expect(await failure()).toEqual([105, 'device.networkProblem'])
  ranges = []
  await install()
  const [, continued = ''] = ranges
  expect(Number(/^bytes=(\d+)/.exec(continued)?.[1])).toBeGreaterThan(content.length / 4)
  expect(versions()).toEqual(['8.1.0', 'current', 'trial.json'])
})

const faulty: [what: string, make: () => Buffer | undefined, code: number, cause: PlainCode | string][] = [
  ['is signed by another key', () => pack({}, stranger), 101, 'upgrade.badSignature'],
  ['has no manifest', () => Buffer.alloc(9000, 'x'), 101, 'upgrade.badSignature'],
  ['is of another program', () => pack({ program: 'hub' }), 101, 'upgrade.otherProgram'],
  ['is of another version', () => pack({ version: '8.2.0' }), 101, 'upgrade.otherVersion'],
  ['needs another Node', () => pack({ node: 99 }), 101, 'upgrade.needsNode'],
  ['does not fit the disk', () => pack({ unpackedBytes: 2 ** 52 }), 101, 'upgrade.noSpace'],
  ['is not what was signed', () => pack({ sha256: 'a'.repeat(64) }), 101, 'upgrade.damaged'],
  ['ends before its end', () => pack().subarray(0, -1000), 101, 'upgrade.damaged'],
  ['holds no program', () => pack({}, privateKey, ['other.js']), 101, 'upgrade.damaged'],
  ['is not at core', () => undefined, 106, 'upgrade.noPackage'],
]
test.each(faulty)(
  'a package that %s is refused with its code, and the running version is kept',
  async (_, make, code, cause) => {
    content = make()
    expect(await failure()).toEqual([code, cause])
    expect(versions()).not.toContain('current')
    expect(versions()).not.toContain('trial.json')
  },
)

test('a signature that was changed by one bit is refused', async () => {
  content = pack()
  const at = content.indexOf('.') + 1
  content[at] = content[at] === 65 ? 66 : 65
  expect(await failure()).toEqual([101, 'upgrade.badSignature'])
  // Nothing but the head was read.
  expect(ranges).toEqual(['bytes=0-4095'])
})

test('without a key, or a supervisor, a device cannot upgrade itself', () => {
  expect(open().upgrade).toBeDefined()
  expect(open({ key: undefined }).upgrade).toBeUndefined()
  expect(open({ isSupervised: false }).upgrade).toBeUndefined()
})

test('why a version was left is reported until core knows', () => {
  const place = join(folder, 'data', 'versions')
  mkdirSync(place, { recursive: true })
  const failed = { upgradeId: 'ug-1', why: 'notConnected', withinMs: 60_000 }
  writeFileSync(join(place, 'failed.json'), JSON.stringify(failed))
  const software = open()
  expect(software.failed()).toMatchObject({
    upgradeId: 'ug-1',
    resultCode: 105,
    cause: { code: 'upgrade.didNotConnect', params: { seconds: 60 } },
  })
  software.welcomed()
  expect(open().failed()).toBeUndefined()
})
