// A large file from the agent's disk to the hub's through core, over a narrow line, with the agent, the hub and core killed
// on the way.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { api } from '@backhaul/contract/api/api'
import type { FileUpload } from '@backhaul/contract/nouns/unit-files'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const sizeBytes = 20 * 1024 * 1024
const lineBytesPerSecond = 2 * 1024 * 1024
const patienceMs = patientMs(90_000)
let stage: Stage
let person: Person
let line: Awaited<ReturnType<typeof openNarrowLine>>

/** A relay to core's port, with a limited uplink. */
async function openNarrowLine(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    const narrow = new Transform({
      transform(piece: Buffer, _, done) {
        setTimeout(() => done(null, piece), (piece.length / lineBytesPerSecond) * 1000)
      },
    })
    void pipeline(near, narrow, far).catch(() => near.destroy())
    void pipeline(far, near).catch(() => far.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/gateway`
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url, close }
}

beforeAll(async () => {
  stage = await openStage({ demo: 0, hasOwnCore: true })
  // No link of the unit reaches it: its files go through core.
  await stage.start('hub', { env: { BACKHAUL_HUB_ADDRESS: '192.0.2.1' } })
  line = await openNarrowLine(Number(new URL(stage.url).port))
  await stage.start('agent', {
    env: { BACKHAUL_CORE_URL: line.url, BACKHAUL_LINKS: '127.0.0.2,127.0.0.3' },
  })
  person = await signIn(stage.url, 'admin', adminPassword)
}, patienceMs)
afterAll(async () => {
  line?.close()
  await stage?.stop()
})

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

test(
  '[FILE-005] an upload through core continues where it stopped when the agent, the hub and core are killed',
  async () => {
    const units = () => person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
    const unit = await until(
      'the unit with its storage',
      async () => (await units()).find((one) => !one.offline && one.storages.length > 0),
      patienceMs,
    )
    const channels = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    const channelId = channels.find(({ inputType }) => inputType === null)?.uniqueId ?? ''
    await person.call(api.unitCommands.command, {
      params: { id: unit.uid, command: 'set_virtual_channel' },
      body: { virtualChannelName: channelId },
    })
    const read = () => person.call(api.units.byId, { params: { id: unit.uid } })
    await until('the channel', async () => (await read()).channelId === channelId)

    const media = unit.storages[0]?.path ?? ''
    mkdirSync(media, { recursive: true })
    const source = join(media, 'Match.mp4')
    writeFileSync(source, randomBytes(sizeBytes))
    await person.call(api.unitFiles.upload, { params: { id: unit.uid }, body: { paths: [source] } })

    const upload = async (): Promise<FileUpload | undefined> => (await read()).uploadedFiles[0]
    const incoming = join(stage.dataFolder, 'hub', 'incoming')
    const kept = async () => {
      const [name] = (await readdir(incoming).catch(() => [])).filter((one) => one.endsWith('.part'))
      return name === undefined ? 0 : (await stat(join(incoming, name))).size
    }
    for (const [at, name] of ['agent', 'hub', 'core'].entries()) {
      const least = ((at + 1) * sizeBytes) / 5
      await until('some more of the file', async () => (await kept()) >= least, patienceMs)
      signalProcess(stage.pidOf(name), 'SIGKILL')
      const before = await kept()
      expect(before).toBeGreaterThanOrEqual(least)
      expect(before).toBeLessThan(sizeBytes)
      // New data are appended: the part never gets shorter.
      await until(
        `the upload continuing after the end of ${name}`,
        async () => {
          const size = await kept()
          const now = await upload().catch(() => undefined)
          if (size < before && now?.state !== 'success') throw new Error(`${size} of ${before} are left`)
          return size > before || now?.state === 'success'
        },
        patienceMs,
      )
    }
    const done = await until(
      'the end of the upload',
      async () => {
        // Core may still be starting.
        const now = await upload().catch(() => undefined)
        return now && !['pending', 'uploading', 'waiting'].includes(now.state) ? now : undefined
      },
      patienceMs,
    )
    expect(done).toMatchObject({ state: 'success', reason: null, sizeBytes, sentBytes: sizeBytes })
    const arrived = join(stage.dataFolder, 'hub', 'uploads', channelId, unit.uid, 'Match.mp4')
    expect(await hashOf(arrived)).toBe(await hashOf(source))
    expect(await kept()).toBe(0)
  },
  5 * patienceMs,
)
