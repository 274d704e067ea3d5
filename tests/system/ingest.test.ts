// An ingest server between an editing system and a newsroom: what is dropped into its folder is footage of the channel, and
// is sent on to the servers of the customer.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { downloadPath } from '@backhaul/contract/nouns/files'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { account, openFtpServer } from '@backhaul/runtime/testing/target-servers'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { mountShare, shareFault } from '../stage/shares.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const groupId = 'newsroom'
const ffmpegPath = findFfmpeg()
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.runIf(ffmpegPath)('an ingest server', () => {
  let stage: Stage
  let person: Person
  let channel: Channel
  let root: string
  let inbox: string

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'backhaul-ingest-'))
    inbox = join(root, 'in')
    mkdirSync(inbox)
    stage = await openStage({ demo: 0, env: { BACKHAUL_ALLOW_OWN_NETWORK: '1' } })
    await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
    await stage.start('hub', {
      as: 'ingest',
      env: {
        BACKHAUL_HUB_ROLE: 'ingest',
        BACKHAUL_HUB_NAME: 'Newsroom-In',
        BACKHAUL_HUB_INGEST_FOLDER: inbox,
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('the channel', async () => {
      const [found] = await person.call(api.channels.ofGroup, { query: { group: groupId } })
      return found
    })
    const params = { id: channel.inventoryId }
    const server = await until('the ingest server', async () => {
      const [found] = await person.call(api.ingest.servers, { params })
      return found?.state === 'online' ? found : undefined
    })
    expect(server.name).toBe('Newsroom-In')
    await person.call(api.services.add, { params, body: { name: 'ingest' } })
    const associations = [{ channelId: channel.uniqueId, ingestServerId: server.uid }]
    await person.call(api.ingest.associate, { params, body: { associations } })
    await until('the folder of the channel', () => existsSync(join(inbox, channel.name)))
  }, longMs)
  afterAll(async () => {
    await stage?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const place = (name: string) => join(inbox, channel.name, name)
  function film(name: string, seconds = 2): Buffer {
    const path = join(root, name)
    const picture = `-f lavfi -i testsrc2=s=320x180:r=25:d=${seconds} -c:v libx264 -preset ultrafast`.split(
      ' ',
    )
    spawnSync(ffmpegPath!, ['-v', 'error', ...picture, path])
    return readFileSync(path)
  }
  const listed = async (search = '') =>
    (await person.call(api.channelFiles.list, { query: { groupId, search } })).items
  const finished = (name: string) =>
    until(
      `${name} to be finished`,
      async () =>
        (await listed(name)).find(({ fileName, isTransferring }) => fileName === name && !isTransferring),
      longMs,
    )
  async function downloaded(fileId: string): Promise<Buffer> {
    const answer = await fetch(`${stage.url}${downloadPath(fileId)}`, { headers: { cookie: person.cookie } })
    return Buffer.from(await answer.arrayBuffer())
  }

  test(
    '[SRV-009] a file in its folder is footage of the channel with its labels, and goes to the targets of the customer',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
      const ftp = await openFtpServer()
      onTestFinished(() => ftp.close())
      await person.call(api.fileTargets.create, {
        params: { id: channel.inventoryId },
        body: {
          ...account,
          name: 'Archive',
          kind: 'ftp',
          address: `${ftp.url}/in`,
          sendsAll: true,
          sentMetadata: 'json',
        },
      })
      const whole = film('Harbour.mp4')
      writeFileSync(
        place('Harbour.mp4.json'),
        JSON.stringify({ slugline: 'Harbour fire', reporter: 'Ana Ruiz' }),
      )
      renameSync(join(root, 'Harbour.mp4'), place('Harbour.mp4'))
      const { fileId, mmhId, rootDirectory } = await finished('Harbour.mp4')
      expect([mmhId, rootDirectory]).toEqual([channel.uniqueId, 'uploads'])
      expect(hashOf(await downloaded(fileId))).toBe(hashOf(whole))
      const metadata = await until('its picture to be read', async () => {
        const found = await person.call(api.channelFiles.metadata, {
          query: { channelId: channel.uniqueId, filePath: 'ingest/Harbour.mp4' },
        })
        return found.resolution ? found : undefined
      })
      expect(metadata).toMatchObject({
        resolution: '320x180',
        codec: 'h264',
        story: { slugline: 'Harbour fire', reporter: 'Ana Ruiz' },
      })
      expect(readdirSync(join(inbox, channel.name))).toEqual([])
      const sent = join(ftp.folder, 'in', 'Harbour.mp4')
      await until('the file at the target', () => existsSync(sent) && existsSync(`${sent}.json`), longMs)
      expect(hashOf(readFileSync(sent))).toBe(hashOf(whole))
      expect(JSON.parse(readFileSync(`${sent}.json`, 'utf8'))).toMatchObject({
        story: { slugline: 'Harbour fire' },
      })
    },
    2 * longMs,
  )

  test(
    '[SRV-009] a file is taken whole and once, though it is written slowly, the server is killed, and its name is strange',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
      const whole = film('long.mp4', 6)
      const name = 'Ministers\' "Q&A" – 新闻.mp4'
      const stored = 'Ministers_ _Q_A_ _ __.mp4'
      const pieces = 16
      for (let piece = 0; piece < pieces; piece++) {
        const cut = (at: number) => Math.floor((whole.length * at) / pieces)
        appendFileSync(place(name), whole.subarray(cut(piece), cut(piece + 1)))
        if (piece === pieces / 2) signalProcess(stage.pidOf('ingest'), 'SIGKILL')
        expect((await listed()).map(({ fileName }) => fileName)).not.toContain(stored)
        await new Promise((done) => setTimeout(done, 1000))
      }
      const { fileId } = await finished(stored)
      expect(hashOf(await downloaded(fileId))).toBe(hashOf(whole))
      signalProcess(stage.pidOf('ingest'), 'SIGKILL')
      await until('the server to be back', async () => {
        const [server] = await person.call(api.ingest.servers, { params: { id: channel.inventoryId } })
        return server?.state === 'online'
      })
      // It takes further files, and none a second time.
      writeFileSync(place('After.mp4'), film('after-source.mp4'))
      await finished('After.mp4')
      const names = (await listed()).map(({ fileName }) => fileName).sort()
      expect(names).toEqual(['After.mp4', 'Harbour.mp4', stored])
    },
    3 * longMs,
  )

  test(
    '[SRV-009] a file on a share that cannot be removed is taken once, though the server is killed and the share mounted again',
    async ({ skip }) => {
      const fault = shareFault(root)
      skip(fault !== undefined, fault)
      onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
      const share = mountShare(place(''), join(root, 'share'))
      onTestFinished(() => share.remove())
      const deviceOf = (name: string) => statSync(place(name)).dev
      const whole = film('flood-source.mp4')
      writeFileSync(place('Flood.mp4.json'), JSON.stringify({ slugline: 'Flood' }))
      writeFileSync(place('Flood.mp4'), whole)
      const before = deviceOf('Flood.mp4')
      share.protect()
      const { fileId } = await finished('Flood.mp4')
      expect(readdirSync(place('')).sort()).toEqual(['Flood.mp4', 'Flood.mp4.json'])
      signalProcess(stage.pidOf('ingest'), 'SIGKILL')
      share.mountAgain()
      expect(deviceOf('Flood.mp4')).not.toBe(before)
      await until('the file to be removed', () => readdirSync(place('')).length === 0, longMs)
      // A file that was taken before it is listed before it.
      writeFileSync(place('Last.mp4'), film('last-source.mp4'))
      await finished('Last.mp4')
      expect((await listed('Flood')).map(({ fileName }) => fileName)).toEqual(['Flood.mp4'])
      expect(hashOf(await downloaded(fileId))).toBe(hashOf(whole))
    },
    3 * longMs,
  )
})
