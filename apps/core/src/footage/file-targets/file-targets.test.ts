// Targets of files through the doors: kept with sealed secrets, and files that really arrive at FTP, SFTP and S3 servers.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { NewFileTarget } from '@backhaul/contract/nouns/file-targets'
import {
  account,
  openFtpServer,
  openS3Server,
  openSftpServer,
  type TargetServer,
} from '@backhaul/runtime/testing/target-servers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { type ContentServer, serveContent } from '../../testing/stored-content.ts'
import { filesOf } from '../../testing/stored-files.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { fileTargets: calls } = api
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe.each(enginesOfNight)('targets of files on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let nora: Browser
  let olivia: Browser
  let channelId = ''
  let served: ContentServer
  const content = randomBytes(3_000_000)
  const closing: (() => unknown)[] = []

  async function begin(more: object = { mayReachOwnNetwork: true }): Promise<void> {
    fleet = await createTestFleet(engine, more)
    hub = await fleet.server('MCR', 1, { outputs: 1 })
    channelId = hub.channelIds[0] ?? ''
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    served = await serveContent(content)
    closing.push(() => served.close())
    await showServer()
    await have('Harbour.mp4')
  }
  beforeEach(() => begin())
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
    await fleet.remove()
  })

  async function showServer(): Promise<void> {
    hub.report({ previewPort: served.port })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort === served.port)
  }

  const idOf = (name: string) => `${channelId}/-/${name}`
  async function have(name: string, more: object = {}): Promise<void> {
    const {
      begins: _,
      ends: __,
      ...files
    } = filesOf(channelId, [name], { sizeBytes: content.length, ...more })
    hub.send({ ...files, begins: false, ends: false })
    const query = { groupId: 'london', search: name }
    await expect.poll(async () => (await olivia.call(api.channelFiles.list, { query })).total).toBe(1)
  }

  const add = (target: Partial<NewFileTarget> & Pick<NewFileTarget, 'kind' | 'address'>) =>
    nora.call(calls.create, { params: { id: 'north' }, body: { name: 'Newsroom', ...account, ...target } })
  const send = (targetId: string, name = 'Harbour.mp4', browser = olivia) =>
    browser.call(calls.send, { body: { fileId: idOf(name), targetId } })
  const sendings = async (name = 'Harbour.mp4', browser = olivia) =>
    (await browser.call(calls.sendings, { query: { fileId: idOf(name) } })).sendings
  /** Time passes until the newest sending of the file is in this state. */
  async function reaches(state: string, name = 'Harbour.mp4') {
    await expect
      .poll(async () => {
        await fleet.pass(1000)
        return (await sendings(name))[0]?.state
      })
      .toBe(state)
    return (await sendings(name))[0]
  }
  async function openTarget<T extends TargetServer>(opening: Promise<T>): Promise<T> {
    const server = await opening
    closing.push(() => server.close())
    return server
  }

  it('are kept for a customer by name, their secrets sealed, and changed and deleted by administrators alone', async () => {
    const target = await add({ kind: 'ftp', address: 'ftp://nas.example/in' })
    expect(target).toMatchObject({ name: 'Newsroom', hasSecret: true, sendsAll: false, sentMetadata: 'none' })
    const row = await fleet.db.selectFrom('file_targets').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(account.secret)
    await expect(add({ kind: 'ftp', address: 'ftp://nas.example' })).rejects.toMatchObject({
      code: 409,
      fields: [fault('name', 'name.notUnique')],
    })
    await expect(add({ kind: 's3', address: 'ftp://nas.example' })).rejects.toMatchObject({
      code: 400,
      fields: [fault('address', 'fileTarget.s3Address')],
    })
    const params = { id: 'north', targetId: target.id }
    const change = (body: object, browser = nora) => browser.call(calls.change, { params, body })
    expect(await change({ name: 'Archive', sendsAll: true })).toMatchObject({
      name: 'Archive',
      address: 'ftp://nas.example/in',
      hasSecret: true,
      sendsAll: true,
    })
    await expect(change({ address: 'sftp://nas.example' })).rejects.toMatchObject({
      fields: [fault('address', 'fileTarget.ftpAddress')],
    })
    expect(await change({ secret: '' })).toMatchObject({ hasSecret: false })
    await expect(change({ name: 'Mine' }, olivia)).rejects.toMatchObject({ code: 403 })
    expect((await nora.call(calls.list, { params: { id: 'north' } })).map(({ name }) => name)).toEqual([
      'Archive',
    ])
    await expect(nora.call(calls.list, { params: { id: 'south' } })).rejects.toMatchObject({ code: 404 })
    await nora.call(calls.remove, { params })
    await expect(nora.call(calls.remove, { params })).rejects.toMatchObject({ code: 404 })
  })

  it('get a file by FTP with its checksum and its document, under a name that is free', async () => {
    const ftp = await openTarget(openFtpServer())
    const target = await add({ kind: 'ftp', address: `${ftp.url}/in/news`, sentMetadata: 'xml' })
    await nora.call(calls.check, { params: { id: 'north', targetId: target.id } })
    expect(await send(target.id)).toMatchObject({ state: 'waiting', by: 'olivia', targetName: 'Newsroom' })
    expect(await reaches('done')).toMatchObject({
      sizeBytes: content.length,
      sentBytes: content.length,
      reason: null,
    })
    const folder = join(ftp.folder, 'in/news')
    expect(sha256(readFileSync(join(folder, 'Harbour.mp4')))).toBe(sha256(content))
    expect(readFileSync(join(folder, 'Harbour.mp4.xml'), 'utf8')).toContain(
      '<fileName>Harbour.mp4</fileName>',
    )
    await send(target.id)
    await reaches('done')
    expect(readdirSync(folder).toSorted()).toEqual([
      'Harbour (2).mp4',
      'Harbour (2).mp4.xml',
      'Harbour.mp4',
      'Harbour.mp4.xml',
    ])
    // A user out of scope cannot read the sendings of the file, and a read-only user cannot send it.
    await expect(sendings('Harbour.mp4', await fleet.signedIn('sam'))).rejects.toMatchObject({ code: 404 })
    await expect(send(target.id, 'Harbour.mp4', await fleet.signedIn('reed'))).rejects.toMatchObject({
      code: 403,
    })
  })

  it('get the rest of a file whose way was interrupted, after a lost connection and after a restart of core', async () => {
    const ftp = await openTarget(openFtpServer())
    const target = await add({ kind: 'ftp', address: ftp.url })
    served.after(1_000_000, 'break')
    await send(target.id)
    await expect(send(target.id)).rejects.toMatchObject({
      code: 409,
      message: 'The file is already being sent to this target.',
    })
    await expect.poll(async () => (await sendings())[0]?.tries).toBe(1)
    const [waiting] = await sendings()
    expect(waiting).toMatchObject({ state: 'waiting', tries: 1, nextTryAt: expect.any(String) })
    expect(waiting?.reason).not.toBe('')
    served.after(500_000, 'stall')
    await reaches('sending')
    await until(() => served.from.length === 2)
    const part = join(ftp.folder, readdirSync(ftp.folder)[0] ?? '')
    await until(() => readFileSync(part).length > 1_000_000)
    served.after(0, undefined)
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.again(hub)
    await hub.greet()
    await showServer()
    await reaches('done')
    expect(sha256(readFileSync(join(ftp.folder, 'Harbour.mp4')))).toBe(sha256(content))
    expect(readdirSync(ftp.folder)).toEqual(['Harbour.mp4'])
    const [first, second, third] = served.from
    expect([first, Number(second) > 0, Number(third) >= Number(second)]).toEqual([0, true, true])
  })

  it('get a file by SFTP, only where the server has the key of the target', async () => {
    const sftp = await openTarget(openSftpServer())
    const target = await add({ kind: 'sftp', address: `${sftp.url}/in`, sentMetadata: 'json' })
    const params = { id: 'north', targetId: target.id }
    const message = `The server has the host key ${sftp.hostKey}, which is not the one of the target.`
    await expect(nora.call(calls.check, { params })).rejects.toMatchObject({ code: 409, message })
    await send(target.id)
    expect(await reaches('failed')).toMatchObject({ reason: message, tries: 1 })
    await nora.call(calls.change, { params, body: { hostKey: sftp.hostKey, secret: 'wrong' } })
    await expect(nora.call(calls.check, { params })).rejects.toMatchObject({
      message: expect.stringMatching('user name'),
    })
    await nora.call(calls.change, { params, body: { secret: account.secret } })
    served.after(2_000_000, 'break')
    await send(target.id)
    await expect.poll(async () => (await sendings())[0]?.tries).toBe(1)
    served.after(0, undefined)
    await reaches('done')
    expect(served.from.at(-1)).toBeGreaterThan(0)
    const folder = join(sftp.folder, 'in')
    expect(sha256(readFileSync(join(folder, 'Harbour.mp4')))).toBe(sha256(content))
    expect(JSON.parse(readFileSync(join(folder, 'Harbour.mp4.json'), 'utf8'))).toMatchObject({
      fileName: 'Harbour.mp4',
      sizeBytes: content.length,
      sendMetadata: true,
    })
    expect(readdirSync(folder).toSorted()).toEqual(['Harbour.mp4', 'Harbour.mp4.json'])
  })

  it('are not called with a private key that cannot be used: the sending fails at once with the reason', async () => {
    const sftp = await openTarget(openSftpServer())
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'closed' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const address = { kind: 'sftp' as const, address: sftp.url, hostKey: sftp.hostKey }
    const target = await add({ ...address, secret: privateKey })
    await send(target.id)
    expect(await reaches('failed')).toMatchObject({
      cause: { code: 'sending.unusableKey' },
      reason: expect.stringMatching('passphrase'),
      tries: 1,
    })
    const params = { id: 'north', targetId: target.id }
    await nora.call(calls.change, { params, body: { secret: publicKey } })
    await expect(nora.call(calls.check, { params })).rejects.toMatchObject({
      message: expect.stringMatching('Unsupported key format'),
    })
  })

  it('get a file by S3, a large one in parts of which those that are there are not sent again', async () => {
    const s3 = await openS3Server()
    closing.push(() => s3.close())
    const large = randomBytes(40_000_000)
    served.close()
    served = await serveContent(large)
    await showServer()
    await have('Film.mp4', { sizeBytes: large.length })
    const target = await add({
      kind: 's3',
      address: `${s3.url}/footage/in (1)`.replace(' ', '%20'),
      sentMetadata: 'json',
    })
    const params = { id: 'north', targetId: target.id }
    await nora.call(calls.check, { params })
    s3.failPart(2)
    await send(target.id, 'Film.mp4')
    await reaches('waiting', 'Film.mp4')
    expect((await sendings('Film.mp4'))[0]?.reason).toBe('The target refused the file (503 SlowDown).')
    await reaches('done', 'Film.mp4')
    expect(sha256(s3.objects.get('footage/in (1)/Film.mp4') ?? Buffer.alloc(0))).toBe(sha256(large))
    const parts = s3.requests.flatMap((line) => /^PUT .*partNumber=(\d+)/.exec(line)?.[1] ?? [])
    expect(parts).toEqual(['1', '2', '2', '3'])
    await have('Small.mp4', { sizeBytes: 1000 })
    served.close()
    served = await serveContent(content.subarray(0, 1000))
    await showServer()
    await send(target.id, 'Small.mp4')
    await reaches('done', 'Small.mp4')
    expect(s3.objects.get('footage/in (1)/Small.mp4')).toEqual(content.subarray(0, 1000))
    expect(s3.objects.has('footage/in (1)/Small.mp4.json')).toBe(true)
    await nora.call(calls.change, { params, body: { secret: 'wrong' } })
    await expect(nora.call(calls.check, { params })).rejects.toMatchObject({
      message: 'The target refused the user name or the secret (403 SignatureDoesNotMatch).',
    })
  })

  it('get each file that finishes by themselves, once, also after it is renamed', async () => {
    const ftp = await openTarget(openFtpServer())
    await add({ kind: 'ftp', address: ftp.url, sendsAll: true })
    const nowMs = fleet.clock.nowMs() + 1000
    await have('Old.mp4', { modifiedMs: nowMs - 3_600_000 })
    await have('New.mp4', { isTransferring: true, modifiedMs: nowMs })
    await have('New.mp4', { modifiedMs: nowMs })
    expect(await reaches('done', 'New.mp4')).toMatchObject({ by: null })
    expect(readdirSync(ftp.folder)).toEqual(['New.mp4'])
    const renaming = olivia.call(api.channelFiles.rename, {
      body: { fileId: idOf('New.mp4'), newFileName: 'Storm.mp4' },
    })
    const { id } = await hub.next('order', ({ name }) => name === 'rename_file')
    const gone = { channelId, unitId: '-', fileName: 'New.mp4' }
    const renamed = filesOf(channelId, ['Storm.mp4'], { sizeBytes: content.length, modifiedMs: nowMs })
    hub.send({ ...renamed, begins: false, ends: false, removed: [gone] })
    hub.send({ type: 'outcome', id, state: 'confirmed' })
    await renaming
    await fleet.pass(10_000)
    expect((await sendings('Storm.mp4')).map(({ state }) => state)).toEqual(['done'])
    expect(readdirSync(ftp.folder)).toEqual(['New.mp4'])
    expect(await sendings('Old.mp4')).toEqual([])
  })

  it('get nothing more of a sending that is cancelled, of a file that is removed, or by a wrong password', async () => {
    const ftp = await openTarget(openFtpServer())
    const target = await add({ kind: 'ftp', address: ftp.url })
    served.after(100_000, 'stall')
    const { id } = await send(target.id)
    await reaches('sending')
    const cancel = (browser = olivia) => browser.call(calls.cancel, { params: { sendingId: id } })
    await expect(cancel(await fleet.signedIn('sam'))).rejects.toMatchObject({ code: 404 })
    expect(await cancel()).toMatchObject({ state: 'cancelled', endedAt: expect.any(String) })
    await expect(cancel()).rejects.toMatchObject({ code: 409, message: 'This sending is over.' })
    await have('Growing.mp4', { isTransferring: true })
    await expect(send(target.id, 'Growing.mp4')).rejects.toMatchObject({
      message: 'The file is still being written.',
    })
    await expect(send('ft-nowhere')).rejects.toMatchObject({ code: 404 })
    const params = { id: 'north', targetId: target.id }
    await nora.call(calls.change, { params, body: { secret: 'wrong' } })
    await send(target.id)
    expect(await reaches('failed')).toMatchObject({
      tries: 1,
      reason: expect.stringMatching(/^The target refused the user name or the secret/),
    })
    const removed = [{ channelId, unitId: '-', fileName: 'Harbour.mp4' }]
    hub.send({ type: 'files', begins: false, ends: false, files: [], removed })
    await expect.poll(() => fleet.db.selectFrom('file_sendings').selectAll().execute()).toEqual([])
    expect(existsSync(join(ftp.folder, 'Harbour.mp4'))).toBe(false)
  })

  it('that fail to encrypt are refused with the reason alone', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 Ready\r\n')
      // The data after the answer is not TLS.
      socket.on('data', (bytes) =>
        socket.write(`${bytes}`.startsWith('AUTH') ? '234 Go on\r\n' : '500 What?\r\n'),
      )
    }).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    closing.push(() => plain.close())
    const address = `ftps://127.0.0.1:${(plain.address() as AddressInfo).port}`
    const { id: targetId } = await add({ kind: 'ftp', address })
    await expect(nora.call(calls.check, { params: { id: 'north', targetId } })).rejects.toMatchObject({
      code: 409,
      message: 'The target cannot be reached (wrong version number).',
    })
  })

  it('in the own network are refused where core may not reach it', async () => {
    await fleet.remove()
    await begin({})
    const ftp = await openTarget(openFtpServer())
    writeFileSync(join(ftp.folder, 'Secret.txt'), 'of the own network')
    for (const [kind, address] of [
      ['ftp', ftp.url],
      ['ftp', ftp.url.replace('127.0.0.1', 'localhost')],
      ['sftp', ftp.url.replace('ftp:', 'sftp:')],
      ['s3', `${ftp.url.replace('ftp:', 'http:')}/bucket`],
    ] as const) {
      const { id: targetId } = await add({ name: `${kind} ${address}`, kind, address })
      await expect(nora.call(calls.check, { params: { id: 'north', targetId } })).rejects.toMatchObject({
        code: 409,
        cause: { code: 'outward.internal' },
      })
    }
  })
})
