// Talk on the unit's own page: a phone of the crew mutes and opens a real microphone, judged by what another crew hears.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Intercom } from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { SAMPLE_RATE } from '@backhaul/speech/frames'
import { loudnessOf } from '@backhaul/speech/testing/tones'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, violations } from '../stage/browser.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-talk-'))
const speakerFile = join(folder, 'heard.raw')
/** The tone of the crew that talks; a second of it is heard where it is louder than this. */
const hertz = 400
const audible = 3000
const longMs = patientMs(120_000)
const phone = { width: 390, height: 844 }
const crews = ['Van-1', 'Van-2'] as const
type Crew = (typeof crews)[number]

const microphone = `exec ${ffmpegPath} -v error -nostdin -re -f lavfi -i sine=frequency=${hertz}:sample_rate=${SAMPLE_RATE},volume=2 -ac 1 -f s16le -flush_packets 1 pipe:1`

const green = 'rgb(0, 105, 47)'

/** The little of a page's own types that is needed here. */
interface Styles {
  getComputedStyle(of: unknown): { backgroundColor: string }
}

const bytesHeard = () => (existsSync(speakerFile) ? statSync(speakerFile).size : 0)

/** The sound that the speaker of the other crew has played since then. */
function heardSince(bytes: number): Int16Array {
  const newer = readFileSync(speakerFile).subarray(bytes - (bytes % 2))
  return Int16Array.from({ length: Math.floor(newer.length / 2) }, (_, at) => newer.readInt16LE(at * 2))
}

/** The voice of the crew is in the room for this long from now on. */
async function speaks(seconds = 1): Promise<void> {
  const before = bytesHeard()
  await until(
    `${seconds} s of the crew in the room`,
    () => {
      if (bytesHeard() - before < 2 * seconds * SAMPLE_RATE) return false
      return loudnessOf(hertz, heardSince(before).subarray(-SAMPLE_RATE)) > audible
    },
    longMs,
  )
}

/** The room is silent from now on: the speaker is given nothing to play. */
async function falls(): Promise<void> {
  await until(
    'silence in the room',
    async () => {
      const before = bytesHeard()
      await pause(1000)
      return bytesHeard() === before
    },
    longMs,
  )
}

