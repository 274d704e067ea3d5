// Private sessions and options of ffmpeg through the doors.
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { FfmpegSettings } from '@backhaul/contract/nouns/ffmpeg-settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelSettings: calls } = api
const capabilities = {
  protocolsIn: ['bonded'],
  protocolsOut: ['mpegts', 'rtmp'],
  encoders: ['libx264', 'aac'],
  ffmpegVersion: '5.1.9',
}

describe.each(enginesOfNight)('settings of channels on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let olivia: Browser
  let hub: TestDevice
  let channelId: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.server('MCR', 1)
    hub.report({ capabilities })
    channelId = hub.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length > 0)
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 2)
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: channelId })
  const known = () => fleet.core.channels.known(channelId) as Channel

  describe('private sessions', () => {
    const hold = (privateSession: boolean, browser = nora) =>
      browser.call(calls.privateSession, { body: { uid: channelId, privateSession } })
    const start = (unit: TestDevice, browser: Browser) =>
      browser.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    const closed = { status: 403, message: 'The channel is in a private session.' }

    it('[CHAN-013] only its administrators send units to it, choose it and record it', async () => {
      const unit = await fleet.unit('VAN')
      await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
      expect(await hold(true)).toMatchObject({ uniqueId: channelId, privateSession: true })
      await expect(start(unit, olivia)).rejects.toMatchObject(closed)
      const chosen = olivia.call(api.unitCommands.command, {
        params: { id: unit.id, command: 'set_virtual_channel' },
        body: { virtualChannelName: channelId },
      })
      await expect(chosen).rejects.toMatchObject(closed)
      const record = (browser: Browser) =>
        browser.call(api.channels.record, { params: params(), body: { recording: true } })
      await expect(record(olivia)).rejects.toMatchObject(closed)
      expect(known().allocatedToUnitUid).toBeNull()
      await start(unit, nora)
      await record(nora)
      expect(known().allocatedToUnitUid).toBe(unit.id)
      // All users see that it is in use.
      expect(await olivia.call(api.channels.status, { params: params() })).toMatchObject({
        allocatedToUnitUid: unit.id,
      })
      await hold(false)
      await olivia.call(api.unitCommands.stop, { params: { id: unit.id } })
      await until(() => known().allocatedToUnitUid === null)
      expect((await hold(true)).privateSession).toBe(true)
      await fleet.restart()
      expect(known().privateSession).toBe(true)
    })

    it('[CHAN-013] only its administrators are given its picture', async () => {
      const still = async (browser: Browser) => {
        const answer = await fetch(`${fleet.url}/preview/${channelId}/still.jpg`, {
          headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        return [answer.status, ((await answer.json()) as { message: string }).message]
      }
      // The server of the test has no picture: what matters is who is let through to it.
      const reached = [503, 'The server of this channel is not connected.']
      expect(await still(olivia)).toEqual(reached)
      await hold(true)
      expect(await still(olivia)).toEqual([403, closed.message])
      expect(await still(nora)).toEqual(reached)
      const accessible = await nora.call(api.channels.accessibility, {
        params: { group: 'london', id: channelId },
      })
      expect(accessible.reason).not.toBe(closed.message)
      await expect(hold(false, olivia)).rejects.toMatchObject({ status: 403 })
    })
  })

  describe('options of ffmpeg', () => {
    const destination = { name: 'Web', streamType: 'MPEG-TS', ip: '192.0.2.9', port: 9000 } as const
    const settings = { preset: 'fast', 'b:v': '2500k', s: '640x360', 'b:a': '96k' }
    const set = (ffmpegSettings: FfmpegSettings, ffmpegOverride = true, browser = nora) =>
      browser.call(calls.setFfmpeg, { params: params(), body: { ffmpegSettings, ffmpegOverride } })
    const sent = () => hub.newest('serverWanted')?.state.channels[0]?.outputs[0]

    it('[CHAN-012] its outputs carry them while the override is on, and else they are only kept', async () => {
      await nora.call(api.destinations.add, { body: { uid: channelId, destination } })
      await until(() => sent() !== undefined)
      expect(await set(settings, false)).toEqual({ ffmpegSettings: settings, ffmpegOverride: false })
      expect(known()).toMatchObject({ ffmpegSettings: settings, ffmpegOverride: false })
      expect(sent()).not.toHaveProperty('ffmpeg')
      const body = { ffmpegSettings: settings, ffmpegOverride: true }
      expect(await nora.call(calls.setAdministeredFfmpeg, { params: params(), body })).toEqual(body)
      await until(() => sent()?.ffmpeg !== undefined)
      expect(sent()).toMatchObject({ protocol: 'mpegts', ffmpeg: settings })
      await fleet.restart()
      nora = await fleet.signedIn('nora')
      for (const read of [calls.ffmpeg, calls.administeredFfmpeg])
        expect(await nora.call(read, { params: params() })).toEqual(body)
    })

    it('[CHAN-012] refuses options that are not allowed and values that they cannot have, by name', async () => {
      const refused: [FfmpegSettings, string, string][] = [
        [{ i: '/etc/passwd' }, 'i', 'Option i of ffmpeg cannot be set.'],
        [{ f: 'tee' }, 'f', 'Option f of ffmpeg cannot be set.'],
        [{ 'filter:v': 'movie=/etc/passwd' }, 'filter:v', 'Option filter:v of ffmpeg cannot be set.'],
        [{ constructor: 'x' }, 'constructor', 'Option constructor of ffmpeg cannot be set.'],
        [{ crf: '52' }, 'crf', 'Option crf of ffmpeg must be 0 – 51.'],
        [{ 'b:v': '99999k' }, 'b:v', 'Option b:v of ffmpeg must be 100k – 50000k.'],
        [{ preset: 'fast; reboot' }, 'preset', 'Option preset of ffmpeg must be ultrafast, '],
        [{ s: '641x360' }, 's', 'Option s of ffmpeg must be 64x64 – 3840x3840.'],
      ]
      for (const [options, name, message] of refused)
        await expect(set({ g: '25', ...options })).rejects.toMatchObject({
          status: 400,
          fields: [{ field: `ffmpegSettings.${name}`, message: expect.stringContaining(message) }],
        })
      expect(known().ffmpegSettings).toEqual({})
      await expect(set(settings, true, olivia)).rejects.toMatchObject({ status: 403 })
      hub.report({ capabilities: { ...capabilities, encoders: [] } })
      await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 0)
      await expect(set(settings)).rejects.toMatchObject({ message: 'The server cannot encode.' })
    })
  })
})
