// The ingest folder of a hub: what is taken from it, when, as what, and how often.
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFileStore, type FileStore } from './file-store.ts'
import { watchIngestFolder } from './ingest-folder.ts'
import { openTakenList } from './taken-list.ts'

const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
const settledMs = 1500
/** A disk in memory, so that a file has to be copied to the folder of the hub. */
const otherDisk = '/dev/shm'

describe.each([
  ['on the same disk', tmpdir()],
  ['on another disk', existsSync(otherDisk) ? otherDisk : undefined],
])('the ingest folder %s', (_, above) => {
  let root: string
  let inbox: string
  let data: string
  let store: FileStore
  let watch: { stop(): Promise<void> }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'backhaul-ingest-'))
    inbox = mkdtempSync(join(above ?? root, 'backhaul-inbox-'))
    data = join(root, 'data')
    mkdirSync(data)
    open()
  })
  afterEach(async () => {
    await close()
    for (const folder of [root, inbox]) rmSync(folder, { recursive: true, force: true })
  })

  function open(): void {
    store = createFileStore({
      dataFolder: data,
      ffmpegPath: undefined,
      channels: () => [],
      play() {},
      stopPlaying() {},
      log,
    })
    watch = watchIngestFolder({
      folder: inbox,
      dataFolder: data,
      places: () => [
        { channelId: 'ch-1', folder: 'London-1' },
        { channelId: 'ch-2', folder: 'Paris-1' },
      ],
      onTaken: store.rescan,
      settledMs,
      log,
    })
  }
  const close = async () => {
    await watch.stop()
    await store.close()
  }
  const place = (name: string) => join(inbox, 'London-1', name)
  const isReady = () => until(() => existsSync(join(inbox, 'Paris-1')))
  const taken = () =>
    store
      .all()
      .map(({ channelId, fileName }) => `${channelId}/${fileName}`)
      .sort()
  const contentOf = (fileName: string, channelId = 'ch-1') =>
    readFileSync(join(data, 'uploads', channelId, 'ingest', fileName), 'utf8')
  const isTaken = (fileName: string) => until(() => store.all().find((file) => file.fileName === fileName))

  test('takes a file with its labels for the channel of its folder, once', async () => {
    await isReady()
    writeFileSync(place('Harbour.mp4.json'), JSON.stringify({ slugline: 'Harbour', take: 3, crew: ['A'] }))
    writeFileSync(place('Harbour.mp4'), 'whole')
    writeFileSync(join(inbox, 'Paris-1', 'Seine.mp4'), 'other')
    expect(await isTaken('Harbour.mp4')).toMatchObject({
      channelId: 'ch-1',
      unitId: 'ingest',
      rootDirectory: 'uploads',
      labels: { slugline: 'Harbour', take: '3' },
    })
    expect((await isTaken('Seine.mp4'))?.labels).toEqual({})
    await until(() => readdirSync(join(inbox, 'London-1')).length === 0)
    expect([contentOf('Harbour.mp4'), contentOf('Seine.mp4', 'ch-2')]).toEqual(['whole', 'other'])
    // It is the same file after a restart, with its labels.
    await close()
    open()
    expect((await isTaken('Harbour.mp4'))?.labels).toEqual({ slugline: 'Harbour', take: '3' })
    expect(taken()).toEqual(['ch-1/Harbour.mp4', 'ch-2/Seine.mp4'])
  })

  test('opens the folders of channels to those to whom its owner has opened the ingest folder', async () => {
    await isReady()
    await close()
    rmSync(join(inbox, 'Paris-1'), { recursive: true })
    chmodSync(inbox, 0o2770)
    // The permissions that the owner has set at a folder are kept.
    chmodSync(join(inbox, 'London-1'), 0o750)
    open()
    const modeOf = (name: string) => statSync(join(inbox, name)).mode & 0o7777
    await until(() => existsSync(join(inbox, 'Paris-1')) && modeOf('Paris-1') === 0o2770)
    expect(modeOf('London-1')).toBe(0o750)
  })

  test('leaves a file alone while it is written, also over a restart, and takes all of it', async () => {
    await isReady()
    const parts = 4
    let written = 0
    writeFileSync(place('Storm.mp4'), '')
    const writer = setInterval(() => {
      written++
      appendFileSync(place('Storm.mp4'), `part ${written};`)
    }, settledMs / 2)
    try {
      await until(() => written >= parts)
      expect(taken()).toEqual([])
      await close()
      open()
      await until(() => written >= 2 * parts)
      expect(taken()).toEqual([])
    } finally {
      clearInterval(writer)
    }
    await isTaken('Storm.mp4')
    expect(contentOf('Storm.mp4')).toBe(
      Array.from({ length: written }, (_, at) => `part ${at + 1};`).join(''),
    )
  })

  test('takes strange names as names that are valid, and two of one name as two', async () => {
    await isReady()
    const bytes = Buffer.concat([Buffer.from(`${join(inbox, 'London-1')}/`), Buffer.from([0x66, 0xff, 0xfe])])
    writeFileSync(bytes, 'no text')
    writeFileSync(place("it's \n 新闻 $(x).mp4"), 'strange')
    mkdirSync(join(data, 'uploads', 'ch-1', 'ingest'), { recursive: true })
    writeFileSync(join(data, 'uploads', 'ch-1', 'ingest', 'Twice.mp4'), 'first')
    writeFileSync(place('Twice.mp4'), 'second')
    await isTaken('it_s _ __ _(x).mp4')
    await isTaken('Twice (2).mp4')
    await until(() => taken().length === 4)
    expect([contentOf('Twice.mp4'), contentOf('Twice (2).mp4')]).toEqual(['first', 'second'])
    await until(() => readdirSync(join(inbox, 'London-1')).length === 0)
  })

  test.runIf(process.geteuid?.() === 0)('makes a file of another account one of the hub', async () => {
    await isReady()
    writeFileSync(place('Owned.mp4'), 'of another account')
    chownSync(place('Owned.mp4'), 65_534, 65_534)
    await isTaken('Owned.mp4')
    expect(statSync(join(data, 'uploads', 'ch-1', 'ingest', 'Owned.mp4')).uid).toBe(0)
    await until(() => readdirSync(join(inbox, 'London-1')).length === 0)
  })

  test('takes no links, folders, empty and unfinished files, and nothing of folders of no channel', async () => {
    await isReady()
    symlinkSync('/etc/hostname', place('link.mp4'))
    mkdirSync(place('folder.mp4'))
    writeFileSync(place('empty.mp4'), '')
    writeFileSync(place('.hidden.mp4'), 'x')
    writeFileSync(place('coming.mp4.part'), 'x')
    writeFileSync(place('alone.mp4.json'), '{}')
    mkdirSync(join(inbox, 'Nowhere'))
    writeFileSync(join(inbox, 'Nowhere', 'lost.mp4'), 'x')
    writeFileSync(place('last.mp4'), 'x')
    await isTaken('last.mp4')
    expect(taken()).toEqual(['ch-1/last.mp4'])
    expect(readdirSync(join(inbox, 'London-1')).sort()).toEqual([
      '.hidden.mp4',
      'alone.mp4.json',
      'coming.mp4.part',
      'empty.mp4',
      'folder.mp4',
      'link.mp4',
    ])
  })
})

test('the list of what was copied is there after a restart, and a broken one begins again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'backhaul-taken-'))
  const path = Buffer.from([0x2f, 0xff])
  try {
    const entry = { state: '3/4', naming: { target: '/x', copy: '3/5' } }
    await openTakenList(data).add(path, entry)
    expect(openTakenList(data).get(path)).toEqual(entry)
    expect(openTakenList(data).paths()).toEqual([path])
    await openTakenList(data).remove(path)
    expect(openTakenList(data).get(path)).toBeUndefined()
    writeFileSync(join(data, 'ingested.json'), '{')
    expect(openTakenList(data).get(path)).toBeUndefined()
  } finally {
    rmSync(data, { recursive: true })
  }
})