describe.runIf(hasChromium && ffmpegPath)("talk on the unit's own page", () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let push: Listener
  let rooms: { inventory: string; gallery: string }
  const units = new Map<string, Unit>()
  goOnFromEachOther()
  beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(stage.lines.slice(-40).join('\n'))))

  const params = (crew: Crew) => ({ id: units.get(crew)?.uid ?? '' })
  const lineIs = (crew: Crew, check: (one: Intercom | undefined) => boolean) =>
    push.until(`unit.${params(crew).id}`, (unit) => check((unit as Unit).intercoms?.[0]), longMs)
  async function connect(crew: Crew): Promise<void> {
    await person.call(api.intercom.start, { params: { ...params(crew), session: 1 }, body: {} })
    await lineIs(crew, (one) => one?.state === 'connected' && one.transition === null)
  }

  /** The address of the page that a crew's unit serves. */
  function addressOf(crew: Crew): string {
    const served = stage.lines.find((one) => one.startsWith(`${crew}:`) && one.includes('own page is served'))
    return /"address":"([^"]+)"/.exec(served ?? '')?.[1] ?? ''
  }

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', {
      env: { BACKHAUL_HUB_CHANNELS: '1' },
    })
    for (const crew of crews)
      await stage.start('agent', {
        as: crew,
        env: {
          BACKHAUL_UNIT_NAME: crew,
          BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
          BACKHAUL_PICTURE: '320x180p10',
          BACKHAUL_RETURN_PORT: '0',
          BACKHAUL_PAGE_PORT: '0',
          ...(crew === 'Van-1' && { BACKHAUL_MICROPHONE_1: microphone }),
          ...(crew === 'Van-2' && { BACKHAUL_SPEAKER_1: `cat >> ${speakerFile}` }),
        },
      })
    person = await signIn(stage.url, 'admin', adminPassword)
    await until('both units', async () => {
      const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      for (const unit of found) if (unit.idle && unit.intercoms.length === 1) units.set(unit.name, unit)
      return units.size === 2
    })
    const inventory = { id: units.get('Van-1')?.inventoryId ?? '' }
    await person.call(api.services.add, { params: inventory, body: { name: 'web_aud_connect' } })
    await person.call(api.inventories.update, { params: inventory, body: { sipServer: 'rooms.example' } })
    const members = [...units.values()].map(({ uid }) => uid)
    const { id: room } = await person.call(api.audioRooms.create, {
      params: inventory,
      body: { name: 'Gallery', units: members },
    })
    rooms = { inventory: inventory.id, gallery: room }
    push = await person.listen(members.map((uid) => `unit.${uid}`))
    for (const crew of crews) {
      const body = { intercom: 1 as const, mode: 'audioRoom' as const, destinationAccount: room }
      await person.call(api.intercom.set, { params: params(crew), body })
      await lineIs(crew, (one) => one?.destinationAccount === room)
    }
    chromium = await openChromium(phone)
  })
  afterAll(async () => {
    push?.close()
    await chromium?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const page = () => chromium.page
  const line = (of = page()) => of.getByRole('group', { name: 'Line 1' })
  const mute = () => line().getByRole('button', { name: 'Mute' })
  const talk = (of = page()) => line(of).getByRole('button', { name: 'Hold to talk' })
  const shows = (text: string, of = page()) =>
    expect.poll(() => line(of).getByRole('status').textContent()).toBe(text)
  const colour = () =>
    talk().evaluate((button) => (globalThis as unknown as Styles).getComputedStyle(button).backgroundColor)
  async function press(of: Page): Promise<void> {
    await talk(of).hover()
    await of.mouse.down()
  }

  test('a microphone that was not touched is open, and the page shows the line and its headset', async () => {
    await page().goto(addressOf('Van-1'))
    await line().getByText('Not connected').waitFor()
    await line().getByText('Headset 1').waitFor()
    await shows('Microphone opens with the connection')
    for (const crew of crews) await connect(crew)
    await line()
      .getByText(/^Connected since \d\d:\d\d/)
      .waitFor()
    await line().getByText('Audio room Gallery · Headset 1').waitFor()
    const { inventory, gallery } = rooms
    await person.call(api.audioRooms.change, {
      params: { id: inventory, room: gallery },
      body: { name: 'Floor' },
    })
    await line().getByText('Audio room Floor · Headset 1').waitFor()
    await shows('Microphone open')
    expect(await mute().getAttribute('aria-pressed')).toBe('false')
    expect(await talk().getAttribute('aria-disabled')).toBe('true')
    await speaks()
    expect(await violations(page())).toEqual([])
  })

  test('a muted microphone is not in the room but while the button is held, by pointer or keys', async () => {
    await mute().click()
    await shows('Microphone muted')
    expect(await mute().getAttribute('aria-pressed')).toBe('true')
    await falls()
    expect(await violations(page())).toEqual([])
    await press(page())
    await shows('Microphone open')
    expect(await talk().getAttribute('aria-pressed')).toBe('true')
    await expect.poll(colour).toBe(green)
    expect(await violations(page())).toEqual([])
    // Longer than a press lasts that is not renewed.
    await speaks(5)
    await page().mouse.up()
    await shows('Microphone muted')
    await falls()
    for (const key of ['Space', 'Enter']) {
      await talk().focus()
      await page().keyboard.down(key)
      await speaks()
      await page().keyboard.up(key)
      await falls()
    }
    // A key that is down while the button loses the focus is not seen to come up.
    await talk().focus()
    await page().keyboard.down('Space')
    await speaks()
    await talk().blur()
    await falls()
    await page().keyboard.up('Space')
  })

  test('a browser that is gone does not keep the microphone open', async () => {
    await page().reload()
    await shows('Microphone muted')
    await press(page())
    await speaks()
    // The phone has left the network of the unit.
    await chromium.context.setOffline(true)
    await falls()
    // The button is still held, and does not look as if the studio heard it.
    await expect.poll(colour).not.toBe(green)
    await line().getByRole('alert').getByText('Not changed. Try again.').waitFor()
    await chromium.context.setOffline(false)
    await speaks()
    await page().mouse.up()
    await falls()
    const other = await chromium.context.newPage()
    await other.goto(addressOf('Van-1'))
    await shows('Microphone muted', other)
    await press(other)
    await speaks()
    await other.close()
    await falls()
  })

  test('several browsers show the same, and the microphone is open until the last one lets go', async () => {
    const other = await chromium.context.newPage()
    await other.goto(addressOf('Van-1'))
    await press(page())
    await shows('Microphone open', other)
    await press(other)
    await page().mouse.up()
    await speaks(5)
    await shows('Microphone open')
    await other.mouse.up()
    await shows('Microphone muted')
    await falls()
    await other.close()
  })

  test('a line that was muted is still muted in its next session, and speaks when it is opened', async () => {
    await person.call(api.intercom.stop, { params: { ...params('Van-1'), session: 1 } })
    await line()
      .getByText(/^Not connected since \d\d:\d\d/)
      .waitFor()
    await shows('Microphone muted')
    await expect.poll(() => talk().getAttribute('aria-disabled')).toBe('true')
    await connect('Van-1')
    await line().getByText('Audio room Floor · Headset 1').waitFor()
    await shows('Microphone muted')
    await falls()
    await mute().click()
    await shows('Microphone open')
    await speaks()
    const order = { line: 1, muted: true }
    const refused = await fetch(`${addressOf('Van-1')}/microphone`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://other.example' },
      body: JSON.stringify(order),
    })
    expect(refused.status).toBe(403)
    await speaks()
  })

  test('where no headset has a microphone there is nothing to press', async () => {
    await page().setExtraHTTPHeaders({ 'accept-language': 'es-ES,es;q=0.9' })
    await page().goto(addressOf('Van-2'))
    const silent = page().getByRole('group', { name: 'Línea 1' })
    await silent.getByText(/^Conectada desde las \d\d:\d\d/).waitFor()
    await silent.getByText('Sala de audio Floor · Auriculares 1 (sin micrófono)').waitFor()
    await expect.poll(() => silent.getByRole('status').textContent()).toBe('Sin micrófono')
    expect(await silent.getByRole('button').count()).toBe(0)
    const refused = await fetch(`${addressOf('Van-2')}/microphone`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: addressOf('Van-2') },
      body: JSON.stringify({ line: 1, muted: true }),
    })
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { message: 'line: must have a headset with a microphone' },
    ])
    expect(await violations(page())).toEqual([])
  })
})
