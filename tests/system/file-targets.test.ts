// From a crew's recording to the newsroom's servers: a real unit records and uploads, its hub describes the file, core sends it.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { api } from '@backhaul/contract/api/api'
import type { NewFileTarget } from '@backhaul/contract/nouns/file-targets'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import {
  account,
  openFtpServer,
  openSftpServer,
  type ServerCertificate,
} from '@backhaul/runtime/testing/target-servers'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const groupId = 'newsroom'
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Signed by itself, for 127.0.0.1. */
function makeCertificate(folder: string, name: string): ServerCertificate & { path: string } {
  const [path, keyPath] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=IP:127.0.0.1`
  spawnSync('openssl', [...words.split(' '), '-out', path, '-keyout', keyPath])
  return { path, cert: readFileSync(path, 'utf8'), key: readFileSync(keyPath, 'utf8') }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

describe.runIf(findFfmpeg())('files for a newsroom', () => {
  let stage: Stage
  let person: Person
  let inventoryId: string
  let hubId: string
  let channelId: string
  const keys = mkdtempSync(join(tmpdir(), 'backhaul-keys-'))
  const trusted = hasOpenssl ? makeCertificate(keys, 'trusted') : undefined

  beforeAll(async () => {
    const trust = trusted && { NODE_EXTRA_CA_CERTS: trusted.path }
    stage = await openStage({ hasOwnCore: true, env: { BACKHAUL_ALLOW_OWN_NETWORK: '1', ...trust } })
    await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
    await stage.start('agent', { env: { BACKHAUL_LINKS: '127.0.0.2' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const channel = await until('the channel', async () => {
      const [found] = await person.call(api.channels.ofGroup, { query: { group: groupId } })
      return found
    })
    ;({ uniqueId: channelId, serverId: hubId, inventoryId } = channel)
  }, longMs)
  afterAll(async () => {
    await stage?.stop()
    rmSync(keys, { recursive: true, force: true })
  })

  const addTarget = (target: Pick<NewFileTarget, 'name' | 'kind' | 'address'> & Partial<NewFileTarget>) =>
    person.call(api.fileTargets.create, { params: { id: inventoryId }, body: { ...account, ...target } })
  const send = (fileId: string, targetId: string) =>
    person.call(api.fileTargets.send, { body: { fileId, targetId } })
  const newestSending = async (fileId: string) =>
    (await person.call(api.fileTargets.sendings, { query: { fileId } })).sendings[0]
  const isSent = (fileId: string) =>
    until(
      'the file to be sent',
      async () => (await newestSending(fileId).catch(() => undefined))?.state === 'done',
      longMs,
    )
  const finished = (name: string) =>
    until(
      `${name} to be finished`,
      async () => {
        const query = { groupId, search: name }
        const { items } = await person.call(api.channelFiles.list, { query })
        return items.find(({ isTransferring }) => !isTransferring)
      },
      longMs,
    )

  test(
    '[FILE-002] [FILE-008] a recording of a unit is labelled, uploaded, described next to it as XML, and sent by FTP with its checksum',
    async () => {
      const ftp = await openFtpServer()
      onTestFinished(() => ftp.close())
      const settings = { metadataFormat: 'xml' as const }
      await until('the hub to follow the format', () =>
        person
          .call(api.deviceAdministration.changeServer, { params: { id: hubId }, body: { settings } })
          .then(
            () => true,
            () => false,
          ),
      )
      const units = () => person.call(api.units.ofGroup, { query: { group: groupId } })
      const unit = await until(
        'the unit with its storage',
        async () => (await units()).find((one) => !one.offline && one.storages.length > 0),
        longMs,
      )
      const params = { id: unit.uid }
      const read = () => person.call(api.units.byId, { params })
      await person.call(api.unitCommands.command, {
        params: { ...params, command: 'set_virtual_channel' },
        body: { virtualChannelName: channelId },
      })
      await until('the channel', async () => (await read()).channelId === channelId)
      const configure = (body: object) => person.call(api.unitSettings.configure, { params, body })
      const low = { 'H.264/AVC': 'low', 'H.265/HEVC': 'low' } as const
      await configure({ storeAndForwardQuality: low, sendMode: 'storeAndForward' })
      const media = unit.storages[0]?.path ?? ''
      const recorded = () =>
        readdirSync(media, { recursive: true, withFileTypes: true }).filter((one) =>
          one.name.endsWith('.mp4'),
        )
      await until(
        'something recorded',
        () => recorded().some(({ parentPath, name }) => statSync(join(parentPath, name)).size > 300_000),
        longMs,
      )
      await configure({ sendMode: 'live' })
      const path = await until('the recording', () => {
        const [file] = recorded().filter(({ parentPath }) => !parentPath.includes('.recording'))
        return file && join(file.parentPath, file.name)
      })
      const metadata = { slugline: 'Harbour & fire', reporter: 'Ana Ruiz' }
      await person.call(api.unitFiles.upload, { params, body: { paths: [path], metadata } })
      const { fileId, fileName } = await finished(path.slice(path.lastIndexOf('/') + 1))
      const atHub = join(stage.dataFolder, 'hub', 'uploads', channelId, unit.uid, fileName)
      const document = await until(
        'the document',
        () => existsSync(`${atHub}.xml`) && readFileSync(`${atHub}.xml`, 'utf8'),
        longMs,
      )
      expect(document).toContain('<label name="slugline">Harbour &amp; fire</label>')
      expect(document).toContain('<quality>sd</quality>')
      const query = { groupId, search: fileName }
      const { items } = await person.call(api.channelFiles.list, { query })
      expect(items.map((one) => [one.fileName, one.metadataFormat])).toEqual([[fileName, 'xml']])

      const target = await addTarget({
        name: 'Newsroom',
        kind: 'ftp',
        address: `${ftp.url}/in`,
        sentMetadata: 'xml',
      })
      await send(fileId, target.id)
      await isSent(fileId)
      expect(await hashOf(join(ftp.folder, 'in', fileName))).toBe(await hashOf(path))
      expect(readFileSync(join(ftp.folder, 'in', `${fileName}.xml`), 'utf8')).toBe(document)

      await person.call(api.channelFiles.rename, { body: { fileId, newFileName: 'Harbour.mp4' } })
      const renamed = atHub.replace(fileName, 'Harbour.mp4')
      await until('a document of the new name', () => existsSync(`${renamed}.xml`), longMs)
      expect(existsSync(`${atHub}.xml`)).toBe(false)
      expect(readFileSync(`${renamed}.xml`, 'utf8')).toContain('<fileName>Harbour.mp4</fileName>')
    },
    3 * longMs,
  )

  test(
    '[FILE-002] a file that is on its way to an SFTP server arrives whole although core is killed',
    async () => {
      const sftp = await openSftpServer()
      onTestFinished(() => sftp.close())
      const own = join(stage.dataFolder, 'hub', 'recordings', channelId, '-')
      mkdirSync(own, { recursive: true })
      const source = join(own, 'Match.mp4')
      writeFileSync(source, randomBytes(32 * 1024 * 1024))
      const { fileId, sizeBytes } = await finished('Match.mp4')
      const address = { kind: 'sftp' as const, address: sftp.url, hostKey: sftp.hostKey }
      const target = await addTarget({ name: 'Archive', ...address })
      await send(fileId, target.id)
      const part = await until(
        'the first bytes at the target',
        () => {
          const [name = ''] = readdirSync(sftp.folder)
          return name !== '' && statSync(join(sftp.folder, name)).size > 5_000_000
            ? join(sftp.folder, name)
            : undefined
        },
        longMs,
      )
      signalProcess(stage.pidOf('core'), 'SIGKILL')
      const before = statSync(part).size
      expect(before).toBeLessThan(sizeBytes)
      await isSent(fileId)
      expect(readdirSync(sftp.folder)).toEqual(['Match.mp4'])
      expect(await hashOf(join(sftp.folder, 'Match.mp4'))).toBe(await hashOf(source))
    },
    2 * longMs,
  )

  test.runIf(trusted)(
    '[FILE-002] a file goes to an FTP server with TLS that core trusts, and to no other',
    async () => {
      const ftps = await openFtpServer(trusted)
      const stranger = await openFtpServer(makeCertificate(keys, 'stranger'))
      onTestFinished(async () => {
        await ftps.close()
        await stranger.close()
      })
      const own = join(stage.dataFolder, 'hub', 'recordings', channelId, '-')
      mkdirSync(own, { recursive: true })
      const source = join(own, 'Sealed.mp4')
      writeFileSync(source, randomBytes(3_000_000))
      const { fileId } = await finished('Sealed.mp4')
      const target = await addTarget({ name: 'Vault', kind: 'ftp', address: `${ftps.url}/in` })
      const check = (targetId: string) =>
        person.call(api.fileTargets.check, { params: { id: inventoryId, targetId } })
      // The server takes the first bytes of TLS for a command when they overtake its answer.
      const isAnswered = async (targetId: string, words: string) =>
        until(words, async () => {
          const answer = await check(targetId).catch((refusal: Error) => refusal)
          return (answer instanceof Error ? answer.message : JSON.stringify(answer)).includes(words)
        })
      await isAnswered(target.id, '"done":true')
      await send(fileId, target.id)
      await isSent(fileId)
      expect(await hashOf(join(ftps.folder, 'in', 'Sealed.mp4'))).toBe(await hashOf(source))

      const other = await addTarget({ name: 'Stranger', kind: 'ftp', address: stranger.url })
      await isAnswered(other.id, 'self-signed certificate')
      // The same server without TLS does not let it in.
      const open = await addTarget({
        name: 'Open',
        kind: 'ftp',
        address: ftps.url.replace('ftps:', 'ftp:'),
      })
      await expect(check(open.id)).rejects.toMatchObject({ cause: { code: 'sending.signInRefused' } })
    },
    2 * longMs,
  )
})
