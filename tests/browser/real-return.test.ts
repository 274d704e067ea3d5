// The video return of a real hub on the page of a real unit: started, seen as the unit receives it, stopped.
import { api } from '@backhaul/contract/api/api'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)

describe.runIf(hasChromium && findFfmpeg())('the video return of a real unit in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unitId: string
  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const env = {
      BACKHAUL_HUB_NAME: 'Hub-1',
      BACKHAUL_HUB_CHANNELS: '1',
      BACKHAUL_HUB_RETURN_CHANNELS: '1',
      BACKHAUL_HUB_RETURN_INPUTS: 'test',
    }
    await stage.start('hub', { env })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
        BACKHAUL_RETURN_PORT: '0',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  const page = () => chromium.page

  test('[VR-001] an operator sees what the unit receives, and why no display shows it', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    await signInOnPage(page(), stage.url, 'admin', adminPassword, `/unit/${unitId}?ignoreRouteDefault=1`)
    await page().getByRole('tab', { name: 'Video return' }).click()
    const params = { groupId: 'newsroom' }
    const channel = await until('a channel with a picture', async () =>
      (await person.call(api.videoReturn.ofGroup, { params })).find(
        ({ status }) => status === 'videoReturnInputConnected',
      ),
    )
    await page().getByLabel('Video return channel').selectOption(channel.uniqueId)
    await page().getByRole('button', { name: 'Start return', exact: true }).click()
    await page().getByText('Received, on no display').waitFor({ timeout: longMs })
    await page()
      .getByText(/^h264 1280×720 30 fps · [\d.]+ Mbps over 2 links · /)
      .waitFor({ timeout: longMs })
    await page()
      .getByText(
        /^No display is set on the unit; the picture is at http:\/\/127\.0\.0\.1:\d+\/return\.ts there\.$/,
      )
      .waitFor()
    await page().getByText('Sent to the crew', { exact: true }).first().waitFor()
    await page().getByText('Waiting for a picture').waitFor({ state: 'detached', timeout: longMs })
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'Stop return', exact: true }).click()
    await page().getByText('Not shown').waitFor()
  })
})
