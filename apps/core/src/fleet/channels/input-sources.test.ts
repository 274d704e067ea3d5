// Sources of input channels through the doors: what the server is sent, what users see of them, and what is refused.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { fetchingInputOf } from '../../testing/input-channel.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelSettings: calls } = api

describe.each(enginesOfNight)('sources of input channels on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let server: TestDevice
  let id: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine, { mayStreamToOwnNetwork: false })
    nora = await fleet.signedIn('nora')
    ;[server, id] = await fetchingInputOf(fleet, ['srt', 'rtmp'])
  })
  afterEach(() => fleet.remove())

  const add = (name: string, url: string, channel = id, browser = nora) =>
    browser.call(calls.addSource, { params: { id: channel }, body: { name, url } })
  const remove = (source: string) => nora.call(calls.removeSource, { params: { id }, query: { source } })
  const wanted = () => server.newest('serverWanted')?.state.channels[0]?.sources

  it('[CHAN-007] the server gets the addresses in their order, and users see them without passwords', async () => {
    const first = 'rtmp://bob:secret@203.0.113.9/live/key-1'
    const second = 'srt://203.0.113.9:9000?passphrase=0123456789'
    await add('Far', first)
    const { inputSources } = await add('Near', second)
    expect(inputSources.map(({ name, url }) => [name, url])).toEqual([
      ['Far', 'rtmp://203.0.113.9/live/…'],
      ['Near', 'srt://203.0.113.9:9000'],
    ])
    await until(() => wanted()?.length === 2)
    expect(wanted()?.map(({ url }) => url)).toEqual([first, second])
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(fleet.core.channels.known(id)?.inputSources).toEqual(inputSources)
    const [one, other] = inputSources.map((source) => source.id) as [string, string]
    expect((await remove(one)).inputSources).toEqual([inputSources[1]])
    expect((await remove(other)).inputSources).toEqual([])
    await expect(remove(other)).rejects.toMatchObject({ status: 404, message: 'Source not found.' })
  })

  it('[CHAN-007] refuses what is no address, what the server cannot fetch, and channels that are no input', async () => {
    const address = 'Must begin with srt://, rtmp://, rtsp:// or udp:// and name a host'
    for (const url of ['file:///etc/passwd', 'srt://', "srt://h:1'\nfile x", 'concat:a|b', 'http://h/'])
      await expect(add('Bad', url)).rejects.toMatchObject({
        status: 400,
        fields: [{ field: 'url', message: address }],
      })
    await expect(add('', 'srt://203.0.113.9:1')).rejects.toMatchObject({ status: 400 })
    await expect(add('Cam', 'rtsp://203.0.113.9/cam')).rejects.toMatchObject({
      status: 409,
      fields: [{ field: 'url', message: 'The server cannot receive RTSP.' }],
    })
    await expect(add('Own', 'srt://127.0.0.1:9000')).rejects.toMatchObject({
      fields: [{ message: 'The operator of this installation allows no sources in its own network.' }],
    })
    for (const port of [1, 2, 3, 4]) await add(`S${port}`, `srt://203.0.113.9:${port}`)
    await expect(add('S5', 'srt://203.0.113.9:5')).rejects.toMatchObject({
      message: 'An input has at most 4 sources.',
    })
    const hub = await fleet.server('MCR', 1)
    const bonded = hub.channelIds[0] as string
    await expect(add('S', 'srt://203.0.113.9:1', bonded)).rejects.toMatchObject({
      message: 'Only inputs for encoders have sources.',
    })
    const olivia = await fleet.signedIn('olivia')
    await expect(add('S', 'srt://203.0.113.9:1', id, olivia)).rejects.toMatchObject({ status: 403 })
  })
})
