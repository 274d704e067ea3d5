// A failing destination as an operator sees it, and the same once the stream is received: a real hub, a real receiver.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { testStream } from '../stage/test-stream.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('destinations in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  const programs: ChildProcess[] = []
  const run = (args: readonly string[]) => programs.push(spawn('ffmpeg', args, { stdio: 'ignore' }))

  beforeAll(async () => {
    stage = await openStage({ demo: 2 })
    await stage.start('hub', { env: { BACKHAUL_HUB_NAME: 'Hub-1', BACKHAUL_HUB_INPUTS: 'srt,rtmp' } })
    chromium = await openChromium()
  })

  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL')
    await chromium?.close()
    await stage?.stop()
  })

  test('one without a server is shown as failed and is an alert, with the reason, until there is a server and it sends', async () => {
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const inputOf = async () =>
      (await chief.call(api.channelAdministration.list, { query: { limit: 100 } })).items.find(
        ({ serverName, inputType, inputAddress }) =>
          serverName === 'Hub-1' && inputType === 'srt' && inputAddress,
      )
    const channel = await until('the input channel', inputOf)
    const url = `rtmp://127.0.0.1:${await freePort()}/live/key-9`
    const destination = { name: 'Partner', streamType: 'RTMP' as const, urlPrimary: url }
    await chief.call(api.destinations.add, { body: { uid: channel.uniqueId, destination } })
    const params = { id: channel.uniqueId }
    const { url: address } = await chief.call(api.channelAdministration.input, { params })
    run([...testStream, address ?? ''])

    const { page } = chromium
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Channels' }).click()
    const row = page.locator('[data-row-id]', { hasText: channel.name })
    await row.getByText('Failed').waitFor()
    await row.getByText('Failed').hover()
    await page.getByRole('tooltip').getByText('Connection refused.').waitFor()
    const bell = page.getByRole('button', { name: /active alert/ })
    const alert = page
      .getByRole('listitem')
      .filter({ hasText: `Destination does not send: ${channel.name}, Partner` })
    await bell.click()
    await alert.getByText('Connection refused.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await row.click()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Streaming' }).click()
    await dialog.getByText('Connection refused.').waitFor()
    expect(await violations(page)).toEqual([])

    run(['-listen', '1', '-i', url, '-f', 'null', '-'])
    const sending = /^Sending, \d+\.\d+ Mbps$/
    await dialog.getByText(sending).waitFor()
    expect(await dialog.getByText('Connection refused.').count()).toBe(0)
    await page.keyboard.press('Escape')
    await row.getByText(sending).waitFor()
    await bell.click()
    await alert.waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
