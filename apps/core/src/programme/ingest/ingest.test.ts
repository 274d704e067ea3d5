import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'
import { mappingFault } from './mapping-file.ts'

const { ingest: calls, services } = contract
const closed = { status: 409, message: 'The customer does not have the service Ingest.' }
const sheet = (body = '', root = 'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"') =>
  `<?xml version="1.0"?>\n<!-- ours -->\n<xsl:stylesheet version="1.0" ${root}>${body}</xsl:stylesheet>\n`

describe.each(enginesOfNight)('ingest on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let box: TestDevice
  let nora: Browser
  let root: Browser
  const params = { id: 'north' }
  const south = { params: { id: 'south' } }
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 3)
    box = await fleet.server('Newsroom', 0, { product: 'Ingest Server' })
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
  })
  afterAll(() => fleet.remove())

  const account = () => nora.call(calls.account, { params })
  const change = (body: object) => nora.call(calls.changeAccount, { params, body })
  const upload = (body: { name: string; content: string }) => nora.call(calls.uploadMapping, { params, body })
  const give = (...requested: [string | undefined, string | null][]) =>
    nora.call(calls.associate, {
      params,
      body: {
        associations: requested.map(([channelId = '', ingestServerId]) => ({ channelId, ingestServerId })),
      },
    })
  const withService = (on: boolean) =>
    on
      ? root.call(services.add, { params, body: { name: 'ingest' } })
      : root.call(services.remove, { params, query: { serviceName: 'ingest' } })

  it('[ACCESS-010] [INV-005] stores the account of a customer who has the service, and never shows its password', async () => {
    const empty = {
      inventoryId: 'north',
      hasPassword: false,
      xsltFile: null,
      configuration: { defaultServerId: null, address: null, username: '', sync: false },
      lastSync: null,
    }
    expect(await account()).toEqual({
      ...empty,
      closed: closed.message,
      closedCause: { code: 'ingest.noService', params: {} },
    })
    await expect(change({ password: 'Rundown-7' })).rejects.toMatchObject(closed)
    await expect(upload({ name: 'a.xsl', content: sheet() })).rejects.toMatchObject(closed)
    await expect(give([hub.channelIds[0], box.id])).rejects.toMatchObject(closed)
    await withService(true)
    expect(await change({ password: 'Rundown-7' })).toEqual({ ...empty, hasPassword: true, closed: null })
    expect(JSON.stringify(await fleet.db.selectFrom('ingest_accounts').selectAll().execute())).not.toContain(
      'Rundown-7',
    )
    const check = (password: string) => nora.call(calls.checkPassword, { params, body: { password } })
    expect(await check('Rundown-7')).toEqual({ done: true })
    await expect(check('rundown-7')).rejects.toMatchObject({
      status: 400,
      fields: [fault('password', 'ingest.wrongPassword')],
    })
    for (let guess = 1; guess < 5; guess++)
      await expect(check(`Rundown-${guess}`)).rejects.toMatchObject({ status: 400 })
    await expect(check('Rundown-7')).rejects.toMatchObject({ status: 429 })
    for (const [defaultServerId, status] of [
      [hub.id, 404],
      ['nowhere', 404],
    ] as const)
      await expect(change({ configuration: { defaultServerId } })).rejects.toMatchObject({ status })
    await change({ configuration: { defaultServerId: box.id } })
    expect(await account()).toMatchObject({ hasPassword: true, configuration: { defaultServerId: box.id } })

    await expect(upload({ name: 'a.csv', content: sheet() })).rejects.toMatchObject({
      fields: [fault('name', 'ingest.fileType')],
    })
    await expect(upload({ name: 'a.xsl', content: '<a><b></a>' })).rejects.toMatchObject({
      fields: [fault('content', 'ingest.notWellFormed')],
    })
    const { xsltFile } = await upload({ name: 'newsroom.XSLT', content: sheet() })
    expect(xsltFile).toMatchObject({ name: 'newsroom.XSLT', size: sheet().length })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    expect((await account()).xsltFile).toEqual(xsltFile)
    const remove = () => nora.call(calls.removeMapping, { params })
    expect((await remove()).xsltFile).toBeNull()
    await expect(remove()).rejects.toMatchObject({ status: 404 })
    expect(await account()).toMatchObject({ hasPassword: true, xsltFile: null })

    for (const name of ['account', 'servers', 'fieldServers', 'associations', 'removeMapping'] as const)
      await expect(nora.call(calls[name], south)).rejects.toMatchObject({ status: 404 })
    await expect(
      nora.call(calls.changeAccount, { ...south, body: { password: 'Mine' } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(
      nora.call(calls.checkPassword, { ...south, body: { password: 'Mine' } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect((await fleet.signedIn('olivia')).call(calls.account, { params })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('[STAFF-014] is one configuration of a customer, also when two administrators set it first at the same time', async () => {
    const ofSouth = { id: 'south' }
    await root.call(services.add, { params: ofSouth, body: { name: 'ingest' } })
    const first = (body: object) => root.call(calls.changeAccount, { params: ofSouth, body })
    const both = await Promise.all([first({ password: 'Rundown-7' }), first({ password: 'Rundown-8' })])
    expect(both.map(({ inventoryId }) => inventoryId)).toEqual(['south', 'south'])
    const rows = await fleet.db
      .selectFrom('ingest_accounts')
      .selectAll()
      .where('inventory_id', '=', 'south')
      .execute()
    expect(rows).toHaveLength(1)
    const [row] = rows
    if (!row) throw new Error('The account is not stored')
    await expect(fleet.db.insertInto('ingest_accounts').values(row).execute()).rejects.toThrow(/unique/i)
  })

  it('[SRV-009] shows the ingest server of each channel: its own, else that of the account', async () => {
    const byName = fleet.core.channels.ofServer(hub.id).map(({ uniqueId }) => uniqueId)
    const [first = '', second = '', third = ''] = byName
    await change({ configuration: { defaultServerId: box.id } })
    const other = await fleet.server('Archive', 0, { product: 'Ingest Server' })
    const foreign = await fleet.server('Cairo', 1, { registrationKey: 'key-cairo' })
    const of = async (id: string, browser = nora) =>
      (await browser.call(calls.channels, { params: { id } })).map(({ channelId }) => channelId)
    expect(await of(box.id)).toEqual(byName)
    expect(await nora.call(calls.ofChannel, { params: { id: first } })).toMatchObject({
      channelId: first,
      serverName: 'MCR',
      status: 'idle',
      ingestServerId: box.id,
      ingestServerName: 'Newsroom',
      isDefault: true,
    })
    const list = await give([first, other.id], [second, box.id])
    expect(list.map(({ ingestServerName, isDefault }) => [ingestServerName, isDefault])).toEqual([
      ['Archive', false],
      ['Newsroom', false],
      ['Newsroom', true],
    ])
    expect(await nora.call(calls.associations, { params })).toEqual(list)
    expect([await of(other.id), await of(box.id)]).toEqual([[first], [second, third]])
    expect(
      await nora.call(calls.channelsOfInventory, { params: { inv: 'north', id: other.id } }),
    ).toMatchObject([{ channelId: first }])
    const ofGroup = await nora.call(contract.channels.ofGroup, { query: { group: 'london' } })
    expect(ofGroup.find(({ uniqueId }) => uniqueId === first)?.ingestAssociation).toEqual({
      serverId: other.id,
      serverName: 'Archive',
    })
    const servers = await nora.call(calls.servers, { params })
    expect(servers.map(({ name, state, channels }) => [name, state, channels.length])).toEqual([
      ['Archive', 'online', 1],
      ['Newsroom', 'online', 2],
    ])
    await fleet.core.devices.updateDetails(foreign.id, (now) => ({ ...now, services: ['cloud'] }))
    expect(await root.call(calls.fieldServers, south)).toEqual([])
    expect(await nora.call(calls.fieldServers, { params })).toMatchObject([
      { uid: hub.id, channels: [{ ingestServerName: 'Archive' }, {}, {}] },
    ])

    // Each is sent the channels for which it ingests files.
    const sent = () => other.newest('serverWanted')?.state.ingest ?? []
    await until(() => sent().length === 1)
    const name = fleet.core.channels.known(first)?.name ?? ''
    expect(sent()).toEqual([{ channelId: first, folder: name }])
    const rename = (to: string) =>
      nora.call(contract.channelAdministration.change, { params: { id: first }, body: { name: to } })
    await rename('Pool')
    await until(() => sent()[0]?.folder === 'Pool')
    await rename(name)

    // All of them or none.
    const settings = { settings: { maxChannels: 1 } }
    await nora.call(contract.deviceAdministration.changeServer, { params: { id: other.id }, body: settings })
    for (const [requested, refusal] of [
      [
        [
          [second, null],
          [third, other.id],
        ],
        { status: 409, cause: { code: 'ingest.full', params: { server: 'Archive', most: 1 } } },
      ],
      [
        [
          [second, null],
          [third, hub.id],
        ],
        { status: 404, message: 'Ingest server not found.' },
      ],
      [
        [
          [second, null],
          [foreign.channelIds[0], box.id],
        ],
        { status: 404, message: 'Channel not found.' },
      ],
    ] as const)
      await expect(give(...(requested as unknown as [string, string | null][]))).rejects.toMatchObject(
        refusal,
      )
    expect(await nora.call(calls.associations, { params })).toEqual(list)

    const abroad = await fleet.server('Abroad', 0, { product: 'Ingest Server', registrationKey: 'key-cairo' })
    for (const refused of [
      () => nora.call(calls.channels, { params: { id: abroad.id } }),
      () => nora.call(calls.ofChannel, { params: { id: foreign.channelIds[0] ?? '' } }),
      () => nora.call(calls.channelsOfInventory, { params: { inv: 'south', id: abroad.id } }),
      () => root.call(calls.channelsOfInventory, { params: { inv: 'south', id: box.id } }),
      () => nora.call(calls.channels, { params: { id: hub.id } }),
    ])
      await expect(refused()).rejects.toMatchObject({ status: 404 })

    await fleet.restart()
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    expect(await nora.call(calls.associations, { params })).toMatchObject([
      { ingestServerId: other.id },
      {},
      {},
    ])
    await nora.call(contract.deviceAdministration.removeServer, { params: { id: other.id } })
    await until(() => fleet.core.channels.known(first)?.ingestAssociation?.serverId === box.id)
    await withService(false)
    expect(await of(box.id)).toEqual(byName)
    await expect(give([first, null])).rejects.toMatchObject(closed)
  })
})

describe('a mapping file', () => {
  it('is well-formed XML, a style sheet, and reads no other file', () => {
    const template = (select: string) =>
      sheet(
        `<xsl:template match="/"><story id='{1}'><xsl:value-of select="${select}"/> &amp; &#65;<![CDATA[<]]></story></xsl:template>`,
      )
    for (const good of [
      sheet(),
      `\uFEFF${template('//slug')}`,
      '<transform xmlns="http://www.w3.org/1999/XSL/Transform" version="1.0"/>',
    ])
      expect([good, mappingFault(good)]).toEqual([good, undefined])
    for (const bad of [
      '',
      'text',
      '<a>',
      '<a></b>',
      '<a/><b/>',
      '<a/>text',
      '<a b=1/>',
      '<a b="<"/>',
      '<a>&own;</a>',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${sheet()}`,
      sheet('<xsl:template>'),
    ])
      expect([bad, mappingFault(bad)]).toEqual([bad, 'ingest.notWellFormed'])
    for (const strange of ['<a/>', sheet('', 'xmlns:xsl="urn:other"'), '<xsl:stylesheet/>'])
      expect(mappingFault(strange)).toBe('ingest.noStyleSheet')
    for (const reading of [
      sheet('<xsl:import href="file:///etc/passwd"/>'),
      sheet('<xsl:include href="http://192.0.2.1/"/>'),
      template("document('/etc/passwd')"),
      template("unparsed-text ('/etc/passwd')"),
      template("&#100;ocument('/etc/passwd')"),
    ])
      expect(mappingFault(reading)).toBe('ingest.readsOthers')
  })
})
