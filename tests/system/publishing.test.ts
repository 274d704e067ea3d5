// Publishing on the real path: a user sets it and chooses a file, and the hub has a copy in its hot folder.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { ServerSettings } from '@backhaul/contract/nouns/servers'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-publishing-'))
const hotFolder = join(folder, 'hot')
const groupId = 'newsroom'
const longMs = patientMs(120_000)

describe.runIf(ffmpegPath)('publishing', () => {
  let stage: Stage
  let person: Person
  let hubId: string
  let channelId: string

  beforeAll(async () => {
    mkdirSync(hotFolder)
    stage = await openStage({ demo: 0 })
    const env = {
      BACKHAUL_HUB_CHANNELS: '1',
      BACKHAUL_HUB_NAME: 'Studio',
      BACKHAUL_HUB_HOT_FOLDER: hotFolder,
    }
    await stage.start('hub', { env })
    person = await signIn(stage.url, 'admin', adminPassword)
    const channel = await until('the channel', async () => {
      const [found] = await person.call(api.channels.ofGroup, { query: { group: groupId } })
      return found
    })
    hubId = channel.serverId
    channelId = channel.uniqueId
    const server = () => person.call(api.servers.one, { params: { id: hubId } })
    await until('the settings that the hub follows', async () => (await server()).capabilities?.settings)
    expect((await server()).capabilities?.settings).toEqual([
      'webrtcPort',
      'metadataFormat',
      'publishingMode',
      'hotfolderOutputFormat',
    ])
  })
  afterAll(async () => {
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A recording of the channel, as it is on the disk of the hub after its end. */
  async function record(fileName: string): Promise<string> {
    const made = join(folder, fileName)
    const picture = '-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libx264 -preset ultrafast'.split(' ')
    spawnSync(ffmpegPath!, ['-v', 'error', ...picture, made])
    const own = join(stage.dataFolder, 'hub', 'recordings', channelId, '-')
    mkdirSync(own, { recursive: true })
    renameSync(made, join(own, fileName))
    const found = await until(
      'the file to be finished',
      async () => {
        const { items } = await person.call(api.channelFiles.list, { query: { groupId } })
        return items.find((file) => file.fileName === fileName && !file.isTransferring)
      },
      longMs,
    )
    return found.fileId
  }
  const set = async (settings: Partial<ServerSettings>) =>
    person.call(api.deviceAdministration.changeServer, { params: { id: hubId }, body: { settings } })
  const publish = (fileId: string) => person.call(api.channelFiles.publish, { body: { fileId } })
  const isPublished = (name: string) =>
    until(`${name} in the hot folder`, () => readdirSync(hotFolder).includes(name), longMs)

  test('a file that a user chooses is in the hot folder, in the container that is set', async () => {
    const fileId = await record('Harbour.mp4')
    await expect(publish(fileId)).rejects.toMatchObject({
      status: 409,
      cause: { code: 'publishing.off' },
    })
    await set({ publishingMode: 'on demand', hotfolderOutputFormat: 'mkv' })
    await until('the hub to follow', () =>
      publish(fileId).then(
        () => true,
        () => false,
      ),
    )
    await isPublished('Harbour.mkv')
    const { status, stderr } = spawnSync(ffmpegPath!, [
      '-hide_banner',
      '-i',
      join(hotFolder, 'Harbour.mkv'),
      '-f',
      'null',
      '-',
    ])
    expect(status).toBe(0)
    expect(stderr.toString()).toMatch(/Input #0, matroska/)
  })

  test('with Always each finished file is, and a folder that is away is the reason why none is', async () => {
    const before = await record('Before.mp4')
    await set({ publishingMode: 'always', hotfolderOutputFormat: 'mov' })
    await until('the hub to follow', async () => {
      await publish(before)
      return readdirSync(hotFolder).includes('Before.mov')
    })
    const fileId = await record('Storm.mp4')
    await isPublished('Storm.mov')
    rmSync(hotFolder, { recursive: true })
    await expect(publish(fileId)).rejects.toMatchObject({
      status: 409,
      message: 'The server cannot write to its hot folder (ENOENT).',
    })
  })
})
