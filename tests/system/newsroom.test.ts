// From the newsroom to the file: a story of a local newsroom is assigned to a real unit, which records under its labels, and
// the file goes to a real server with what the operator entered before the upload.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { readTimeUnit } from '@backhaul/ffmpeg/frame-times'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { bytesBelow } from '../stage/bytes-below.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const patienceMs = patientMs(90_000)

const styleSheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/">
    <stories>
      <xsl:for-each select="//item">
        <story>
          <storyId><xsl:value-of select="@id"/></storyId>
          <slugline><xsl:value-of select="slug"/></slugline>
          <reporter><xsl:value-of select="reporter"/></reporter>
        </story>
      </xsl:for-each>
    </stories>
  </xsl:template>
</xsl:stylesheet>`

describe.runIf(ffmpegPath)('the stories of a newsroom on real devices', () => {
  let stage: Stage
  let person: Person
  let server: Server
  let unit: Unit
  const inventory = () => ({ id: unit.inventoryId })
  const read = () => person.call(api.units.byId, { params: { id: unit.uid } })

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.end(
        '<rundown><item id="NR-7"><slug>HARBOUR FIRE</slug><reporter>Zoë</reporter></item></rundown>',
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    stage = await openStage({ env: { BACKHAUL_ALLOW_OWN_NETWORK: '1' } })
    await stage.start('hub')
    await stage.start('agent', { env: { BACKHAUL_LINKS: '127.0.0.2,127.0.0.3' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    unit = await until(
      'the unit with its storage',
      async () => {
        const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
        return found.find((one) => !one.offline && one.storages.length > 0)
      },
      patienceMs,
    )
  }, patienceMs)
  afterAll(async () => {
    await stage?.stop()
    server?.close()
  })

  test(
    '[STORY-003] [STORY-004] its story labels the recording of a unit, and the upload what the operator enters',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
      await person.call(api.services.add, { params: inventory(), body: { name: 'ingest' } })
      const content = styleSheet
      await person.call(api.ingest.uploadMapping, { params: inventory(), body: { name: 'n.xslt', content } })
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const configuration = { address, sync: true }
      await person.call(api.ingest.changeAccount, {
        params: inventory(),
        body: { password: 'Rundown-7', configuration },
      })
      const story = await until(
        'the story of the newsroom',
        async () =>
          (await person.call(api.stories.list, { params: inventory(), query: {} })).items.find(
            ({ newsroomId }) => newsroomId === 'NR-7',
          ),
        patienceMs,
      )
      expect(story).toMatchObject({ slugline: 'HARBOUR FIRE', reporter: 'Zoë' })
      const place = { ...inventory(), unit: unit.uid }
      await person.call(api.stories.assign, { params: { ...place, storyId: story.storyId } })
      await until(
        'the labels at the unit',
        async () => (await read()).metadata.storyId === 'NR-7',
        patienceMs,
      )

      const send = (sendMode: 'storeAndForward' | 'live') =>
        person.call(api.unitSettings.configure, { params: { id: unit.uid }, body: { sendMode } })
      await send('storeAndForward')
      await until(
        'the recording',
        async () => (await read()).applications?.store?.state === 'running',
        patienceMs,
      )
      const media = unit.storages[0]?.path ?? ''
      await until('pictures in it', () => bytesBelow(join(media, '.recording')) > 100_000, patienceMs)
      await send('live')
      const source = await until(
        'the recorded file',
        () =>
          readdirSync(media, { recursive: true, encoding: 'utf8' }).find(
            (path) => path.endsWith('.mp4') && !path.includes('.recording'),
          ),
        patienceMs,
      )
      const { stderr } = spawnSync(ffmpegPath!, ['-i', join(media, source)], { encoding: 'utf8' })
      expect(stderr).toMatch(/storyId\s*: NR-7/)
      expect(stderr).toMatch(/slugline\s*: HARBOUR FIRE/)
      expect(stderr).toMatch(/reporter\s*: Zoë/)

      const channels = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
      const channelId = channels.find(({ inputType }) => inputType === null)?.uniqueId ?? ''
      await person.call(api.unitCommands.command, {
        params: { id: unit.uid, command: 'set_virtual_channel' },
        body: { virtualChannelName: channelId },
      })
      await until('the channel', async () => (await read()).channelId === channelId, patienceMs)
      await person.call(api.stories.setPrompt, { params: place, body: { promptMetadata: true } })
      const paths = [join(media, source)]
      const upload = (metadata?: Record<string, string>) =>
        person.call(api.unitFiles.upload, {
          params: { id: unit.uid },
          body: { paths, ...(metadata && { metadata }) },
        })
      await expect(upload()).rejects.toThrow()
      const entered = { ...(await read()).metadata, keywords: 'harbour, night' }
      await upload(entered)
      await until('the upload', async () => (await read()).uploadedFiles[0]?.state === 'success', patienceMs)
      const file = await until(
        'the file in the list',
        async () => {
          const query = { groupId: 'newsroom' }
          return (await person.call(api.channelFiles.list, { query })).items.find(
            ({ mmhId, isTransferring }) => mmhId === channelId && !isTransferring,
          )
        },
        patienceMs,
      )
      const filePath = `${unit.uid}/${file.fileName}`
      const { story: labels } = await person.call(api.channelFiles.metadata, {
        query: { channelId, filePath },
      })
      expect(labels).toEqual(entered)
      expect(labels).toMatchObject({ storyId: 'NR-7', keywords: 'harbour, night' })
    },
    4 * patienceMs,
  )

  test(
    '[STORY-003] the recording of the server holds the labels of the story, the unit, the channel and the time, and the time of day in its frames',
    async () => {
      const params = { id: unit.uid }
      const { channelId } = await read()
      await person.call(api.unitSettings.configure, { params, body: { ntp: true } })
      await until('the time in frames', async () => (await read()).ntp, patienceMs)
      await person.call(api.unitCommands.start, { params, body: {} })
      const shows = async (what: string, check: (channel: Channel) => boolean) =>
        await until(
          what,
          async () =>
            (await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })).find(
              (one) => one.uniqueId === channelId && check(one),
            ),
          patienceMs,
        )
      const { name: channelName } = await shows('the picture', ({ status }) => status === 'collecting')
      const record = (recording: boolean) =>
        person.call(api.channels.record, { params: { id: channelId ?? '' }, body: { recording } })
      const beganMs = Date.now()
      await record(true)
      const folder = join(stage.dataFolder, 'hub', 'recordings', channelId ?? '', unit.uid)
      const isLong = () => existsSync(folder) && bytesBelow(folder) > 400_000
      await until('pictures in the recording', isLong, patienceMs)
      await record(false)
      await shows('the end of the recording', ({ recording }) => !recording)
      const name = readdirSync(folder).find((one) => one.endsWith('.mp4')) ?? ''
      const { stderr } = spawnSync(ffmpegPath!, ['-i', join(folder, name)], { encoding: 'utf8' })
      const label = (name: string) => new RegExp(`^ *${name} *: (.*)$`, 'm').exec(stderr)?.[1]
      expect(['title', 'slugline', 'reporter', 'storyId', 'unitName'].map(label)).toEqual([
        'HARBOUR FIRE',
        'HARBOUR FIRE',
        'Zoë',
        'NR-7',
        unit.name,
      ])
      expect(label('channelName')).toBe(channelName)
      expect(Math.abs(Date.parse(label('creation_time') ?? '') - beganMs)).toBeLessThan(patienceMs)
      const asStream = ['-v', 'error', '-i', join(folder, name), '-c', 'copy', '-f', 'mpegts', 'pipe:1']
      const { stdout } = spawnSync(ffmpegPath!, asStream, { maxBuffer: 1e9 })
      const time = readTimeUnit(stdout)
      expect(Math.abs((time ?? 0) - beganMs)).toBeLessThan(patienceMs)
    },
    4 * patienceMs,
  )
})
