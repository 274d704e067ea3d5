// What a wall leaves behind: every picture that a real hub sends to it by WebRTC is hung up once.
import { type ChildProcess, spawn } from 'node:child_process'
import { api } from '@backhaul/contract/api/api'
import { whepPath } from '@backhaul/contract/nouns/previews'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const source = [
  ...['-hide_banner', '-v', 'error', '-nostdin', '-re'],
  ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '10'],
  ...['-f', 'mpegts'],
]

describe.runIf(hasChromium && findFfmpeg())('a wall with a moving picture', () => {
  let stage: Stage
  let chromium: Chromium
  let encoder: ChildProcess | undefined

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', { env: { BACKHAUL_HUB_LOOPS: '0' } })
    chromium = await openChromium()
  })
  afterAll(async () => {
    encoder?.kill('SIGKILL')
    await chromium?.close()
    await stage?.stop()
  })

  test('hangs up each call once when it is left', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { uniqueId, inputAddress } = await until('an input of the hub', async () =>
      (await root.call(api.channelAdministration.list, { query: { limit: 100 } })).items.find(
        (channel) => channel.inputType === 'srt' && channel.inputAddress,
      ),
    )
    encoder = spawn('ffmpeg', [...source, inputAddress ?? ''], { stdio: 'ignore' })

    const { page } = chromium
    const calls: { address: string; method: string; status: number }[] = []
    page.on('response', (response: Response) => {
      const method = response.request().method()
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith(whepPath(uniqueId))) return
      const address = method === 'POST' ? (response.headers().location ?? '') : pathname
      calls.push({ address, method, status: response.status() })
    })
    const made = () => calls.filter(({ method, status }) => method === 'POST' && status === 201)
    const hungUp = () => calls.filter(({ method }) => method === 'DELETE')
    await signInOnPage(page, stage.url, 'admin', adminPassword)
    await page.goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
    await page.locator('.channel-row').getByText('Collecting').first().waitFor()
    await page.getByRole('button', { name: 'Fill with live channels' }).click()
    await page.locator('.tile .tile-name[aria-pressed="false"]').first().click()
    await page.locator('.tile [data-state="webrtc"]').waitFor()
    expect(made().length).toBeGreaterThan(0)

    await page.getByRole('link', { name: 'Units', exact: true }).click()
    await page.waitForURL('**/unit/list')
    await until('the end of the calls', () => hungUp().length >= made().length)
    await pause(1000)
    const addresses = (list: typeof calls) => list.map(({ address }) => address).sort()
    expect(addresses(hungUp())).toEqual(addresses(made()))
    expect(hungUp().filter(({ status }) => status >= 400)).toEqual([])
  })
})
