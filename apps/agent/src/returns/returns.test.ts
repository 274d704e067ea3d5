// The outputs of a returned picture on the machine of a unit: the display and the address on loopback.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createTsBuilder } from '@backhaul/ffmpeg/testing/build-ts'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { superviseChild } from '@backhaul/runtime/child-process'
import { createTestClock, systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test, vi } from 'vitest'
import { createDisplay, displayProgram, readDisplay } from './display.ts'
import { openReturnDoor } from './return-door.ts'

const log = createLog({ name: 'test', format: 'json', level: 'silent' })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const frameTicks = 3600

/** A bus, and what plays the next second of a picture into it. */
function openBus() {
  const bus = createTsBus()
  const builder = createTsBuilder()
  let frame = 0
  bus.push(builder.tables())
  const play = () => {
    for (let at = 0; at < 25; at++) bus.push(builder.video(frame++ * frameTicks, at === 0))
  }
  return { bus, play }
}

const machine = {
  ffplayPath: '/usr/bin/ffplay',
  hasDesktop: true,
  address: 'http://127.0.0.1:8089/return.ts',
}

test('the setting of the display leads to its program, or to the reason why there is none', () => {
  expect(displayProgram(readDisplay('none'), machine)).toEqual({
    code: 'returnDisplay.none',
    params: { address: machine.address },
  })
  expect(displayProgram(readDisplay('window'), machine)).toMatchObject({ command: '/usr/bin/ffplay' })
  expect(displayProgram(readDisplay('window'), { ...machine, hasDesktop: false })).toMatchObject({
    code: 'returnDisplay.noDesktop',
  })
  expect(displayProgram(readDisplay('window'), { ...machine, ffplayPath: undefined })).toEqual({
    code: 'returnDisplay.noProgram',
    params: { program: 'ffplay' },
  })
  expect(displayProgram(readDisplay('mpv --vo=drm -'), machine)).toEqual({
    command: '/bin/sh',
    args: ['-c', 'mpv --vo=drm -'],
    isShell: true,
  })
})

test('a command gets the picture from a key frame on; when it ends, the reason is known and it starts again', async () => {
  const { bus, play } = openBus()
  const clock = createTestClock()
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-display-')), 'shown.ts')
  const line = `echo start >> ${path}.starts; head -c 1880 >> ${path}; echo /dev/dri/card0: no such screen >&2; exit 3`
  const display = createDisplay({ program: displayProgram(readDisplay(line), machine), bus, clock, log })
  cleanUps.push(() => display.hide())
  play()
  display.show()
  play()
  await until(() => display.problem())
  expect(display.problem()).toEqual({
    code: 'returnDisplay.ended',
    params: { message: 'card0: no such screen' },
  })
  const shown = readFileSync(path)
  expect([shown.length % 188, shown[0]]).toEqual([0, 0x47])
  const starts = () => readFileSync(`${path}.starts`, 'utf8').trim().split('\n').length
  expect(starts()).toBe(1)
  clock.advance(3000)
  await until(() => starts() === 2)
  await display.hide()
  expect(display.problem()).toBeNull()
})

/** Starts a desktop without a screen; answers its name. */
async function openDesktop(): Promise<string> {
  let number = ''
  const server = superviseChild({
    command: 'Xvfb',
    args: ['-displayfd', '1', '-screen', '0', '320x180x24', '-nolisten', 'tcp'],
    onStdoutLine: (line) => {
      number = line
    },
  })
  cleanUps.push(() => server.stop())
  await until(() => number !== '')
  return `:${number}`
}

const ffmpegPath = findFfmpeg()
const ffplayPath = findFfmpeg({ PATH: process.env.PATH, FFMPEG_PATH: 'ffplay' })
const lacks = [
  [ffmpegPath, 'ffmpeg'],
  [ffplayPath, 'ffplay'],
  [findFfmpeg({ PATH: process.env.PATH, FFMPEG_PATH: 'Xvfb' }), 'Xvfb'],
].flatMap(([path, name]) => (path === undefined ? [name] : []))

test.skipIf(lacks.length > 0)(
  `[VR-001] a window on the desktop shows the picture, until it is hidden${lacks.length > 0 ? ` (skipped: without ${lacks})` : ''}`,
  async () => {
    const desktop = await openDesktop()
    vi.stubEnv('DISPLAY', desktop)
    cleanUps.push(() => vi.unstubAllEnvs())
    const bus = createTsBus()
    const picture = '-re -f lavfi -i color=red:size=160x90:rate=10 -c:v libx264 -preset ultrafast'
    const words = `-v error ${picture} -tune zerolatency -g 10 -pix_fmt yuv420p -f mpegts pipe:1`
    const sender = superviseChild({ command: ffmpegPath!, args: words.split(' '), onStdout: bus.push })
    cleanUps.push(() => sender.stop())
    const program = displayProgram(readDisplay('window'), { ...machine, ffplayPath })
    const display = createDisplay({ program, bus, clock: systemClock, log })
    cleanUps.push(() => display.hide())
    /** The colour in the middle of the desktop. */
    async function pixel(): Promise<number[]> {
      const grab = `-v error -f x11grab -video_size 320x180 -i ${desktop} -frames:v 1 -vf crop=2:2:160:90`
      const args = `${grab} -pix_fmt rgb24 -f rawvideo pipe:1`.split(' ')
      const { stdout } = await promisify(execFile)(ffmpegPath!, args, { encoding: 'buffer' })
      return [...stdout.subarray(0, 3)]
    }
    const isRed = ([red = 0, green = 255, blue = 255]: number[]) => red > 200 && green < 50 && blue < 50
    expect(await pixel()).toEqual([0, 0, 0])
    display.show()
    await until(async () => isRed(await pixel()))
    expect(display.problem()).toBeNull()
    await display.hide()
    await until(async () => !isRed(await pixel()))
  },
)

const request = (address: string, headers = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = get(address, { headers }, resolve)
    asked.on('error', reject)
    cleanUps.push(() => asked.destroy())
  })

test('the picture is at an address of the machine, for its own programs alone', async () => {
  const { bus, play } = openBus()
  const door = await openReturnDoor(bus, 0, log)
  cleanUps.push(() => door.close())
  expect(door.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/return\.ts$/)
  const response = await request(door.address)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'video/mp2t'])
  const parts: Buffer[] = []
  response.on('data', (part: Buffer) => parts.push(part))
  await until(() => {
    play()
    return Buffer.concat(parts).length > 10_000
  })
  expect(Buffer.concat(parts)[0]).toBe(0x47)
  // A page that leads its own name here.
  expect((await request(door.address, { host: 'elsewhere.example' })).statusCode).toBe(403)
  expect((await request(door.address.replace('/return.ts', '/token.json'))).statusCode).toBe(404)
  const port = Number(new URL(door.address).port)
  const next = await openReturnDoor(bus, port, log)
  cleanUps.push(() => next.close())
  expect(next.address).not.toBe(door.address)
  expect((await request(next.address)).statusCode).toBe(200)
})
