// The screen of files on units: a unit's folders, uploads to the server of its channel, deletion on the unit.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'

const groupId = 'london-news'
const storages = [
  { path: '/media/card', totalBytes: 64e9, freeBytes: 41e9 },
  { path: '/media/usb', totalBytes: 16e9, freeBytes: 15e9 },
]

describe.runIf(hasChromium)('the screen of files on units', () => {
  const opened = openConsole()
  let unit: StageDevice
  let server: StageDevice
  let folders: Record<string, string[]>
  const answered = new Set<string>()

  /** The next unanswered order of that name. */
  async function ordered(device: StageDevice, name: string) {
    const order = await device.received('order', (one) => one.name === name && !answered.has(one.id))
    answered.add(order.id)
    return order
  }

  /** Reports the content of the requested folder; names that end in a slash are folders. */
  async function list(): Promise<unknown> {
    const { id, args } = await ordered(unit, 'list_folder')
    const entries = folders[String(args.path)]?.map((name, at) => ({
      name: name.replace('/', ''),
      isFolder: name.endsWith('/'),
      sizeBytes: 10,
      modifiedMs: Date.now() - at * 1000,
    }))
    unit.send({ type: 'folder', listId: args.listId, entries })
    unit.outcome({ id, state: 'confirmed' })
    return args.path
  }

  const address = (id: unknown) => `${opened.stage.url}/gateway/uploads/${id}`
  const bearer = ({ token }: StageDevice) => ({ authorization: `Bearer ${token}` })
  const put = (id: unknown, from: number, part: string) =>
    fetch(`${address(id)}?from=${from}&of=10`, {
      method: 'PUT',
      headers: { ...bearer(unit), 'content-type': 'application/octet-stream' },
      body: part,
    })

  test('[FILE-005] [FILE-006] [STORY-003] shows folders, sends selected files with their progress, cancels and deletes', async () => {
    const { page } = opened.chromium
    const { stage } = opened
    const slots = [{ slot: '1', name: 'Desk-1', inputType: null }]
    server = await joinDevice(stage, { kind: 'server', name: 'DESK-SERVER', groupId, slots })
    const { state } = await server.received('serverWanted', (message) => message.state.channels.length === 1)
    const channelId = state.channels[0]?.channelId ?? ''
    const can = {
      protocolsIn: ['bonded'],
      protocolsOut: [],
      encoders: [],
      ffmpegVersion: null,
      uploads: true,
    }
    server.send({ type: 'serverReport', actual: { capabilities: can } })
    const actual = { storages, capabilities: { fileUpload: true }, channelId }
    unit = await joinDevice(stage, { name: 'File-Van', groupId, actual })
    folders = {
      '/media/card': ['2026-11-21/', 'Readme.txt'],
      '/media/card/2026-11-21': ['Harbour.mp4', 'Storm.mp4', 'Council.mp4'],
      '/media/usb': [],
    }
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId, lastSelectedUnit: null } })
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'File upload' }).click()
    await page.getByText('No unit chosen').waitFor()
    await page.getByPlaceholder('Choose a unit').fill('File-V')
    await page.getByRole('option', { name: /File-Van/ }).click()
    expect(await list()).toBe('/media/card')
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    await row('Readme.txt').waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: '2026-11-21' }).click()
    await list()
    await row('Council.mp4').waitFor()
    await page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('button', { name: '/media/card' })
      .click()
    await list()
    await page.getByLabel('Storage').selectOption('/media/usb')
    await list()
    await page.getByText('Empty folder').waitFor()
    await page.getByLabel('Storage').selectOption('/media/card')
    await list()
    await row('2026-11-21').dblclick()
    await list()

    const uploads = page.getByRole('complementary', { name: 'Uploads' })
    await uploads.getByText('Files go to Desk-1').waitFor()
    for (const name of ['Harbour', 'Storm']) await page.getByLabel(`Select ${name}.mp4`).check()
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    const { args } = await ordered(unit, 'upload_file')
    const { id: inId } = await ordered(server, 'receive_file')
    const received = fetch(address(args.uploadId), { headers: bearer(server) })
    await put(args.uploadId, 0, 'hello')
    const name = String(args.path).endsWith('Storm.mp4') ? 'Storm' : 'Harbour'
    await uploads.getByText('50 %').waitFor()
    await row(name).getByText('Uploading, 50 %').waitFor()
    expect(await violations(page)).toEqual([])
    const other = name === 'Storm' ? 'Harbour' : 'Storm'
    await uploads.getByRole('button', { name: `Cancel the upload of ${other}.mp4` }).click()
    await uploads.getByText('Cancelled').waitFor()
    await put(args.uploadId, 5, ' van!')
    expect(await (await received).text()).toBe('hello van!')
    server.outcome({ id: inId, state: 'confirmed' })
    await row(name).getByText('Uploaded').waitFor()

    // The unit requires metadata from now on.
    const [inventory] = await chief.call(api.groups.inventories, { query: {} })
    const params = { id: inventory?.id ?? '', unit: unit.id }
    await chief.call(api.stories.setPrompt, { params, body: { promptMetadata: true } })
    const metadata = page.getByRole('dialog', { name: 'Upload a file of File-Van' })
    const promptFor = async () => {
      await row('Council').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Upload' }).click()
      return await metadata.isVisible()
    }
    await expect.poll(promptFor).toBe(true)
    await metadata.getByRole('button', { name: 'Add a field' }).click()
    await metadata.getByLabel('Name of field 1').fill('slugline')
    await metadata.getByLabel('Value of field 1').fill('COUNCIL; NIGHT')
    await metadata.getByRole('button', { name: 'Upload', exact: true }).click()
    await metadata.getByText('Metadata fields must not contain a semicolon.').first().waitFor()
    expect(await violations(page)).toEqual([])
    await metadata.getByLabel('Value of field 1').fill('COUNCIL')
    await metadata.getByRole('button', { name: 'Upload', exact: true }).click()
    await metadata.waitFor({ state: 'detached' })
    await ordered(server, 'receive_file')
    const [upload] = (await chief.call(api.units.one, { params: { id: unit.id } })).uploadedFiles
    expect(upload).toMatchObject({ name: 'Council.mp4', metadata: { slugline: 'COUNCIL' } })
    await uploads.getByRole('button', { name: 'Cancel the upload of Council.mp4' }).click()
    await uploads.getByText('Cancelled').nth(1).waitFor()

    await row('Council').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const { id, args: gone } = await ordered(unit, 'delete_files')
    expect(gone.paths).toEqual(['/media/card/2026-11-21/Council.mp4'])
    folders['/media/card/2026-11-21'] = ['Harbour.mp4', 'Storm.mp4']
    unit.outcome({ id, state: 'confirmed' })
    await list()
    await row('Council').waitFor({ state: 'detached' })

    // The received file is among the recorded files.
    const file = { channelId, unitId: unit.id, fileName: `${name}.mp4`, rootDirectory: 'uploads' }
    const facts = { sizeBytes: 10, modifiedMs: Date.now(), isTransferring: false, media: null }
    server.send({ type: 'files', begins: true, ends: true, files: [{ ...file, ...facts }] })
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await row(`${name}.mp4`).getByText('Upload').waitFor()

    await page.getByRole('link', { name: 'File upload' }).click()
    const refused = (await ordered(unit, 'list_folder')).id
    unit.send({ type: 'outcome', id: refused, state: 'refused', reason: 'The card was pulled out' })
    await page.getByText('The card was pulled out').waitFor()
    unit.close()
    await page.getByText('The unit is offline').waitFor()
    server.close()
  })

  test('is for administrators of devices; it is hidden from all others', async () => {
    const { page } = opened.chromium
    await signInOnPage(page, opened.stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Multiview' }).waitFor()
    expect(await page.getByRole('link', { name: 'File upload' }).count()).toBe(0)
    await page.goto(`${opened.stage.url}/unit/file_upload?ignoreRouteDefault=1`)
    await page.getByText('You are not allowed to access this application').waitFor()
  })
})
