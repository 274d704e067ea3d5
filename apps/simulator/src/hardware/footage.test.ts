// The content of simulated files, decoded by a real ffmpeg.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { pathAtServer } from '@backhaul/contract/nouns/files'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { signRequest, steadyMs } from '@backhaul/runtime/signed-requests'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Random } from '../random.ts'
import { openFileDoor } from './file-door.ts'
import { cardFilm, type Footage } from './footage.ts'
import { SimulatedFiles } from './simulated-files.ts'
import { openTestPattern } from './test-pattern.ts'

const ffmpegPath = findFfmpeg()
const log = createLog({ name: 'simulator', format: 'json', level: 'silent' })

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'backhaul-footage-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** The report of ffmpeg on it: its announced length, its pictures, and its errors. */
function decoded(film: Uint8Array) {
  const words = '-hide_banner -nostats -progress pipe:1 -i pipe:0 -f null -'.split(' ')
  const { stdout, stderr, status } = spawnSync(ffmpegPath ?? '', words, {
    input: film,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return {
    status,
    length: /Duration: ([\d:.]+)/.exec(stderr)?.[1],
    picture: /Video: (\w+).*, (\d+x\d+)/.exec(stderr)?.slice(1, 3).join(' '),
    frames: Number([...stdout.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1]),
    faults: stderr.split('\n').filter((line) => /error|invalid|corrupt|non.monoton/i.test(line)),
  }
}

describe.runIf(ffmpegPath)('the content of simulated files', () => {
  let footage: Footage
  beforeAll(async () => {
    const made = mkdtempSync(join(tmpdir(), 'backhaul-footage-'))
    footage = (await openTestPattern(made, log)) as Footage
    // Kept for the next start.
    expect(readdirSync(made)).toEqual([expect.stringMatching(/^test-pattern-[0-9a-f]{12}\.mp4$/)])
    const again = await openTestPattern(made, log)
    expect(again?.sizeOf(7)).toBe(footage.sizeOf(7))
    rmSync(made, { recursive: true })
  })

  const good = (seconds: number) => ({
    status: 0,
    length: `00:00:${String(seconds).padStart(2, '0')}.00`,
    picture: 'h264 1280x720',
    frames: seconds * 25,
    faults: [],
  })

  test.each([1, 5, 13])('a film of %i s has this length, and as many pictures', (seconds) => {
    const film = footage.read(seconds, 0, Number.POSITIVE_INFINITY)
    expect(film.length).toBe(footage.sizeOf(seconds))
    expect(decoded(film)).toEqual(good(seconds))
  })

  test('any part of a film is what is there in the whole of it', () => {
    const film = Buffer.from(footage.read(12, 0, footage.sizeOf(12)))
    const random = new Random(3)
    for (let count = 0; count < 200; count++) {
      const from = random.whole(0, film.length - 1)
      const to = random.whole(from, film.length + 1000)
      expect(film.subarray(from, to).equals(footage.read(12, from, to))).toBe(true)
    }
  })

  test('a film on a card begins with its labels, has the size of the recording, and is played to its end', () => {
    const sizeBytes = 3_000_000
    const read = cardFilm(footage, { sizeBytes, seconds: 4, text: 'crew=two\n' })
    const film = Buffer.concat([
      read?.(0, 1_000_001) ?? new Uint8Array(),
      read?.(1_000_001, sizeBytes) ?? new Uint8Array(),
    ])
    expect(film.length).toBe(sizeBytes)
    expect(film.toString('latin1', 0, 17)).toMatch(/free(crew=two\n)$/)
    expect(decoded(film)).toEqual(good(4))
    expect(cardFilm(footage, { sizeBytes: 1000, text: '' })).toBeUndefined()
    const filled = cardFilm(footage, { sizeBytes, text: '' })
    expect(decoded(filled?.(0, sizeBytes) ?? new Uint8Array()).frames).toBeGreaterThan(25 * 20)
  })

  function disk() {
    const clock = createTestClock(1_795_000_000_000)
    return { clock, files: new SimulatedFiles({ clock, random: new Random(1), isFree: () => true, footage }) }
  }

  test('a recording holds as many seconds as it has lasted, while it grows and when it is renamed', () => {
    const { clock, files } = disk()
    const recording = { channelId: 'ch-1', unitId: 'u-1', kbps: 4000 }
    const whole = () => {
      const [file] = files.all()
      const open = file && files.open(pathAtServer(file))
      expect(open?.sizeBytes).toBe(file?.sizeBytes)
      return decoded(open?.read(0, open.sizeBytes) ?? new Uint8Array())
    }
    for (let second = 0; second < 3; second++) {
      files.step([recording])
      clock.advance(1000)
    }
    expect(whole()).toEqual(good(3))
    files.step([recording])
    files.step([])
    const media = { lengthMs: 4000, codec: 'h264', width: 1280, height: 720 }
    expect(files.all()).toMatchObject([{ isTransferring: false, sizeBytes: footage.sizeOf(4), media }])
    files.rename(files.all()[0]!, 'Harbour.mp4')
    expect(whole()).toEqual(good(4))
    files.remove(files.all()[0]!)
    expect(files.all()).toEqual([])
  })

  test('an upload holds what was sent, also when it was interrupted', async () => {
    const { files } = disk()
    const film = Buffer.from(footage.read(3, 0, footage.sizeOf(3)))
    const half = film.length >> 1
    const incoming = { uploadId: 'ul-1', file: { channelId: 'ch-1', unitId: 'u-1', fileName: 'Vox.mp4' } }
    async function* sends(part: Uint8Array, ending?: Error) {
      yield part
      if (ending) throw ending
    }
    const cut = files.uploads.receive(
      { ...incoming, from: 0 },
      sends(film.subarray(0, half), new Error('cut')),
    )
    await expect(cut).rejects.toThrow('cut')
    expect(await files.uploads.kept('ul-1')).toBe(half)
    await files.uploads.receive({ ...incoming, from: half }, sends(film.subarray(half)))
    const open = files.open(pathAtServer({ ...incoming.file, rootDirectory: 'uploads' }))
    expect(film.equals(open?.read(0, film.length) ?? new Uint8Array())).toBe(true)
  })

  test('core alone fetches it, whole or from any byte on, by the key of the server', async () => {
    const { files } = disk()
    files.seen('ch-1', 'u-1')
    const [file] = files.all()
    const path = pathAtServer(file!)
    const door = await openFileDoor('127.0.0.1')
    onTestFinished(() => door.stop())
    const fetchFile = (secret: string, more: { method?: string; range?: string; at?: string } = {}) => {
      const { method = 'GET', range, at = path } = more
      const signature = signRequest(secret, { method, path: at }, steadyMs() + 5000)
      return fetch(`http://127.0.0.1:${door.port}${at}`, {
        method,
        headers: { [PREVIEW_SIGNATURE_HEADER]: signature, ...(range !== undefined && { range }) },
      })
    }
    expect((await fetchFile('a')).status).toBe(401)
    door.admit(files, { secret: 'a', coreAheadMs: 5000 })
    door.admit(disk().files, { secret: 'b', coreAheadMs: 5000 })
    expect((await fetchFile('c')).status).toBe(401)
    expect((await fetch(`http://127.0.0.1:${door.port}${path}`)).status).toBe(401)
    expect((await fetchFile('b')).status).toBe(404)
    expect((await fetchFile('a', { at: `${path}x` })).status).toBe(404)
    const head = await fetchFile('a', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(head.headers.get('content-length')).toBe(String(file?.sizeBytes))
    const whole = Buffer.from(await (await fetchFile('a')).arrayBuffer())
    expect(whole.length).toBe(file?.sizeBytes)
    const part = await fetchFile('a', { range: 'bytes=1000-' })
    expect(part.status).toBe(206)
    expect(whole.subarray(1000).equals(Buffer.from(await part.arrayBuffer()))).toBe(true)
    expect((await fetchFile('a', { range: `bytes=${whole.length}-` })).status).toBe(416)
    expect(whole.equals(files.open(path)?.read(0, whole.length) ?? new Uint8Array())).toBe(true)
  })

  test('a machine without ffmpeg has none', async () => {
    const before = process.env.FFMPEG_PATH
    process.env.FFMPEG_PATH = '/nowhere/ffmpeg'
    onTestFinished(() => {
      if (before === undefined) delete process.env.FFMPEG_PATH
      else process.env.FFMPEG_PATH = before
    })
    expect(await openTestPattern(folder(), log)).toBeUndefined()
  })
})
