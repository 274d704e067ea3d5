// The main job on the real path: agent → three links → hub → core → Chromium, from an empty installation.
import { type ChildProcess, spawn } from 'node:child_process'
import { type LinkGate, openLinkGate } from '@backhaul/bonding/testing/link-gate'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInByHand, violations } from '../stage/browser.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { seenTime } from '../stage/time-code.ts'
import { pause, until } from '../stage/until.ts'
import { watchAttribute } from '../stage/watch-attribute.ts'

const links = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const
/** Units dial the first address, the hub receives on the second: the links are in between. */
const hubSeen = '127.0.0.10'
const hubReal = '127.0.0.20'
/** Two links carry the picture, one does not. */
const linkKbps = 1400
const pictureKbps = 1600
const unitName = 'Van-1'

describe.runIf(hasChromium && findFfmpeg())('the main job', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let push: Listener
  let gate: LinkGate
  let unitId: string
  let channel: Channel
  let buttonStates: () => Promise<string[]>
  let encoder: ChildProcess | undefined

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const addresses = { BACKHAUL_HUB_ADDRESS: hubSeen, BACKHAUL_HUB_UNIT_HOST: hubReal }
    await stage.start('hub', { env: { ...addresses, BACKHAUL_HUB_INPUTS: 'srt' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('a channel of the hub', async () =>
      (await channels()).find(({ name }) => name.endsWith('Channel-1')),
    )
    gate = await openLinkGate(
      channel.port ?? 0,
      { kbps: linkKbps, delayMs: 15, jitterMs: 5, queueMs: 200 },
      { host: hubSeen, port: channel.port ?? 0, receiverHost: hubReal },
    )
    chromium = await openChromium()
  })

  afterAll(async () => {
    encoder?.kill('SIGKILL')
    push?.close()
    await chromium?.close()
    await gate?.close()
    await stage?.stop()
  })

  const channels = () => person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
  const page = () => chromium.page
  const startButton = () => page().locator('[data-run][data-size="big"]')
  const unitState = () => push.state(`unit.${unitId}`)
  const reception = () => push.state(`channel.${channel.uniqueId}`).reception as Channel['reception']

  /** Packets lost after repair and errors of the stream so far; a test only counts those of its own time. */
  const losses = () => {
    const { continuityErrors, uncorrected } = reception() ?? {}
    return { continuityErrors, uncorrected }
  }
  goOnFromEachOther()

  function startAgent() {
    return stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: unitName,
        BACKHAUL_LINKS: links.map((address, at) => `Modem ${at + 1}=${address}`).join(','),
        BACKHAUL_BITRATE_KBPS: String(pictureKbps),
        BACKHAUL_PICTURE: 'source',
      },
    })
  }

  test('an operator signs in and sees a unit appear in the list as it comes', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    expect(channel.kind, 'what the hub receives can leave it').toBe('OUTPUT_CHANNEL')
    await page().goto(`${stage.url}/login`)
    await page().getByLabel('User name').waitFor()
    expect(await violations(page())).toEqual([])
    await signInByHand(page(), stage.url, 'admin', adminPassword)
    await page().waitForURL(/\/unit\/list/)
    await stage.end('agent')
    const known = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
    if (known.length === 0) await page().getByText('No units in this group').waitFor()
    await startAgent()
    const row = page().locator('[data-row-id]', { hasText: unitName })
    await row.getByText('Ready').waitFor()
    unitId = (await row.getAttribute('data-row-id')) ?? ''
    expect(await violations(page())).toEqual([])
    push?.close()
    push = await person.listen([`unit.${unitId}`, `channel.${channel.uniqueId}`])
  })

  test('the operator opens the unit, chooses a channel and its unit confirms it', async () => {
    await page().goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await page().locator(`[data-row-id="${unitId}"]`).dblclick()
    await page().waitForURL(/\/unit\/[^l]/)
    await page().getByRole('heading', { name: unitName }).waitFor()
    await page().getByLabel('Channel', { exact: true }).click()
    await page()
      .getByRole('option', { name: /Channel-1/ })
      .click()
    await page().getByText('Set channel: confirmed by the unit').waitFor()
    await expect.poll(() => page().getByLabel('Channel', { exact: true }).inputValue()).toContain('Channel-1')
    expect(await violations(page())).toEqual([])
  })

  /** Presses Start on a unit that is not live, and follows the states of the button. */
  async function goLive(): Promise<void> {
    await person.call(api.unitCommands.stop, { params: { id: unitId } }).catch(() => {})
    await page().locator('[data-size="big"][data-run="start"][aria-disabled="false"]').waitFor()
    buttonStates = await watchAttribute(startButton(), 'data-run')
    await startButton().click()
    await page().locator('[data-size="big"][data-run="stop"]').waitFor()
  }

  test('pressing Start brings the moving picture with its sound level', async () => {
    await goLive()
    await page().locator('[data-part="picture"][data-state="webrtc"]').waitFor()
    const first = await until('a clock in the picture', () => seenTime(page()))
    const later = await until('a moved clock in the picture', async () => {
      const now = await seenTime(page())
      return now && now.sourceMs > first.sourceMs + 1000 ? now : undefined
    })
    expect(later.ageMs).toBeGreaterThan(0)
    expect(later.ageMs).toBeLessThan(20_000)
    const meter = page().locator('[data-part="picture"] [data-part="audio-meter"]')
    await until('a sound level', async () => Number(await meter.getAttribute('data-peak-db')) > -60)
    expect(losses()).toEqual({ continuityErrors: 0, uncorrected: 0 })
    expect(await violations(page())).toEqual([])
  })

  test('the delay is changed while the unit is live, and no picture is lost', async () => {
    const before = losses()
    const wanted = Number(unitState().delay) === 2000 ? 3000 : 2000
    await page().getByLabel('Delay').selectOption(String(wanted))
    await page().getByText('Set delay: confirmed by the unit').waitFor()
    await push.until(`unit.${unitId}`, ({ delay }) => delay === wanted)
    await until('the buffer to follow', () => Math.abs((reception()?.bufferMs ?? 0) - wanted) < 300, 60_000)
    expect(losses()).toEqual(before)
  })

  test('one link of three is cut: the graph shows it, and no picture is lost', async () => {
    const rowOfLink = (at: number) => page().getByRole('table', { name: 'Links' }).locator('tr').nth(at)
    gate.restore(links[1])
    await until('traffic on every link', () => shares().length === 3 && shares().every((kbps) => kbps > 50))
    const before = losses()
    gate.cut(links[1])
    await rowOfLink(1).getByText('down').waitFor()
    expect(await rowOfLink(0).getAttribute('data-down')).toBeNull()
    // The cut is shorter than the buffer; its end must be played too before it can be judged.
    await pause((reception()?.bufferMs ?? 0) + 1000)
    expect(losses()).toEqual(before)
    const time = await until('a clock in the picture', () => seenTime(page()))
    await until('a moved clock', async () => ((await seenTime(page()))?.sourceMs ?? 0) > time.sourceMs)
    await page()
      .locator('[data-part="legend"] [data-port="1"] b', { hasText: /^(0\.00 Mbps|—)$/ })
      .waitFor()
    const points = async () => Number(await page().locator('[data-points]').getAttribute('data-points'))
    const now = await points()
    await until('another point of the graph', async () => (await points()) > now)
    expect(losses()).toEqual(before)
    expect(await violations(page())).toEqual([])
    gate.restore(links[1])
    await until('the link to be back', async () => (await rowOfLink(1).getAttribute('data-down')) === null)
  })

  const shares = () => (unitState().modems as { uplinkKbps: number }[]).map(({ uplinkKbps }) => uplinkKbps)

  test('pressing Stop ends it: the button goes through its states in order, and shows when the unit disconnects', async () => {
    if (!(await page().locator('[data-size="big"][data-run="stop"]').isVisible())) {
      await stage.end('agent')
      await startAgent()
      await goLive()
    }
    await startButton().click()
    await page().getByRole('dialog').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'Stop transmission' }).click()
    await page().locator('[data-size="big"][data-run="start"]').waitFor()
    await push.until(
      `channel.${channel.uniqueId}`,
      ({ status, allocatedTo }) => status === 'idle' && allocatedTo === null,
    )
    await stage.end('agent')
    await page().locator('[data-size="big"][data-run="offline"]').waitFor()
    expect(await startButton().getAttribute('aria-disabled')).toBe('true')
    await startAgent()
    await page().locator('[data-size="big"][data-run="start"]').waitFor()
    expect(await buttonStates()).toEqual([
      'start',
      'connecting',
      'stop',
      'disconnecting',
      'start',
      'offline',
      'start',
    ])
  })

  test('a standard encoder that sends by SRT appears on an input channel of the wall', async () => {
    const input = await until('an SRT channel', async () =>
      (await channels()).find(({ inputType }) => inputType === 'srt'),
    )
    const access = await person.call(api.channelAdministration.input, { params: { id: input.uniqueId } })
    const address = (access.url ?? '').replace(hubSeen, '127.0.0.1')
    encoder?.kill('SIGKILL')
    const tone = 'sine=frequency=440:sample_rate=48000'
    encoder = spawn(
      findFfmpeg() ?? '',
      [
        '-hide_banner',
        '-v',
        'error',
        '-nostdin',
        '-re',
        '-f',
        'lavfi',
        '-i',
        `testsrc2=size=640x360:rate=25[out0];${tone}[out1]`,
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-tune',
        'zerolatency',
        '-profile:v',
        'baseline',
        '-b:v',
        '1M',
        '-g',
        '25',
        '-c:a',
        'aac',
        '-ac',
        '2',
        '-f',
        'mpegts',
        address,
      ],
      { stdio: 'ignore' },
    )
    await page().goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
    const row = page().locator('[data-part="channel-row"]', { hasText: 'SRT-Input-1' })
    await row.getByText('Collecting').waitFor()
    if ((await row.getAttribute('aria-pressed')) !== 'true') await row.click()
    const tile = page().locator('[data-part="tile"]', { hasText: 'SRT-Input-1' })
    await tile.locator('[data-part="tile-name"]').click()
    await tile.locator('[data-part="picture"][data-state="webrtc"]').waitFor()
    const meter = tile.locator('[data-part="audio-meter"]')
    await until('a sound level', async () => Number(await meter.getAttribute('data-peak-db')) > -60)
    expect(await violations(page())).toEqual([])
  })
})
