// A real unit in store-and-forward mode: what is in the files that it leaves, read by ffmpeg.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { findFfmpeg, probeFfmpeg } from '@backhaul/ffmpeg/find'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { killProcesses, processesWith } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, describe, expect, test } from 'vitest'
import { explicitInterfaces } from './hardware/interfaces.ts'
import { openPortAssignments } from './hardware/port-assignments.ts'
import { createRealUnit } from './real-unit.ts'

const ffmpegPath = findFfmpeg()
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-recorder-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function createUnit(folder: string, hevc: boolean, encoderFault?: 'unit.noFfmpeg') {
  const log = createLog({ name: 'test', format: 'json', level: 'silent' })
  const unit = createRealUnit({
    mediaFolder: folder,
    clock: systemClock,
    log,
    scanInterfaces: () => explicitInterfaces(['127.0.0.2']),
    portAssignments: openPortAssignments(join(newFolder(), 'links.json'), log),
    dataCountsPath: join(newFolder(), 'link-data.json'),
    position: { current: () => null, close: () => {} },
    capabilities: { hevc },
    logs: () => '',
    encoderFault,
    limits: { lowestKbps: 250, highestKbps: 2000, audioKbps: 96 },
    encoder: { ffmpegPath: ffmpegPath!, codec: 'h264' },
    cameras: [
      {
        source: { kind: 'testPattern' },
        picture: { width: 320, height: 180, framesPerSecond: 30 },
        clockStyle: undefined,
      },
    ],
    openUrl: (url) => ({ kind: 'url', url }),
    restart: () => {},
  })
  cleanUps.push(() => unit.close())
  return unit
}

type Unit = ReturnType<typeof createUnit>

/** Stores for a moment and returns the report of ffmpeg about the file. */
async function store(unit: Unit, folder: string, settings: UnitSettings): Promise<string> {
  await unit.applySettings({ ...settings, sendMode: 'storeAndForward' })
  await until(() => unit.facts().activities?.store?.state === 'running')
  expect(await unit.files!.list(folder)).toEqual([])
  await until(() => sizeBelow(join(folder, '.recording')) > 300_000)
  await unit.applySettings({ sendMode: 'live' })
  expect(unit.facts().activities).toBeUndefined()
  const [day] = await unit.files!.list(folder)
  const dayFolder = join(folder, day!.name)
  const [file] = await unit.files!.list(dayFolder)
  expect(file!.name).toMatch(/^derby-\d\d-\d\d-\d\dZ\.mp4$/)
  const { stderr } = spawnSync(ffmpegPath!, ['-i', join(dayFolder, file!.name)], { encoding: 'utf8' })
  rmSync(dayFolder, { recursive: true })
  return stderr
}

const sizeBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, { name, parentPath }) => sum + sizeOf(join(parentPath, name)), 0)

/** Processes that have the folder in their arguments. */
const encodersUnder = (folder: string): number[] => processesWith(join(folder, '.recording'))

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

