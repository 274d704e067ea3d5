// A recording on a real hub that is killed while it records: what was recorded is kept, and the rest follows as its next part.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { partOf } from '@backhaul/contract/nouns/files'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()
const query = { group: 'newsroom' }
const partBytes = 400_000

describe.runIf(ffmpegPath)('a recording', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let channelId: string

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    channelId = await until(
      'the channel',
      async () => (await person.call(api.channels.ofGroup, { query }))[0]?.uniqueId,
    )
    await stage.start('agent', {
      env: { BACKHAUL_UNIT_NAME: 'Van-1', BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3' },
    })
    unitId = await until('the unit', async () => {
      const [unit] = await person.call(api.units.ofGroup, { query })
      return unit?.idle ? unit.uid : undefined
    })
    push = await person.listen([`channel.${channelId}`])
  }, 2 * longMs)
  afterAll(async () => {
    push?.close()
    await stage?.stop()
  })

  const shows = (check: (channel: Channel) => boolean) =>
    push.until(`channel.${channelId}`, (state) => check(state as unknown as Channel), longMs)
  const record = (recording: boolean) =>
    person.call(api.channels.record, { params: { id: channelId }, body: { recording } })
  const folder = () => join(stage.dataFolder, 'hub', 'recordings', channelId, unitId)
  const names = () =>
    existsSync(folder()) ? readdirSync(folder()).filter((name) => name.endsWith('.mp4')) : []
  const isWritten = (index: number) =>
    until(
      `part ${index}`,
      () =>
        names().find(
          (name) => partOf(name).index === index && statSync(join(folder(), name)).size > partBytes,
        ),
      longMs,
    )
  /** The number of pictures that ffmpeg decodes of a file, to its end. */
  function picturesIn(name: string): number {
    const args = ['-hide_banner', '-i', join(folder(), name), '-an', '-f', 'null', '-']
    const { stderr } = spawnSync(ffmpegPath!, args, { encoding: 'utf8' })
    return Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? 0)
  }

  test(
    '[FILE-008] keeps what was recorded when the hub is killed, and continues in its next part',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
      await person.call(api.unitCommands.start, { params: { id: unitId }, body: { channel: channelId } })
      await shows(({ status }) => status === 'collecting')
      await record(true)
      const first = await isWritten(1)
      signalProcess(stage.pidOf('hub'), 'SIGKILL')
      await shows(({ status }) => status === 'offline')
      const kept = picturesIn(first)
      expect(kept).toBeGreaterThan(25)
      await shows(({ status, recording }) => status === 'collecting' && recording)
      const second = await isWritten(2)
      expect(partOf(second)).toEqual({ whole: first, index: 2 })
      await record(false)
      await shows(({ recording }) => !recording)
      await person.call(api.unitCommands.stop, { params: { id: unitId } })
      await shows(({ status }) => status === 'idle')
      expect(picturesIn(first)).toBe(kept)
      expect(picturesIn(second)).toBeGreaterThan(25)

      const files = await until('both parts in the list', async () => {
        const { items } = await person.call(api.channelFiles.list, { query: { groupId: 'newsroom' } })
        return items.length === 2 && items.every(({ isTransferring }) => !isTransferring) ? items : undefined
      })
      expect(files.map(({ fileName, chunkIndex }) => [fileName, chunkIndex]).sort()).toEqual(
        [
          [first, 1],
          [second, 2],
        ].sort(),
      )
      const chunks = await person.call(api.channelFiles.chunks, { body: { fileId: files[0]?.fileId ?? '' } })
      expect(chunks.map(({ index, state }) => [index, state])).toEqual([
        [1, 'done'],
        [2, 'done'],
      ])
    },
    4 * longMs,
  )
})
