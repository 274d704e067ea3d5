// An input for WHIP as an administrator sees it, and a page of another origin that sends to it: a real hub, a real browser.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = patientMs(90_000)

/** Draws and plays, and sends both by WHIP with one video codec. Resolves to the status and the session. */
const sending = (address: string, key: string, codec: string) => `(async () => {
  const canvas = document.createElement('canvas')
  canvas.width = 640
  canvas.height = 360
  const pen = canvas.getContext('2d')
  let turn = 0
  setInterval(() => {
    pen.fillStyle = 'red'
    pen.fillRect(0, 0, 640, 360)
    pen.fillStyle = 'white'
    pen.fillRect((turn++ * 8) % 640, 100, 60, 60)
  }, 40)
  const sound = new AudioContext()
  const tone = sound.createOscillator()
  const out = sound.createMediaStreamDestination()
  tone.connect(out)
  tone.start()
  const connection = new RTCPeerConnection()
  const video = connection.addTransceiver(canvas.captureStream(25).getVideoTracks()[0], { direction: 'sendonly' })
  connection.addTransceiver(out.stream.getAudioTracks()[0], { direction: 'sendonly' })
  const known = RTCRtpSender.getCapabilities('video').codecs
  video.setCodecPreferences(known.filter(({ mimeType }) => mimeType === 'video/${codec}'))
  await connection.setLocalDescription(await connection.createOffer())
  const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/sdp' }
  const response = await fetch('${address}', { method: 'POST', headers, body: connection.localDescription.sdp })
  const text = await response.text()
  if (response.status !== 201) return { status: response.status, text }
  await connection.setRemoteDescription({ type: 'answer', sdp: text })
  return { status: 201, session: new URL(response.headers.get('location'), '${address}').href }
})()`

describe.runIf(hasChromium && findFfmpeg())('an input for WHIP in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  beforeAll(async () => {
    stage = await openStage({ demo: 2 })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_NAME: 'Hub-1',
        BACKHAUL_HUB_INPUTS: 'webrtc',
        BACKHAUL_HUB_WEB_HOST: '127.0.0.1',
        BACKHAUL_HUB_WEB_PORT: '0',
        BACKHAUL_HUB_ADDRESS: '127.0.0.1',
      },
    })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  test('its address and token let a page send H.264 with sound, and another codec is named as the reason', async () => {
    const { page, context } = chromium
    const { uniqueId, name, inputAddress } = await until('the input channel', async () =>
      (await chief.call(api.channelAdministration.list, { query: { limit: 100 } })).items.find(
        (channel) => channel.serverName === 'Hub-1' && channel.inputType === 'webrtc' && channel.inputAddress,
      ),
    )
    const channel = () => chief.call(api.channelAdministration.one, { params: { id: uniqueId } })
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Channels' }).click()
    await page.locator('[data-row-id]', { hasText: name }).click()
    await page.keyboard.press('Enter')
    const access = page.getByRole('dialog').getByRole('group', { name: 'For the encoder' })
    await access.getByText('No encoder is connected.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await access.getByLabel('Address').inputValue()).toBe(inputAddress)
    const key = await access.getByLabel('WHIP bearer token', { exact: true }).inputValue()

    const sender = await context.newPage()
    const send = async (codec: string) =>
      (await sender.evaluate(sending(inputAddress ?? '', key, codec))) as Record<string, string | number>
    expect(await send('VP8')).toMatchObject({ status: 422, text: expect.stringContaining('must have H.264') })
    await until('the reason', async () => (await channel()).inputProblem === 'codec', patienceMs)
    const { status, session = '' } = await send('H264')
    expect(status).toBe(201)
    await until('the picture', async () => (await channel()).status === 'collecting', patienceMs)
    expect((await channel()).inputProblem).toBeNull()
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(String(session), { method: 'DELETE', headers })).status).toBe(200)
    await until('the end of the picture', async () => (await channel()).status === 'idle', patienceMs)
  })
})
