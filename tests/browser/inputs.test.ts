// An input for standard encoders as an administrator sees it, and its settings in an encoder: a real hub, a real encoder.
import { type ChildProcess, spawn } from 'node:child_process'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../conformance/free-port.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { testStream } from '../stage/test-stream.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium && findFfmpeg())('inputs in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let encoder: ChildProcess | undefined

  const open = async () => {
    stage = await openStage({ demo: 2 })
    await stage.start('hub', { env: { BACKHAUL_HUB_NAME: 'Hub-1', BACKHAUL_HUB_INPUTS: 'srt,rtmp' } })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    chromium = await openChromium()
    await chromium.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  }
  const close = async () => {
    encoder?.kill('SIGKILL')
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const copied = () =>
    page().evaluate(() =>
      (
        globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
      ).navigator.clipboard.readText(),
    )
  function sendTo(address: string): void {
    encoder?.kill('SIGKILL')
    encoder = spawn(findFfmpeg() ?? '', [...testStream, address], { stdio: 'ignore' })
  }

  test('address and key can be read and copied, a wrong key is named, and a new key disconnects a sender with the old one', async () => {
    const ofHub = async () =>
      (await chief.call(api.channelAdministration.list, { query: { limit: 100 } })).items.find(
        ({ serverName, inputType, inputAddress }) =>
          serverName === 'Hub-1' && inputType === 'srt' && inputAddress,
      )
    const { uniqueId, name, inputAddress } = await until('the input channel', ofHub)
    const status = async () =>
      (await chief.call(api.channelAdministration.one, { params: { id: uniqueId } })).status
    sendTo(`${inputAddress}?passphrase=another-key-of-an-encoder`)

    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    await until(
      'the refusal',
      async () =>
        (await chief.call(api.channelAdministration.one, { params: { id: uniqueId } })).inputProblem ===
        'wrongKey',
    )
    await page().reload()
    await page().locator('[data-row-id]', { hasText: name }).click()
    await page().keyboard.press('Enter')
    const access = dialog().getByRole('group', { name: 'For the encoder' })
    await access.getByText('Refused: wrong key').waitFor()
    expect(await access.getByLabel('Address').inputValue()).toBe(inputAddress)
    expect(await violations(page())).toEqual([])

    const passphrase = access.getByLabel('SRT passphrase', { exact: true })
    expect(await passphrase.getAttribute('type')).toBe('password')
    await access.getByRole('button', { name: 'Show the key' }).click()
    expect(await passphrase.getAttribute('type')).toBe('text')
    await access.getByRole('button', { name: 'Copy' }).nth(1).click()
    const key = await copied()
    expect(key).toBe(await passphrase.inputValue())
    sendTo(`${inputAddress}?passphrase=${key}`)
    await until('the picture', async () => (await status()) === 'collecting')

    await access.getByRole('button', { name: 'New key' }).click()
    await page().getByText('Create a new key?').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('dialog').last().getByRole('button', { name: 'New key' }).click()
    await until('another key', async () => (await passphrase.inputValue()) !== key)
    await until('the end of the picture', async () => (await status()) !== 'collecting')
    await access.getByRole('button', { name: 'Copy' }).nth(1).click()
    sendTo(`${inputAddress}?passphrase=${await copied()}`)
    await until('the picture again', async () => (await status()) === 'collecting')
  })

  test('[CHAN-007] an input fetches its picture from a source that is added, and again waits for encoders without one', async () => {
    const ofHub = async () =>
      (await chief.call(api.channelAdministration.list, { query: { limit: 100 } })).items.find(
        ({ serverName, inputType, inputAddress }) =>
          serverName === 'Hub-1' && inputType === 'srt' && inputAddress,
      )
    const { name } = await until('the input channel', ofHub)
    const port = await freePort()
    sendTo(`srt://127.0.0.1:${port}?mode=listener`)
    await page().reload()
    await page().locator('[data-row-id]', { hasText: name }).click()
    await page().keyboard.press('Enter')
    const sources = dialog().getByRole('group', { name: 'Sources' })
    await sources.getByLabel('Name of the source').fill('Roof camera')
    await sources.getByLabel('Address of the source').fill('file:///etc/passwd')
    await sources.getByRole('button', { name: 'Add', exact: true }).click()
    await sources.getByText('Must begin with srt://').waitFor()
    await sources.getByLabel('Address of the source').fill(`srt://127.0.0.1:${port}?mode=caller`)
    await sources.getByRole('button', { name: 'Add', exact: true }).click()
    await sources.getByRole('button', { name: 'Remove Roof camera' }).waitFor()
    expect(await violations(page())).toEqual([])
    await until('the picture of the source', async () => (await ofHub())?.status === 'collecting')
    await sources.getByRole('button', { name: 'Remove Roof camera' }).click()
    await until('the end of the picture', async () => (await ofHub())?.status === 'idle')
    expect((await ofHub())?.inputSources).toEqual([])
  })
})
