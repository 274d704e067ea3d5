import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { OUTBOX_PERIOD_MS, OUTBOX_TRIES, outboxPauseMs } from '@backhaul/contract/nouns/outbox'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestCore, type TestCore } from '../../testing.ts'

const message = {
  inventoryId: 'north',
  recipient: 'crew@north.example',
  subject: 'Invitation to London-News',
  text: 'Come and join.',
}

/** A mail server that keeps what it takes; an address that starts with `no-` is refused, `later-` postponed. */
async function mailServer() {
  const taken: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const refusal = (responseCode: number, message: string) =>
        done(Object.assign(new Error(message), { responseCode }))
      if (address.startsWith('no-')) return refusal(550, 'No such mailbox')
      if (address.startsWith('later-')) return refusal(451, 'Try later')
      done()
    },
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (bytes: Buffer) => {
        text += bytes
      })
      stream.on('end', () => {
        taken.push(text)
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return { taken, url: `smtp://127.0.0.1:${port}`, stop: () => new Promise<void>((end) => server.close(end)) }
}

describe.each(engines)('the outbox on %s', (engine) => {
  let server: Awaited<ReturnType<typeof mailServer>>
  let test: TestCore
  beforeEach(async () => {
    server = await mailServer()
    test = await createTestCore(engine, { mail: { server: server.url, from: 'backhaul@north.example' } })
    await test.core.start()
  })
  afterEach(async () => {
    await test.remove()
    await server.stop()
  })

  const list = async (username: string, query: object = {}) =>
    (await test.signedIn(username)).call(api.outbox.list, { query })
  const first = async () => (await list('nora')).items[0]
  const state = (wanted: string) => expect.poll(async () => (await first())?.state).toBe(wanted)

  it('hands a message to the mail server, once, and records when', async () => {
    await test.core.outbox.post(message)
    expect(await first()).toMatchObject({ ...pick(message), state: 'waiting', tries: 0, sentOn: null })
    test.clock.advance(OUTBOX_PERIOD_MS)
    await state('sent')
    test.clock.advance(OUTBOX_PERIOD_MS)
    expect(server.taken).toHaveLength(1)
    expect(server.taken[0]).toContain('To: crew@north.example')
    expect(server.taken[0]).toContain('Come and join.')
    expect(await first()).toMatchObject({ tries: 1, fault: '', sentOn: expect.any(String) })
  })

  it('keeps a message that the server refuses permanently, with its reason, until a retry is requested', async () => {
    await test.core.outbox.post({ ...message, recipient: 'no-body@north.example' })
    test.clock.advance(OUTBOX_PERIOD_MS)
    await state('failed')
    const { id = '', fault } = (await first()) ?? {}
    expect(fault).toContain('No such mailbox')
    const nora = await test.signedIn('nora')
    await nora.call(api.outbox.retry, { params: { id } })
    expect(await first()).toMatchObject({ state: 'waiting', tries: 0 })
    await nora.call(api.outbox.discard, { params: { id } })
    expect((await list('nora')).total).toBe(0)
    await expect(nora.call(api.outbox.retry, { params: { id } })).rejects.toMatchObject({ status: 404 })
  })

  it('retries after a growing pause, and finally gives up', async () => {
    await test.core.outbox.post({ ...message, recipient: 'later-on@north.example' })
    for (let tries = 1; tries <= OUTBOX_TRIES; tries += 1) {
      if (tries > 1) test.clock.advance(outboxPauseMs(tries - 1) - OUTBOX_PERIOD_MS)
      const triesThen = async () => {
        // A check that finds the one before still running leaves it to the next.
        test.clock.advance(OUTBOX_PERIOD_MS)
        return (await first())?.tries
      }
      await expect.poll(triesThen).toBe(tries)
    }
    expect(await first()).toMatchObject({ state: 'failed', fault: expect.stringContaining('Try later') })
  })

  it('refuses to retry a message that was sent', async () => {
    await test.core.outbox.post(message)
    test.clock.advance(OUTBOX_PERIOD_MS)
    await state('sent')
    const nora = await test.signedIn('nora')
    const again = nora.call(api.outbox.retry, { params: { id: (await first())?.id ?? '' } })
    await expect(again).rejects.toMatchObject({ status: 409, message: 'E-mail was already sent.' })
  })

  it('shows administrators the messages of their own customers, searched and by state', async () => {
    await test.core.outbox.post(message)
    await test.core.outbox.post({ ...message, inventoryId: 'south', subject: 'For the south' })
    await test.core.outbox.post({ ...message, inventoryId: null, subject: 'For the house' })
    expect((await list('nora')).items.map(({ subject }) => subject)).toEqual([message.subject])
    expect((await list('root')).total).toBe(3)
    expect((await list('root', { search: 'HOUSE' })).total).toBe(1)
    expect((await list('root', { state: 'sent' })).total).toBe(0)
    const south = (await list('root', { search: 'south' })).items[0]?.id ?? ''
    const nora = await test.signedIn('nora')
    for (const call of [api.outbox.retry, api.outbox.discard])
      await expect(nora.call(call, { params: { id: south } })).rejects.toMatchObject({
        status: 404,
        message: 'E-mail not found.',
      })
  })
})

const pick = ({ recipient, subject, text }: typeof message) => ({ recipient, subject, text })

/** An SMS gateway that keeps what it takes; a number that ends in 0 is refused, in 9 postponed, in 8 sent elsewhere. */
async function smsGateway() {
  const taken: { headers: IncomingHttpHeaders; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const bytes of request) text += bytes
    const { to } = JSON.parse(text) as { to: string }
    const status = { 0: 422, 9: 503, 8: 307 }[to.slice(-1)] ?? 200
    if (status === 200) taken.push({ headers: request.headers, body: JSON.parse(text) })
    if (status === 307) response.setHeader('location', '/elsewhere')
    response.writeHead(status).end(status === 200 ? '' : 'No such number')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => new Promise<void>((end) => server.close(() => end()))
  return { taken, url: `http://house:s%20cret@127.0.0.1:${port}/send`, stop }
}

describe.each(engines)('SMS in the outbox on %s', (engine) => {
  let gateway: Awaited<ReturnType<typeof smsGateway>>
  let test: TestCore
  beforeEach(async () => {
    gateway = await smsGateway()
    test = await createTestCore(engine, { smsGateway: gateway.url })
    await test.core.start()
  })
  afterEach(async () => {
    await test.remove()
    await gateway.stop()
  })

  const post = (recipient: string) => test.core.outbox.post({ ...message, kind: 'sms', recipient })
  const seen = async () => {
    const nora = await test.signedIn('nora')
    return await nora.call(api.outbox.list, { query: {} })
  }
  const becomes = (state: string) => expect.poll(async () => (await seen()).items[0]?.state).toBe(state)

  it('[GROUP-005] is sent to the gateway as JSON, with the credentials of its address and a key of its own', async () => {
    await post('+447700900001')
    test.clock.advance(OUTBOX_PERIOD_MS)
    await becomes('sent')
    const { items } = await seen()
    expect(gateway.taken).toMatchObject([
      {
        body: { to: '+447700900001', text: message.text },
        headers: {
          'content-type': 'application/json',
          'idempotency-key': items[0]?.id,
          authorization: `Basic ${Buffer.from('house:s cret').toString('base64')}`,
        },
      },
    ])
    expect(gateway.taken[0]?.body).toEqual({ to: '+447700900001', text: message.text })
  })

  it('fails with the reason of a gateway that refuses it, and waits for one that is busy or redirects', async () => {
    await post('+447700900000')
    test.clock.advance(OUTBOX_PERIOD_MS)
    await becomes('failed')
    expect((await seen()).items[0]).toMatchObject({ kind: 'sms', fault: 'HTTP 422 No such number' })
    for (const recipient of ['+447700900009', '+447700900008']) {
      test.clock.advance(1000)
      await post(recipient)
      await expect
        .poll(async () => {
          test.clock.advance(OUTBOX_PERIOD_MS)
          return (await seen()).items[0]
        })
        .toMatchObject({ recipient, state: 'waiting', tries: 1 })
    }
    expect(gateway.taken).toEqual([])
  })

  it('does not send e-mail, which has no server here', async () => {
    await test.core.outbox.post(message)
    await test.clock.advanceAsync(3 * OUTBOX_PERIOD_MS)
    expect(await seen()).toMatchObject({
      isConnected: false,
      isSmsConnected: true,
      items: [{ kind: 'email', state: 'waiting', tries: 0 }],
    })
  })
})

describe('without a mail server', () => {
  it('everything waits, and the list shows why', async () => {
    const test = await createTestCore('sqlite')
    await test.core.start()
    await test.core.outbox.post(message)
    await test.clock.advanceAsync(10 * OUTBOX_PERIOD_MS)
    const nora = await test.signedIn('nora')
    await test.core.outbox.post({ ...message, kind: 'sms', recipient: '+447700900001' })
    await test.clock.advanceAsync(10 * OUTBOX_PERIOD_MS)
    expect(await nora.call(api.outbox.list, { query: {} })).toMatchObject({
      isConnected: false,
      isSmsConnected: false,
      items: [
        { kind: 'sms', state: 'waiting', tries: 0 },
        { kind: 'email', state: 'waiting', tries: 0 },
      ],
    })
    await test.remove()
  })
})
