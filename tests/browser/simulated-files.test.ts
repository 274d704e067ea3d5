// The files of the demo: what simulated servers and units have recorded is downloaded, played out, uploaded and sent on.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { type ChannelFile, playoutRefusal } from '@backhaul/contract/nouns/files'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { account, openFtpServer } from '@backhaul/runtime/testing/target-servers'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'
const ffmpegPath = findFfmpeg()
const longMs = patientMs(180_000)

/** Number of pictures that ffmpeg decodes, with nothing wrong in any. */
function picturesIn(film: Buffer): number {
  const words = '-v error -nostats -progress pipe:1 -i pipe:0 -f null -'.split(' ')
  const { stdout, stderr } = spawnSync(ffmpegPath ?? '', words, {
    input: film,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(stderr).toBe('')
  return Number([...stdout.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1])
}

describe.runIf(hasChromium && ffmpegPath)('the files of the demo', () => {
  let demo: Demo
  let chromium: Chromium
  let desk: Person
  beforeAll(async () => {
    demo = await openDemo(40, { BACKHAUL_ALLOW_OWN_NETWORK: '1' })
    desk = await demo.person('desk-news')
    await desk.call(api.client.savePreferences, { body: { groupId } })
    chromium = await openChromium()
  }, longMs)
  afterAll(async () => {
    await chromium?.close()
    await demo?.stop()
  })

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const listed = async (): Promise<readonly ChannelFile[]> =>
    (await desk.call(api.channelFiles.list, { query: { groupId } })).items
  const metadataOf = ({ fileId, mmhId }: ChannelFile) =>
    desk.call(api.channelFiles.metadata, {
      query: { channelId: mmhId, filePath: fileId.slice(mmhId.length + 1) },
    })
  /** A unit that begins to transmit brings earlier recordings to the server of its channel. */
  const smallFile = async (): Promise<ChannelFile> => {
    const [[unit], [channel]] = [await demo.ready(1), await demo.free(1)]
    if (!unit || !channel) throw new Error('no unit and channel are ready')
    await desk.call(api.unitCommands.start, {
      params: { id: unit.uid },
      body: { channel: channel.uniqueId },
    })
    const files = await until('files', async () => {
      const found = (await listed()).filter(({ isTransferring }) => !isTransferring)
      return found.length > 0 ? found : undefined
    })
    return files.toSorted((a, b) => a.sizeBytes - b.sizeBytes)[0] as ChannelFile
  }

  test('a recording is downloaded as a film of its length, and played out to a free channel', async () => {
    const file = await smallFile()
    await signInOnPage(page(), demo.url, 'desk-news', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Files' }).click()
    await page().locator(`[data-row-id="${file.fileId}"]`).dblclick()
    const link = dialog().getByRole('link', { name: 'Download' })
    await link.waitFor()
    const saved = page().waitForEvent('download')
    await link.click()
    const film = readFileSync(await (await saved).path())
    expect((await saved).suggestedFilename()).toBe(file.fileName)
    const { lengthMs, codec, resolution } = await metadataOf(file)
    expect([film.length, codec, resolution]).toEqual([file.sizeBytes, 'h264', '1280x720'])
    expect(picturesIn(film) * 40).toBe(lengthMs)

    const channels = await demo.channels()
    const serverId = channels.find(({ uniqueId }) => uniqueId === file.mmhId)?.serverId ?? ''
    const target = channels.find((one) => playoutRefusal({ ...file, serverId }, one) === undefined)
    await dialog()
      .getByLabel('Channel')
      .selectOption(displayedChannelName(target?.name ?? ''))
    await dialog().getByRole('button', { name: 'Play out' }).click()
    await dialog().getByText('· Playing').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Stop' }).click()
    await dialog().getByText('No channel plays this file').waitFor()
  })

  test('a film is uploaded from the card of a unit, and sent to an FTP server as it is', async () => {
    const root = await signIn(demo.url, 'admin', adminPassword)
    const ftp = await openFtpServer()
    onTestFinished(() => ftp.close())
    const [channel] = await demo.free(1)
    const unit = (await demo.ready(1)).find(({ storages }) => storages.length > 0)
    if (!unit || !channel) throw new Error('no unit and channel are ready')
    await demo.choose(unit, channel)
    const params = { id: unit.uid }
    const inFolder = async (path: string) => {
      const { entries } = await root.call(api.unitFiles.folder, { params, query: { path } })
      return entries.map((entry) => ({ ...entry, path: `${path}/${entry.name}` }))
    }
    const films = []
    for (const day of await inFolder(unit.storages[0]?.path ?? ''))
      films.push(...(await inFolder(day.path)).filter(({ name }) => name.endsWith('.mp4')))
    const smallest = films.toSorted((a, b) => a.sizeBytes - b.sizeBytes)[0]
    if (!smallest) throw new Error('no film is on the card')
    await root.call(api.unitFiles.upload, { params, body: { paths: [smallest.path] } })
    const isWhole = ({ fileName, isTransferring }: ChannelFile) =>
      fileName === smallest.name && !isTransferring
    const { fileId } = await until('the whole film', async () => (await listed()).find(isWhole), longMs)
    const target = await root.call(api.fileTargets.create, {
      params: { id: unit.inventoryId },
      body: { ...account, name: 'Newsroom', kind: 'ftp', address: `${ftp.url}/in` },
    })
    await root.call(api.fileTargets.send, { body: { fileId, targetId: target.id } })
    const state = async () =>
      (await root.call(api.fileTargets.sendings, { query: { fileId } })).sendings[0]?.state
    await until('the film to be sent', async () => (await state()) === 'done', longMs)
    const film = readFileSync(join(ftp.folder, 'in', smallest.name))
    expect(film.length).toBe(smallest.sizeBytes)
    expect(picturesIn(film)).toBeGreaterThan(25 * 20)
  })
})