describe.runIf(ffmpegPath)('a real unit in store-and-forward mode', () => {
  test('[CONF-014] [CONF-017] records with the codec, name and labels that are set, and shows the file once it is whole', async () => {
    const folder = newFolder()
    const hevc = (await probeFfmpeg(ffmpegPath!, ['encoders'])).encoders.includes('libx265')
    const unit = createUnit(folder, hevc)
    const labels = {
      filenamePrefix: 'derby-',
      defaultMetadata: { Crew: 'North' },
      metadata: { Story: 'Final' },
      ntp: true,
    }
    const seen = await store(unit, folder, labels)
    expect(seen).toMatch(/Video: h264.*320x180.*30 tbr/)
    expect(seen).toMatch(/Audio: aac.*48000 Hz, stereo/)
    expect(seen).toMatch(/Crew\s*: North/)
    expect(seen).toMatch(/Story\s*: Final/)
    expect(seen).toMatch(/quality\s*: hd/)
    expect(seen).toMatch(/timecode\s*: \d\d:\d\d:\d\d:\d\d/)
    if (!hevc) {
      const refused = Promise.try(() => unit.applySettings({ storeAndForwardEncoder: 'H.265/HEVC' }))
      await expect(refused).rejects.toThrow('libx265')
      return
    }
    const low = { 'H.264/AVC': 'standard', 'H.265/HEVC': 'low' } as const
    expect(
      await store(unit, folder, { storeAndForwardEncoder: 'H.265/HEVC', storeAndForwardQuality: low }),
    ).toMatch(/Video: hevc.*320x180/)
  })

  test('a codec that its ffmpeg lacks is refused, and nothing is recorded', async () => {
    const folder = newFolder()
    const unit = createUnit(folder, false)
    await expect(
      Promise.try(() =>
        unit.applySettings({ storeAndForwardEncoder: 'H.265/HEVC', sendMode: 'storeAndForward' }),
      ),
    ).rejects.toThrow('The ffmpeg of the unit does not support libx265.')
    expect(unit.facts()).toMatchObject({ settings: { sendMode: 'live' } })
    expect(unit.facts().activities).toBeUndefined()
  })

  test('a unit without an encoder refuses the mode with the reason, and remains live', async () => {
    const folder = newFolder()
    const unit = createUnit(folder, true, 'unit.noFfmpeg')
    await expect(unit.applySettings({ sendMode: 'storeAndForward' })).rejects.toThrow(
      'The unit has no ffmpeg',
    )
    expect(unit.facts()).toMatchObject({ settings: { sendMode: 'live' } })
    expect(await unit.files!.list(folder)).toEqual([])
  })

  test('a recording whose encoder dies is kept, and continues in its second part', async () => {
    const folder = newFolder()
    const unit = createUnit(folder, true)
    await unit.applySettings({ sendMode: 'storeAndForward' })
    await until(() => sizeBelow(join(folder, '.recording')) > 100_000)
    killProcesses(encodersUnder(folder))
    await until(async () => (await unit.files!.list(folder)).length === 1)
    await until(() => sizeBelow(join(folder, '.recording')) > 100_000)
    expect(unit.facts().activities).toEqual({ store: { state: 'running' } })
    await unit.applySettings({ sendMode: 'live' })
    expect(sizeBelow(folder)).toBeGreaterThan(200_000)
    const [day] = await unit.files!.list(folder)
    const names = (await unit.files!.list(join(folder, day!.name))).map(({ name }) => name).toSorted()
    expect(names).toEqual([
      expect.stringMatching(/^\d\d-\d\d-\d\dZ\.mp4$/),
      names[0]!.replace('.mp4', '_part2.mp4'),
    ])
  })

  test('a recording to a storage that takes no file continues when it takes files again, and ends nothing else', async () => {
    const folder = newFolder()
    const hidden = join(folder, '.recording')
    const unit = createUnit(folder, true)
    await unit.applySettings({ sendMode: 'storeAndForward' })
    await until(() => sizeBelow(hidden) > 100_000)
    const encoders = encodersUnder(folder)
    rmSync(hidden, { recursive: true })
    writeFileSync(hidden, '')
    killProcesses(encoders)
    await until(() => unit.facts().activities === undefined)
    // It is tried again after 5 s, and then again.
    await new Promise((resolve) => setTimeout(resolve, 7000))
    expect(unit.facts().activities).toBeUndefined()
    rmSync(hidden)
    await until(() => unit.facts().activities?.store?.state === 'running')
    await until(() => sizeBelow(hidden) > 100_000)
    await unit.applySettings({ sendMode: 'live' })
    expect(await unit.files!.list(folder)).toHaveLength(1)
  })

  test('a recording that a crash left open is among the files after the next start', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, '.recording', '2026-05-03'), { recursive: true })
    writeFileSync(join(folder, '.recording', '2026-05-03', '09-05-07Z.mp4'), 'fragments')
    const unit = createUnit(folder, true)
    expect(await unit.files!.list(join(folder, '2026-05-03'))).toMatchObject([
      { name: '09-05-07Z.mp4', sizeBytes: 9 },
    ])
  })
})
