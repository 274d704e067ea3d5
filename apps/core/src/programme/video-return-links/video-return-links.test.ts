// Share links of a video return channel, with a small server in place of the hub's picture door.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { ShareLinkChange } from '@backhaul/contract/nouns/video-return-links'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, createBrowser } from '../../testing.ts'

const { videoReturnLinks: calls } = api
const minuteMs = 60_000

describe.each(enginesOfNight)('share links of video return on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let studio: TestDevice
  let channelId: string
  let door: Server
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    studio = await fleet.server('VR', 1, { product: 'Video Return Server' })
    channelId = studio.channelIds[0] ?? ''
    door = createServer()
    const sockets = new WebSocketServer({ server: door })
    sockets.on('connection', (socket) => socket.send('pictures'))
    await new Promise<void>((open) => door.listen(0, '127.0.0.1', open))
    studio.report({ previewPort: (door.address() as AddressInfo).port })
    await until(() => fleet.core.servers.memory(studio.id)?.actual.previewPort != null)
    studio.telemetry([{ channelId, status: 'videoReturnInputConnected' }])
    await until(() => fleet.core.channels.known(channelId)?.status === 'videoReturnInputConnected')
  })
  afterEach(async () => {
    await fleet.remove()
    door.closeAllConnections()
    door.close()
  })

  const params = () => ({ id: channelId })
  const inMs = (ms: number) => new Date(fleet.clock.nowMs() + ms).toISOString()
  const create = (more: object = {}, by = nora, id = channelId) =>
    by.call(calls.create, {
      params: { id },
      body: { description: 'Press', startsAt: inMs(minuteMs), durationMinutes: 60, ...more },
    })
  const change = (linkId: string, body: ShareLinkChange, by = nora) =>
    by.call(calls.change, { params: { ...params(), linkId }, body })
  const list = async (by = nora) => await by.call(calls.list, { params: params() })
  const tokenOf = ({ url }: { url: string }) => url.split('#')[1] ?? ''
  const look = (token: string) => createBrowser(fleet.core).call(calls.look, { params: { token } })
  const open = (path: string | null) => {
    const socket = new WebSocket(fleet.url.replace('http', 'ws') + path)
    const seen = { text: '', isOver: false, socket }
    socket.on('message', (data) => {
      seen.text += String(data)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.isOver = true
    })
    return seen
  }
  /** The window of a link that was just made begins; the devices remain connected. */
  async function begin(): Promise<void> {
    await fleet.pass(minuteMs)
    studio.telemetry([{ channelId, status: 'videoReturnInputConnected' }])
    await until(() => fleet.core.channels.known(channelId)?.status === 'videoReturnInputConnected')
  }
  async function watching(token: string) {
    const page = open((await look(token)).stream)
    await until(() => page.text === 'pictures')
    return page
  }

  it('[VR-005] show the picture in their window alone, and stop a watching page at once', async () => {
    const link = await create({ description: 'Press office' })
    expect(link).toMatchObject({
      description: 'Press office',
      durationMinutes: 60,
      endsAt: inMs(61 * minuteMs),
      active: true,
      state: 'waiting',
      viewers: 0,
      createdBy: 'nora',
    })
    expect(link.url).toMatch(/\/shared_return#[\w-]{32}$/)
    const token = tokenOf(link)
    expect(await look(token)).toMatchObject({ description: 'Press office', state: 'waiting', stream: null })
    await begin()
    const first = await watching(token)
    expect(await list()).toMatchObject([{ id: link.id, state: 'open', viewers: 1, url: link.url }])

    await change(link.id, { active: false })
    await until(() => first.isOver)
    expect(await look(token)).toMatchObject({ state: 'ended', stream: null })
    expect(await change(link.id, { active: true })).toMatchObject({ state: 'open', viewers: 0 })

    // It expires while a page watches, also one whose end another core has moved.
    const second = await watching(token)
    await fleet.db
      .updateTable('share_links')
      .set({ ends_ms: fleet.clock.nowMs() + 5000 })
      .execute()
    await fleet.pass(6000)
    await until(() => second.isOver)
    expect(await look(token)).toMatchObject({ state: 'expired', stream: null })

    const other = await create()
    await begin()
    const third = await watching(tokenOf(other))
    await nora.call(calls.remove, { params: { ...params(), linkId: other.id } })
    await until(() => third.isOver)
    await expect(look(tokenOf(other))).rejects.toMatchObject({ status: 404, message: 'Link not found.' })
  })

  it('[VR-005] outlast a restart of core, and give a reason where there is no picture', async () => {
    const link = await create()
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await list()).toEqual([link])
    fleet.clock.advance(minuteMs)
    expect(await look(tokenOf(link))).toMatchObject({
      state: 'open',
      stream: null,
      reason: 'The server of this channel is not connected.',
    })
    studio = await fleet.again(studio)
    await studio.greet()
    studio.report({ previewPort: (door.address() as AddressInfo).port })
    studio.telemetry([{ channelId, status: 'idle' }])
    await until(() => fleet.core.channels.known(channelId)?.status === 'idle')
    await until(() => fleet.core.servers.memory(studio.id)?.actual.previewPort != null)
    expect(await look(tokenOf(link))).toMatchObject({
      stream: null,
      cause: { code: 'videoReturn.noPicture' },
    })
    studio.telemetry([{ channelId, status: 'videoReturnInputConnected' }])
    await until(() => fleet.core.channels.known(channelId)?.status === 'videoReturnInputConnected')
    const { stream } = await look(tokenOf(link))
    // A ticket is for half a minute, and for its link.
    fleet.clock.advance(31_000)
    const late = open(stream)
    await until(() => late.isOver)
    const forged = open('/preview/shared/forged/stream')
    await until(() => forged.isOver)
    expect([late.text, forged.text]).toEqual(['', ''])
  })

  it('[VR-005] show the picture on at most twenty pages at the same time', async () => {
    const link = await create()
    await begin()
    const token = tokenOf(link)
    const pages = []
    for (let at = 0; at < 20; at++) pages.push(await watching(token))
    const { stream } = await look(token)
    const more = open(stream)
    await until(() => more.isOver)
    expect(more.text).toBe('')
    expect(await list()).toMatchObject([{ viewers: 20 }])
    pages[0]?.socket.terminate()
    await expect.poll(async () => (await list())[0]?.viewers).toBe(19)
    await watching(token)
  })

  it('[VR-005] require a description, a start in the future and a duration, and are at most ten of a channel', async () => {
    const atField = (field: string, code: Parameters<typeof fault>[1]) => ({
      status: 400,
      fields: [fault(field, code)],
    })
    await expect(create({ description: ' ' })).rejects.toMatchObject(atField('description', 'field.required'))
    for (const startsAt of [inMs(0), inMs(-minuteMs)])
      await expect(create({ startsAt })).rejects.toMatchObject(atField('startsAt', 'date.inFuture'))
    await expect(create({ durationMinutes: undefined })).rejects.toMatchObject({
      status: 400,
      fields: [fault('durationMinutes', 'number.required')],
    })
    await expect(create({ durationMinutes: 0 })).rejects.toMatchObject({
      fields: [{ field: 'durationMinutes', message: 'Must be 1 or more' }],
    })
    await expect(create({ durationMinutes: 43_201 })).rejects.toMatchObject({
      fields: [{ field: 'durationMinutes', message: 'Must be 43200 or less' }],
    })
    const first = await create()
    for (let at = 1; at < 10; at++) await create({ description: `Press ${at}` })
    await expect(create()).rejects.toMatchObject({
      status: 409,
      message: 'A channel has at most 10 share links.',
    })
    expect(await list()).toHaveLength(10)
    await nora.call(calls.remove, { params: { ...params(), linkId: first.id } })
    await create()
    // Expired ones make room.
    fleet.clock.advance(62 * minuteMs)
    await create()
    expect(await list()).toHaveLength(1)
    const [left] = await list()
    const linkId = left?.id ?? ''
    await expect(change(linkId, { startsAt: inMs(-1) })).rejects.toMatchObject(
      atField('startsAt', 'date.inFuture'),
    )
    expect(await change(linkId, { description: 'Radio', durationMinutes: 5 })).toMatchObject({
      description: 'Radio',
      durationMinutes: 5,
      endsAt: inMs(6 * minuteMs),
    })
  })

  it('[VR-005] are for administrators of the channel, and their token is neither stored in the clear nor logged', async () => {
    const link = await create()
    const olivia = await fleet.signedIn('olivia')
    await expect(list(olivia)).rejects.toMatchObject({ status: 403 })
    await expect(create({}, olivia)).rejects.toMatchObject({ status: 403 })
    const receiving = await fleet.server('MCR', 1)
    await expect(create({}, nora, receiving.channelIds[0])).rejects.toMatchObject({ status: 404 })
    await expect(change('sl-unknown', { active: false })).rejects.toMatchObject({
      status: 404,
      message: 'Link not found.',
    })
    const root = await fleet.signedIn('root')
    const audit = await root.call(api.audit.list, { query: {} })
    const token = tokenOf(link)
    expect(JSON.stringify(audit)).not.toContain(token)
    expect(audit.items.some(({ action }) => action === 'videoReturnLinks.create')).toBe(true)
    expect(JSON.stringify(await fleet.db.selectFrom('share_links').selectAll().execute())).not.toContain(
      token,
    )
    // Guesses from one address are slowed down.
    let status = 0
    for (let at = 0; at < 30 && status !== 429; at++)
      status = await look(`guess-${at}`).then(
        () => 200,
        (refused) => refused.status,
      )
    expect(status).toBe(429)
  })
})
