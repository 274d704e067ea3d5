// What shows a returned picture on the machine of a unit: the display and the address on loopback.

import { mkdtempSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTsBuilder } from '@backhaul/ffmpeg/testing/build-ts'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
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
  })
})

test('a command gets the picture from a key frame on; when it ends, the reason is known and it starts again', async () => {
  const { bus, play } = openBus()
  const clock = createTestClock()
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-display-')), 'shown.ts')
  const line = `echo start >> ${path}.starts; head -c 1880 >> ${path}; echo no such screen >&2; exit 3`
  const display = createDisplay({ program: displayProgram(readDisplay(line), machine), bus, clock, log })
  cleanUps.push(() => display.hide())
  play()
  display.show()
  play()
  await until(() => display.problem())
  expect(display.problem()).toEqual({
    code: 'returnDisplay.ended',
    params: { message: 'no such screen' },
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
