// An encoder that gets too little of the processor on air: what an operator reads of it, and that it passes; and the recording
// of the channel, which the operator starts and stops next to its picture.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const query = { group: 'newsroom' }

describe.runIf(hasChromium && findFfmpeg())('a real unit on air in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unitId: string
  let channelId: string
  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: '127.0.0.2,127.0.0.3',
        BACKHAUL_PICTURE: '640x360p25',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    unitId = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query })
      return found?.idle ? found.uid : undefined
    })
    channelId = await until(
      'the channel',
      async () => (await person.call(api.channels.ofGroup, { query }))[0]?.uniqueId,
    )
    const params = { id: unitId }
    await person.call(api.unitCommands.start, { params, body: { channel: channelId } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'admin', adminPassword, `/unit/${unitId}?ignoreRouteDefault=1`)
    await until('the picture', async () => (await channel())?.status === 'collecting', longMs)
  }, 3 * longMs)
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  const page = () => chromium.page
  const channel = async () => (await person.call(api.channels.ofGroup, { query }))[0]

  test(
    '[FILE-009] an operator starts and stops the recording of its channel, and reads why none is written',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
      const record = page().locator('[data-part=record]')
      const recordings = join(stage.dataFolder, 'hub', 'recordings')
      // No folder can be made below it, also by root.
      rmSync(recordings, { recursive: true, force: true })
      writeFileSync(recordings, '')
      await record.getByRole('button').click()
      await record
        .getByText('The server cannot write into its folder of recordings.')
        .waitFor({ timeout: longMs })
      expect(await violations(page())).toEqual([])
      rmSync(recordings)
      await record.getByText('Recording', { exact: true }).waitFor({ timeout: longMs })
      expect(
        readdirSync(recordings, { recursive: true, encoding: 'utf8' }).some((one) => one.endsWith('.mp4')),
      ).toBe(true)
      await record.getByRole('button').click()
      await record.getByText('Record', { exact: true }).waitFor({ timeout: longMs })
      await until('the end of the recording', async () => (await channel())?.recording === false, longMs)
    },
    4 * longMs,
  )

  test(
    '[ALERT-001] an operator reads that its encoder is too slow and why, while it is on air',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
      const starving = starve(() => encodersOf(stage.pidOf('agent')))
      onTestFinished(starving.end)
      const reason = page().getByText(
        /^The machine of the unit is too slow to encode 640×360 p25 with libx264: it leaves frames out\.$/,
      )
      await reason.first().waitFor({ timeout: longMs })
      await page().getByText('Frames lost', { exact: true }).waitFor()
      await page()
        .getByText(/^Frames lost on air \d+ %$/)
        .first()
        .waitFor({ timeout: longMs })
      // A machine that is slow for other reasons too names the other one at times.
      const alerts = await person.call(api.alerts.active, { query: { groupId: 'newsroom' } })
      expect(alerts.find(({ type }) => type === 'encoderBehind')).toMatchObject({
        uid: unitId,
        reason: expect.stringContaining('640×360 p25'),
        cause: { params: { picture: '640×360 p25' } },
      })
      expect(await violations(page())).toEqual([])
      starving.end()
      await person.call(api.unitCommands.stop, { params: { id: unitId } })
      await page().getByText('Frames lost', { exact: true }).waitFor({ state: 'detached', timeout: longMs })
      await page()
        .getByText(/^Frames lost on air \d+ %$/)
        .waitFor({ state: 'detached', timeout: longMs })
    },
    4 * longMs,
  )
})

/** Stopped for most of the time, as a machine with too much to do runs them. */
function starve(pids: () => number[]): { end(): void } {
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids()) {
      try {
        signalProcess(pid, signal)
      } catch {
        // It has ended since it was listed.
      }
    }
  }
  let isRunning = true
  const timer = setInterval(() => {
    isRunning = !isRunning
    send(isRunning ? 'SIGCONT' : 'SIGSTOP')
  }, 1500)
  return {
    end() {
      clearInterval(timer)
      send('SIGCONT')
    },
  }
}

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The programs below the agent that make a transport stream of raw pictures. */
function encodersOf(agent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const parentOf = (pid: number) => Number(/\) \S+ (\d+)/.exec(read(pid, 'stat'))?.[1] ?? 0)
  const isBelow = (pid: number): boolean => pid > 1 && (pid === agent || isBelow(parentOf(pid)))
  return pids.filter((pid) => {
    const command = read(pid, 'cmdline')
    return command.includes('rawvideo') && command.includes('mpegts') && isBelow(pid)
  })
}
