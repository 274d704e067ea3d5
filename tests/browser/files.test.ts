// The files screen: recordings of channels, by date, played out, renamed, removed and downloaded.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'
const dayMs = 86_400_000

describe.runIf(hasChromium)('the files screen', () => {
  const opened = openConsole()

  test('[FILE-001] [FILE-007] lists files by a date that is remembered, and offers the actions that the user may perform', async () => {
    const { page } = opened.chromium
    const { stage } = opened
    const slots = [{ slot: '1', name: 'Files-1', inputType: null, sdiNo: 1 }]
    const server = await joinDevice(stage, { kind: 'server', name: 'FILES-SERVER', groupId, slots })
    onTestFinished(() => server.close())
    const { state } = await server.received('serverWanted', (message) => message.state.channels.length === 1)
    const channelId = state.channels[0]?.channelId ?? ''
    const media = { lengthMs: 62_000, bitrateKbps: 4000, codec: 'h264', width: 1920, height: 1080 }
    let names = ['Harbour.mp4', 'Harbour_part2.mp4', 'Archive.mp4']
    const report = () =>
      server.send({
        type: 'files',
        begins: true,
        ends: true,
        files: names.map((fileName) => ({
          channelId,
          unitId: '-',
          fileName,
          rootDirectory: 'recordings',
          sizeBytes: 31_000_000,
          media,
          modifiedMs: Date.now() - (fileName === 'Archive.mp4' ? 100 * dayMs : 0),
          isTransferring: false,
        })),
      })
    report()
    /** Carries out the next order, and confirms it. */
    const carryOut = async (name: string, then: () => void) => {
      const { id } = await server.received('order', (order) => order.name === name)
      then()
      server.outcome({ id, state: 'confirmed' })
    }
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId } })
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Files' }).click()
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    await row('Archive.mp4').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Date').selectOption('Last three months')
    await row('Archive.mp4').waitFor({ state: 'detached' })
    await page.getByLabel('Search files').fill('part2')
    await row('Harbour.mp4').waitFor({ state: 'detached' })
    await until('the filter is kept', async () => {
      const { filters } = await operator.call(api.client.preferences, {})
      return filters.files?.text === 'part2'
    })
    await page.reload()
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe('lastThreeMonths')
    // The search is not remembered: the next shift sees all files.
    await expect.poll(() => page.getByLabel('Search files').inputValue()).toBe('')
    await page.getByLabel('Date').selectOption('All')

    await row('Harbour.mp4').dblclick()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No channel plays this file').waitFor()
    await dialog.getByLabel('Channel').selectOption('Files-1')
    // The server does not give its files yet.
    await dialog.getByRole('status').getByText('The server of the file cannot be reached').waitFor()
    for (const name of ['Download', 'Play out'])
      expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const disk = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'video/mp4' }).end())
    await once(disk.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void disk.close())
    const { port: previewPort } = disk.address() as AddressInfo
    server.send({ type: 'serverReport', actual: { previewPort } })
    const download = `${stage.url}/files/${channelId}/-/Harbour.mp4`
    await until('the file is given', async () => (await page.request.head(download)).ok())

    await row('Harbour.mp4').dblclick()
    await dialog.getByLabel('Channel').selectOption('Files-1')
    await dialog.getByRole('link', { name: 'Download' }).waitFor()
    await dialog.getByRole('button', { name: 'Play out' }).click()
    const fileId = `${channelId}/-/Harbour.mp4`
    await carryOut('play_file', () =>
      server.channels([{ channelId, status: 'PlayStoredFile', playing: [fileId] }]),
    )
    await dialog.getByText('Playing').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await carryOut('stop_file', () => server.channels([{ channelId, status: 'idle' }]))
    await dialog.getByText('No channel plays this file').waitFor()
    await dialog.getByRole('tab', { name: 'Metadata' }).click()
    await dialog.getByText('1920x1080').waitFor()
    await dialog.getByText('00:01:02').waitFor()
    await dialog.getByRole('tab', { name: 'Chunks' }).click()
    await dialog.getByText('Part 2').waitFor()
    await page.keyboard.press('Escape')

    await row('Archive.mp4').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Publish' }).click()
    await dialog.getByText('A copy is written to the hot folder of its server.').waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await carryOut('publish_file', () => {})
    await page.getByText('File published').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await row('Archive.mp4').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await dialog.getByLabel('New name').fill('Old')
    await dialog.getByRole('button', { name: 'OK' }).click()
    names = names.map((name) => name.replace('Archive', 'Old'))
    await carryOut('rename_file', report)
    await row('Old.mp4').waitFor()
    await row('Old.mp4').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByText('Delete Old.mp4?').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    names = names.filter((name) => name !== 'Old.mp4')
    await carryOut('remove_file', report)
    await row('Old.mp4').waitFor({ state: 'detached' })

    await signInOnPage(page, stage.url, 'viewer', DEMO_PASSWORD, '/unit/files?ignoreRouteDefault')
    await row('Harbour.mp4').click({ button: 'right' })
    const remove = page.getByRole('menuitem', { name: 'Delete' })
    await remove.getByText('Files deletion not allowed for this user type.').waitFor()
    expect(await remove.isDisabled()).toBe(true)
  })
})
