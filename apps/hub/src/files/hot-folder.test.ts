// The hot folder of a hub: which files are in it, in which container, and why one is not.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ServerSettings } from '@backhaul/contract/nouns/servers'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFileStore, type FileStore } from './file-store.ts'
import { type HotFolder, openHotFolder } from './hot-folder.ts'

const ffmpegPath = findFfmpeg()
const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
const patienceMs = patientMs(90_000)
const hourMs = 3_600_000

describe.runIf(ffmpegPath)('the hot folder', () => {
  let folder: string
  let hot: string
  let store: FileStore
  let hotFolder: HotFolder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backhaul-hot-'))
    hot = join(folder, 'hot')
    mkdirSync(hot)
    open()
  })
  afterEach(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })

  function open(): void {
    const dataFolder = join(folder, 'data')
    mkdirSync(dataFolder, { recursive: true })
    const nameOfChannel = (id: string) => (id === 'ch-1' ? 'London-1' : undefined)
    // The time after which a copy that is still being made is answered does not pass by itself.
    const clock = createTestClock(Date.now())
    hotFolder = openHotFolder({ folder: hot, dataFolder, ffmpegPath: ffmpegPath!, nameOfChannel, clock, log })
    store = createFileStore({
      dataFolder,
      ffmpegPath,
      hotFolder,
      channels: () => [],
      play() {},
      stopPlaying() {},
      log,
    })
  }
  const close = async () => void (await Promise.all([store.close(), hotFolder.close()]))
  const set = (publishingMode: ServerSettings['publishingMode'], format: 'mp4' | 'mov' | 'mkv') =>
    hotFolder.apply({ publishingMode, hotfolderOutputFormat: format })
  const keyOf = (fileName: string) => ({ channelId: 'ch-1', unitId: 'u-1', fileName })
  const publish = async (fileName: string) => await store.publish?.(keyOf(fileName))
  const inHot = () => readdirSync(hot).sort()
  const isListed = (fileName: string) =>
    until(() => store.all().find((file) => file.fileName === fileName && !file.isTransferring), patienceMs)

  /** A file that was finished at this time, as the hub has it after a recording. */
  function record(fileName: string, finishedMs: number): void {
    const path = join(folder, 'data', 'recordings', 'ch-1', 'u-1', fileName)
    mkdirSync(dirname(path), { recursive: true })
    const made = join(folder, fileName)
    const inputs = '-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i sine=d=1'.split(' ')
    const coders = '-c:v libx264 -preset ultrafast -c:a aac -shortest'.split(' ')
    spawnSync(ffmpegPath!, ['-v', 'error', '-y', ...inputs, ...coders, made])
    utimesSync(made, new Date(finishedMs), new Date(finishedMs))
    renameSync(made, path)
  }

  /** The description by ffmpeg, which has decoded every frame. */
  function described(name: string): string {
    const args = ['-hide_banner', '-xerror', '-i', join(hot, name), '-f', 'null', '-']
    const { status, stderr } = spawnSync(ffmpegPath!, args)
    expect(status).toBe(0)
    return stderr.toString()
  }

  test('gets the files that are chosen, in the container that is set, with name, channel and time', async () => {
    record('Harbour.mp4', Date.now() - hourMs)
    record('Storm.mkv', Date.now() - 2 * hourMs)
    await isListed('Harbour.mp4')
    await isListed('Storm.mkv')
    await expect(publish('Harbour.mp4')).rejects.toThrow('Publishing is off on the server.')
    set('on demand', 'mov')
    await publish('Harbour.mp4')
    await until(() => inHot().includes('Harbour.mov'), patienceMs)
    const text = described('Harbour.mov')
    expect(text).toMatch(/major_brand +: qt/)
    expect(text).toMatch(/title +: Harbour/)
    expect(text).toMatch(/comment +: London-1/)
    expect(text).toMatch(/creation_time +: 20/)
    expect(text).toMatch(/Video: h264.*320x180/)
    expect(text).toMatch(/Audio: aac/)
    set('on demand', 'mkv')
    await publish('Storm.mkv')
    await until(() => inHot().includes('Storm.mkv'), patienceMs)
    expect(described('Storm.mkv')).toMatch(/Input #0, matroska/)
    expect(inHot()).toEqual(['Harbour.mov', 'Storm.mkv'])
  })

  test('opens its files to those to whom its owner has opened the folder', async () => {
    record('Harbour.mp4', Date.now() - hourMs)
    await isListed('Harbour.mp4')
    set('on demand', 'mp4')
    for (const [ofFolder, ofFile] of [
      [0o770, 0o660],
      [0o700, 0o600],
    ] as const) {
      chmodSync(hot, ofFolder)
      await publish('Harbour.mp4')
      expect(statSync(join(hot, 'Harbour.mp4')).mode & 0o777).toBe(ofFile)
    }
  })

  test('does not replace a file of another, and replaces its own', async () => {
    record('Harbour.mp4', Date.now() - hourMs)
    await isListed('Harbour.mp4')
    copyFileSync(import.meta.filename, join(hot, 'Harbour.mp4'))
    set('on demand', 'mp4')
    for (const _ of [1, 2]) {
      await publish('Harbour.mp4')
      await until(() => inHot().length === 2, patienceMs)
    }
    expect(inHot()).toEqual(['Harbour (2).mp4', 'Harbour.mp4'])
    described('Harbour (2).mp4')
  })

  test('gets each file that finishes while all are published, once, over a restart and a new name', async () => {
    record('Before.mp4', Date.now() - hourMs)
    await isListed('Before.mp4')
    set('always', 'mp4')
    record('First.mp4', Date.now())
    await until(() => inHot().includes('First.mp4'), patienceMs)
    rmSync(join(hot, 'First.mp4'))
    await store.rename(keyOf('First.mp4'), 'Renamed.mp4')
    await close()
    open()
    record('Second.mp4', Date.now())
    await until(() => inHot().includes('Second.mp4'), patienceMs)
    expect(inHot()).toEqual(['Second.mp4'])
  })

  test('gives the reason where a file cannot be published, and leaves nothing of it', async () => {
    record('Harbour.mp4', Date.now() - hourMs)
    await isListed('Harbour.mp4')
    set('on demand', 'mp4')
    await expect(publish('Nowhere.mp4')).rejects.toThrow('The file is not on the disk.')
    rmSync(join(folder, 'data', 'recordings', 'ch-1', 'u-1', 'Harbour.mp4'))
    await expect(publish('Harbour.mp4')).rejects.toThrow(
      /could not be published \(.*No such file|not on the disk/,
    )
    expect(inHot()).toEqual([])
    record('Storm.mp4', Date.now() - hourMs)
    await isListed('Storm.mp4')
    rmSync(hot, { recursive: true })
    await expect(publish('Storm.mp4')).rejects.toThrow('The server cannot write to its hot folder (ENOENT).')
    expect(existsSync(hot)).toBe(false)
  })
})
