// A customer's newsroom: a local web server whose stories become those of the customer.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { NEWSROOM_SYNC_MS } from '@backhaul/contract/nouns/ingest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import * as table from '../../programme/ingest/ingest-table.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const { ingest: calls, services, stories } = contract
const params = { id: 'north' }

/** Each `item` of the newsroom is a story. */
const styleSheet = (body = '') => `<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><stories><xsl:apply-templates select="//item"/></stories></xsl:template>
  <xsl:template match="item">
    <story>
      <storyId><xsl:value-of select="@id"/></storyId>
      <slugline><xsl:value-of select="slug"/></slugline>
      <reporter><xsl:value-of select="people/reporter"/></reporter>
    </story>
  </xsl:template>${body}
</xsl:stylesheet>`

const item = (id: string, slug: string, reporter = '') =>
  `<item id="${id}"><slug>${slug}</slug><people><reporter>${reporter}</reporter></people></item>`

describe.each(enginesOfNight)('the newsroom on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let nora: Browser
  let root: Browser
  let server: Server
  let address: string
  let requests: IncomingMessage[] = []
  let readAt: string | undefined
  let answer: (response: ServerResponse) => void
  const lists = (...items: string[]) => {
    answer = (response) => response.end(`<rundown>${items.join('')}</rundown>`)
  }

  beforeEach(async () => {
    requests = []
    readAt = undefined
    server = createServer((request, response) => {
      requests.push(request)
      answer(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rundown.xml`
    fleet = await createTestFleet(engine, { mayReachOwnNetwork: true })
    unit = await fleet.unit('U-1')
    await fleet.pass()
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    await root.call(services.add, { params, body: { name: 'ingest' } })
  })
  afterEach(async () => {
    await fleet.remove()
    server.closeAllConnections()
    server.close()
  })

  const account = () => nora.call(calls.account, { params })
  const change = (body: object) => nora.call(calls.changeAccount, { params, body })
  const upload = (content = styleSheet()) =>
    nora.call(calls.uploadMapping, { params, body: { name: 'newsroom.xslt', content } })
  const test = (content: string) => nora.call(calls.testMapping, { params, body: { content } })
  const all = async () => (await nora.call(stories.list, { params, query: {} })).items
  const shown = async () => (await all()).map(({ slugline, reporter }) => `${slugline} ${reporter}`.trim())
  const switchOn = (password = 'Rundown-7') =>
    change({ password, configuration: { address, username: 'desk', sync: true } })
  const later = () => fleet.clock.advanceAsync(NEWSROOM_SYNC_MS)
  /** The newest result once the newsroom was read this many times. */
  async function read(times: number) {
    const requested = async () => {
      await fleet.clock.advanceAsync(5000)
      return requests.length
    }
    await expect.poll(requested).toBe(times)
    const isNew = async () => {
      const at = (await account()).lastSync?.at
      return at !== undefined && at !== readAt
    }
    await expect.poll(isNew).toBe(true)
    readAt = (await account()).lastSync?.at
    return (await account()).lastSync
  }

  it('[STORY-004] [LIVE-007] is read every five minutes; its stories are created, changed and removed', async () => {
    await upload()
    lists(item('A', 'HARBOUR FIRE', 'Ana'), item('B', 'STORM'))
    const own = await nora.call(stories.create, { params, body: { slugline: 'OURS' } as never })
    expect((await switchOn()).configuration).toMatchObject({ address, username: 'desk', sync: true })
    expect(await read(1)).toMatchObject({ stories: 2, created: 2, changed: 0, removed: 0, reason: null })
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa('desk:Rundown-7')}`)
    expect(await shown()).toEqual(['HARBOUR FIRE Ana', 'OURS', 'STORM'])
    const fire = (await all()).find(({ newsroomId }) => newsroomId === 'A')
    const storm = (await all()).find(({ newsroomId }) => newsroomId === 'B')

    // A unit that is out for it keeps it; its labels follow, under the id of the newsroom.
    const toUnit = { params: { ...params, unit: unit.id, storyId: fire?.storyId ?? '' } }
    await nora.call(stories.assign, toUnit)
    await fleet.pass()
    const labels = () => unit.newest('wanted')?.state.settings?.metadata
    expect(labels()).toMatchObject({ storyId: 'A', slugline: 'HARBOUR FIRE' })
    lists(item('A', 'HARBOUR FIRE OUT', 'Ana'), item('B', 'STORM'), item('C', 'ELECTION'))
    await later()
    expect(await read(2)).toMatchObject({ stories: 3, created: 1, changed: 1, removed: 0 })
    await fleet.pass()
    expect(labels()).toMatchObject({ storyId: 'A', slugline: 'HARBOUR FIRE OUT' })
    expect((await all()).find(({ newsroomId }) => newsroomId === 'B')).toEqual(storm)

    lists(item('C', 'ELECTION'))
    await later()
    expect(await read(3)).toMatchObject({ stories: 1, created: 0, changed: 0, removed: 1, kept: 1 })
    expect(await shown()).toEqual(['ELECTION', 'HARBOUR FIRE OUT Ana', 'OURS'])
    await nora.call(stories.unassign, toUnit)
    await later()
    expect(await read(4)).toMatchObject({ removed: 1, kept: 0 })
    expect(await shown()).toEqual(['ELECTION', 'OURS'])
    expect((await all()).find(({ storyId }) => storyId === own.storyId)?.newsroomId).toBeNull()

    // Between two turns it is not read.
    await fleet.clock.advanceAsync(NEWSROOM_SYNC_MS - 60_000)
    expect(requests).toHaveLength(4)
    await change({ confirmation: 'Rundown-7', configuration: { sync: false } })
    await later()
    expect(requests).toHaveLength(4)
    expect(await shown()).toEqual(['ELECTION', 'OURS'])
  })

  it('[STORY-004] keeps its last result and its turn over a restart, and is read by one core alone', async () => {
    await upload()
    lists(item('A', 'FIRE'))
    await switchOn()
    const result = await read(1)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect((await account()).lastSync).toEqual(result)
    await fleet.clock.advanceAsync(60_000)
    expect(requests).toHaveLength(1)
    await later()
    await read(2)

    const nowMs = fleet.clock.nowMs() + NEWSROOM_SYNC_MS
    const claims = [1, 2, 3].map(() => table.claimDueSync(fleet.db, nowMs, NEWSROOM_SYNC_MS))
    expect((await Promise.all(claims)).filter((id) => id !== undefined)).toEqual(['north'])
    // The clock of another core is a little behind.
    expect(await table.claimDueSync(fleet.db, nowMs - 1000, NEWSROOM_SYNC_MS)).toBeUndefined()
    // The clock was set back by a day: the turn would be tomorrow.
    expect(await table.claimDueSync(fleet.db, nowMs - 86_400_000, NEWSROOM_SYNC_MS)).toBe('north')
  })

  it('[STORY-004] reports why it was not read, changes nothing then, and skips single stories', async () => {
    await upload()
    lists(item('A', 'FIRE'), item('B', 'STORM'))
    await switchOn()
    await read(1)
    let times = 1
    const failure = async (answers: (response: ServerResponse) => void) => {
      answer = answers
      await later()
      const result = await read(++times)
      expect(await shown()).toEqual(['FIRE', 'STORM'])
      return result
    }
    const failed = { stories: 0, created: 0, changed: 0, removed: 0 }
    expect(await failure((response) => response.writeHead(401).end())).toMatchObject({
      ...failed,
      reason: 'The answer is HTTP 401.',
      cause: { code: 'outward.status', params: { status: 401 } },
    })
    expect(await failure((response) => response.end('<rundown>'))).toMatchObject({
      ...failed,
      cause: { code: 'newsroom.notWellFormed' },
    })
    expect(await failure((response) => response.end(Buffer.from('<a>\xE9</a>', 'latin1')))).toMatchObject({
      ...failed,
      cause: { code: 'newsroom.encoding' },
    })
    expect(await failure((response) => response.end('<html><body>Sign in</body></html>'))).toMatchObject({
      ...failed,
      cause: { code: 'newsroom.empty' },
    })
    lists(
      item('A', 'x'.repeat(1025)),
      item('B', 'STORM'),
      item('', 'LOST'),
      item('C', ''),
      item('B', 'TWICE'),
    )
    await later()
    expect(await read(++times)).toMatchObject({
      ...failed,
      stories: 1,
      skipped: 4,
      reason: 'Story 1: slugline has more than 1024 characters.',
    })
    expect(await shown()).toEqual(['FIRE', 'STORM'])

    await root.call(services.remove, { params, query: { serviceName: 'ingest' } })
    await later()
    const reason = async () => {
      await fleet.clock.advanceAsync(5000)
      return (await account()).lastSync?.reason
    }
    await expect.poll(reason).toBe('The customer does not have the service Ingest.')
    expect(requests).toHaveLength(times)
  })

  it('[STORY-004] is switched on with a file and an address, by those who know the password', async () => {
    const on = { configuration: { address, sync: true } }
    const atField = (field: string, code: Parameters<typeof fault>[1]) => ({
      status: 400,
      fields: [fault(field, code)],
    })
    await expect(change({ password: 'Rundown-7', ...on })).rejects.toMatchObject(
      atField('configuration.sync', 'ingest.noMapping'),
    )
    await expect(test('<a/>')).rejects.toMatchObject({
      status: 409,
      message: 'An XSLT file must be uploaded first.',
    })
    await upload()
    await expect(change({ password: 'Rundown-7', configuration: { sync: true } })).rejects.toMatchObject(
      atField('configuration.address', 'field.required'),
    )
    await expect(change(on)).rejects.toMatchObject(atField('password', 'ingest.noPassword'))
    for (const wrong of ['ftp://newsroom/', 'newsroom', ''])
      await expect(change({ configuration: { address: wrong } })).rejects.toMatchObject(
        atField('configuration.address', 'address.web'),
      )
    await expect(change({ configuration: { username: 'a:b' } })).rejects.toMatchObject(
      atField('configuration.username', 'field.pattern'),
    )
    await change({ password: 'Rundown-7' })
    await expect(change(on)).rejects.toMatchObject(atField('confirmation', 'field.required'))
    await expect(change({ ...on, confirmation: 'rundown-7' })).rejects.toMatchObject({
      status: 400,
      fields: [fault('confirmation', 'ingest.securityCheck')],
    })
    expect(fault('confirmation', 'ingest.securityCheck').message).toBe(
      'Incorrect password in the security check.',
    )
    expect((await account()).configuration.sync).toBe(false)
    lists(item('A', 'FIRE'))
    await change({ ...on, confirmation: 'Rundown-7' })
    await read(1)
    // The password is not sent to an address of a user who does not know it.
    await expect(change({ configuration: { address: 'http://192.0.2.1/' } })).rejects.toMatchObject(
      atField('confirmation', 'field.required'),
    )
    await expect(
      change({ configuration: { address: null }, confirmation: 'Rundown-7' }),
    ).rejects.toMatchObject(atField('configuration.address', 'field.required'))
    await expect(nora.call(calls.removeMapping, { params })).rejects.toMatchObject({
      status: 409,
      message: 'Switch the newsroom sync off first.',
    })
    await change({ configuration: { sync: false }, confirmation: 'Rundown-7' })
    expect((await nora.call(calls.removeMapping, { params })).xsltFile).toBeNull()
    const audit = await root.call(contract.audit.list, { query: { search: 'ingest.changeAccount' } })
    expect(JSON.stringify(audit)).not.toMatch(/rundown-7/i)
  })

  it('[STORY-004] shows what its mapping file makes of content, and keeps the file in its bounds', async () => {
    await upload()
    const ids = async (content: string) => (await test(content)).stories.map(({ storyId }) => storyId)
    expect(await test(`<r>${item('A', 'Fire &amp; smoke', 'Zoë')}${item('B', '')}</r>`)).toMatchObject({
      stories: [{ storyId: 'A', slugline: 'Fire & smoke', reporter: 'Zoë', crewName: '' }],
      skipped: [{ position: 2, storyId: 'B', reason: 'Story 2 has no slugline.' }],
    })
    expect(await shown()).toEqual([])
    await expect(test('<r>')).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'content', message: expect.stringContaining('not well-formed XML') }],
    })
    const many = Array.from({ length: 1001 }, (_, at) => item(`${at}`, 'X')).join('')
    await expect(test(`<r>${many}</r>`)).rejects.toMatchObject({ cause: { code: 'newsroom.tooMany' } })
    const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    expect(await ids(`${external}<r>${item('A', 'x&x;')}</r>`)).toEqual(['A'])
    expect(JSON.stringify(await test(`${external}<r>${item('A', 'x&x;')}</r>`))).not.toContain('root:')

    const withRoot = (template: string) =>
      `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">${template}</xsl:stylesheet>`
    const answers: [template: string, ...codes: string[]][] = [
      ['<xsl:template match="/"><html/></xsl:template>', 'newsroom.noStories'],
      ['<xsl:template match="/"><xsl:unknown/></xsl:template>', 'newsroom.mappingFailed'],
      [
        '<xsl:template match="/"><xsl:message terminate="yes">No rundown</xsl:message></xsl:template>',
        'newsroom.mappingFailed',
      ],
      [
        '<xsl:template match="/" name="twice"><xsl:param name="n" select="40"/><xsl:if test="$n &gt; 0"><xsl:call-template name="twice"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template><xsl:call-template name="twice"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template></xsl:if></xsl:template>',
        'newsroom.tooLong',
      ],
      [
        '<xsl:template match="/" name="grow"><xsl:param name="s" select="\'aaaaaaaaaa\'"/><xsl:call-template name="grow"><xsl:with-param name="s" select="concat($s, $s)"/></xsl:call-template></xsl:template>',
        // Its memory is limited as well as its time, which a busy machine may use up first.
        'newsroom.mappingFailed',
        'newsroom.tooLong',
      ],
    ]
    for (const [template, ...codes] of answers) {
      await upload(withRoot(template))
      expect(codes, template).toContain(await test('<a/>').catch(({ cause }) => cause.code))
    }
    await upload(
      withRoot('<xsl:template match="/"><stories><xsl:copy-of select="/"/></stories></xsl:template>'),
    )
    expect(await test('<a/>')).toEqual({ stories: [], skipped: [] })
    await expect(test('')).rejects.toMatchObject({ fields: [fault('content', 'field.required')] })
    await expect(
      nora.call(calls.testMapping, { params: { id: 'south' }, body: { content: '<a/>' } }),
    ).rejects.toMatchObject({ status: 404 })
    const olivia = await fleet.signedIn('olivia')
    await expect(olivia.call(calls.testMapping, { params, body: { content: '<a/>' } })).rejects.toMatchObject(
      { status: 403 },
    )
  })
})
