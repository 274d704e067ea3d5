// The feeds of a transceiver before an administrator: which channel's picture one takes, its figures, its stop, its reasons.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('a transceiver in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let studio: StageDevice
  let relay: StageDevice
  let feed: Channel
  let input: Channel

  const open = async () => {
    stage = await openStage({ demo: 2 })
    const kind = 'server' as const
    const slots = [{ slot: '1', name: 'Studio-Main', inputType: null }]
    studio = await joinDevice(stage, { kind, name: 'Studio-Hub', groupId, slots })
    relay = await joinDevice(stage, {
      kind,
      name: 'Relay-Hub',
      product: 'Transceiver Server',
      groupId,
      slots: [
        { slot: '1', name: 'Feed-1', inputType: null },
        { slot: '2', name: 'Feed-SRT', inputType: 'srt' },
      ],
    })
    const capabilities = {
      protocolsIn: ['bonded', 'srt'],
      protocolsOut: ['rtmp'],
      encoders: [],
      ffmpegVersion: null,
    }
    relay.send({ type: 'serverReport', actual: { capabilities: { ...capabilities, sources: ['srt'] } } })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const named = (name: string) =>
      until(`channel ${name}`, async () =>
        (await chief.call(api.channels.ofGroup, { query: { group: groupId } })).find(
          (one) => one.name === name,
        ),
      )
    ;[feed, input] = [await named('Feed-1'), await named('Feed-SRT')]
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    for (const device of [studio, relay]) device?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name }).first()
  const edit = async (name: string) => {
    await row(name).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Edit' }).click()
    await dialog().waitFor()
  }
  const stored = ({ uniqueId: id }: Channel) => chief.call(api.channelAdministration.one, { params: { id } })

  test('[SRV-011] a feed gets its channel, is stopped and started, and shows its details', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    await edit('Studio-Main')
    expect(await dialog().getByRole('group', { name: 'Feed' }).count()).toBe(0)
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await edit('Feed-1')
    const part = dialog().getByRole('group', { name: 'Feed' })
    await part.getByLabel('Channel').selectOption({ label: 'Studio-Main (Studio-Hub)' })
    await until(
      'the channel of the feed',
      async () => (await stored(feed)).feedFrom?.channelName === 'Studio-Main',
    )
    await part.getByRole('button', { name: 'Stop' }).click()
    await part.getByRole('button', { name: 'Start' }).waitFor()
    expect((await stored(feed)).feedStopped).toBe(true)
    await part.getByRole('button', { name: 'Start' }).click()
    await part.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })

    const params = { id: input.uniqueId }
    const body = { name: 'Far', url: 'srt://203.0.113.9:9000?passphrase=0123456789' }
    const { inputSources } = await chief.call(api.channelSettings.addSource, { params, body })
    const output = { id: 'de-1', state: 'sending' as const, reason: null, since: 1, tries: 1, kbps: 3900 }
    const reports = setInterval(() => {
      relay.channels([
        { channelId: feed.uniqueId, status: 'collecting', kbps: 4120, outputs: [output] },
        {
          channelId: input.uniqueId,
          status: 'idle',
          inputProblem: 'noSource',
          inputFailure: {
            sourceId: inputSources[0]?.id ?? '',
            reason: 'The source does not answer',
            cause: { code: 'source.timedOut', params: {} },
          },
        },
      ])
    }, 500)
    try {
      await page().getByRole('link', { name: 'Devices' }).click()
      await page().getByText('All groups').click()
      await edit('Relay-Hub')
      await dialog().getByRole('tab', { name: 'Feeds' }).click()
      const first = dialog().getByRole('row', { name: /Feed-1/ })
      await first.getByText('Running').waitFor()
      await first.getByText('4.12 Mbps').waitFor()
      await first.getByText('3.90 Mbps').waitFor()
      await first.getByText('Studio-Main (Studio-Hub)').waitFor()
      await dialog().locator('.time-chart').waitFor()
      expect(await violations(page())).toEqual([])
      await dialog().getByRole('button', { name: 'Feed-SRT' }).click()
      const details = dialog().getByRole('region', { name: 'Details of Feed-SRT' })
      await details.getByText('Far: The source does not answer').waitFor()
      await details.getByText('No picture').waitFor()
      expect(await violations(page())).toEqual([])
      expect(await page().content()).not.toContain('0123456789')
    } finally {
      clearInterval(reports)
    }
  })
})
