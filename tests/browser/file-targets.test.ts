// File targets in the browser: an administrator adds and checks one, an operator sends a file there.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { account, openFtpServer } from '@backhaul/runtime/testing/target-servers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'
const content = 'the whole of a recording'

describe.runIf(hasChromium)('targets of files', () => {
  let stage: Stage
  let chromium: Chromium
  beforeAll(async () => {
    stage = await openStage({ demo: 1, env: { BACKHAUL_ALLOW_OWN_NETWORK: '1' } })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  /** A server whose file core can read. */
  async function serverWithFile(): Promise<StageDevice> {
    const slots = [{ slot: '1', name: 'Files-1', inputType: null, sdiNo: 1 }]
    const server = await joinDevice(stage, { kind: 'server', name: 'FILES-SERVER', groupId, slots })
    const { state } = await server.received('serverWanted', (message) => message.state.channels.length === 1)
    const door = createServer((_, response) => response.writeHead(206).end(content))
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.close()
      door.close()
    })
    server.send({ type: 'serverReport', actual: { previewPort: (door.address() as AddressInfo).port } })
    const key = { channelId: state.channels[0]?.channelId ?? '', unitId: '-', fileName: 'Harbour.mp4' }
    const facts = { sizeBytes: content.length, modifiedMs: Date.now(), isTransferring: false, media: null }
    const file = { ...key, rootDirectory: 'recordings', document: 'json', ...facts }
    server.send({ type: 'files', begins: true, ends: true, files: [file] })
    return server
  }

  test('[FILE-002] are added, checked and changed by administrators, and get the files that operators send', async () => {
    const { page } = chromium
    const ftp = await openFtpServer()
    onTestFinished(() => ftp.close())
    await serverWithFile()
    for (const name of ['chief', 'operator']) {
      const person = await signIn(stage.url, name, DEMO_PASSWORD)
      await person.call(api.client.savePreferences, { body: { groupId } })
    }
    const dialog = page.getByRole('dialog')
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    const ok = dialog.getByRole('button', { name: 'OK', exact: true })
    const check = async () => {
      await row('Newsroom').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Check' }).click()
    }

    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'File targets' }).click()
    await page.getByText('No file targets yet').waitFor()
    await page.getByRole('button', { name: 'New file target' }).first().click()
    await dialog.getByLabel('Name').fill('Newsroom')
    await dialog.getByLabel('Address').fill('sftp://files.example')
    await ok.click()
    await dialog.getByText('The address must be ftp:// or ftps:// with a host').waitFor()
    await dialog.getByLabel('Kind').selectOption('S3')
    await dialog.getByLabel('Region').waitFor()
    await dialog.getByLabel('Kind').selectOption('SFTP')
    await dialog.getByLabel('Host key').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Kind').selectOption('FTP')
    await dialog.getByLabel('Address').fill(`${ftp.url}/in`)
    await dialog.getByLabel('User').fill(account.username)
    await dialog.getByLabel('Password', { exact: true }).fill('wrong')
    await dialog.getByLabel('Metadata').selectOption('XML')
    expect(await violations(page)).toEqual([])
    await ok.click()
    await row('Newsroom').getByText('Chosen files').waitFor()
    await check()
    await page.getByText('The target refused the user name or the secret').waitFor()
    await row('Newsroom').dblclick()
    expect(await dialog.getByLabel('Kind').isDisabled()).toBe(true)
    await dialog.getByText('A secret is stored.').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(account.secret)
    await ok.click()
    await dialog.waitFor({ state: 'detached' })
    await check()
    await page.getByText('The target accepts files').waitFor()
    expect(await violations(page)).toEqual([])

    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    expect(await page.getByRole('link', { name: 'File targets' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await row('Harbour.mp4').dblclick()
    await dialog.getByRole('tab', { name: 'Share/FTP' }).click()
    await dialog.getByText('Not sent to any target yet').waitFor()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('listitem').getByText('Sent', { exact: true }).waitFor()
    await dialog.getByText('operator,').waitFor()
    expect(await violations(page)).toEqual([])
    const folder = join(ftp.folder, 'in')
    expect(readdirSync(folder).toSorted()).toEqual(['Harbour.mp4', 'Harbour.mp4.xml'])
    expect(readFileSync(join(folder, 'Harbour.mp4'), 'utf8')).toBe(content)
    await dialog.getByRole('tab', { name: 'Metadata' }).click()
    await dialog.getByText('JSON, next to the file').waitFor()
    await page.keyboard.press('Escape')

    await ftp.close()
    await row('Harbour.mp4').dblclick()
    await dialog.getByRole('tab', { name: 'Share/FTP' }).click()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('The target cannot be reached').waitFor()
    await dialog.getByText('Next attempt:').waitFor()
    // The mouse is still on the closed button, whose tip may cover this one.
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
    await dialog.getByText('Cancelled').waitFor()

    await signInOnPage(page, stage.url, 'viewer', DEMO_PASSWORD, '/unit/files?ignoreRouteDefault')
    await row('Harbour.mp4').dblclick()
    await dialog.getByRole('tab', { name: 'Share/FTP' }).click()
    await until('the button that is closed', () =>
      dialog.getByRole('button', { name: 'Send', exact: true }).isDisabled(),
    )
  })
})
