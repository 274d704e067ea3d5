import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mayDo } from '../define/actions.ts'
import { publishedText } from '../openapi/published.ts'
import { topics } from '../push/push.ts'
import { allEndpoints } from './api.ts'

const published = JSON.parse(
  readFileSync(new URL('../../published/openapi.json', import.meta.url), 'utf8'),
) as {
  info: { version: string }
  paths: Record<string, Record<string, unknown>>
}

/** The names of all fields inside a schema. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)]
}

describe('the published interface', () => {
  it.each(allEndpoints())('$name has an example that satisfies its schema', ({ endpoint }) => {
    expect(endpoint.response.safeParse(endpoint.example).error).toBeUndefined()
  })

  it('matches the table of endpoints', () => {
    expect(publishedText(published.info.version)).toBe(
      readFileSync(new URL('../../published/openapi.json', import.meta.url), 'utf8'),
    )
  })

  it('has one operation for each endpoint', () => {
    const operations = Object.values(published.paths).flatMap((item) => Object.keys(item))
    expect(operations).toHaveLength(allEndpoints().length)
  })

  it('accepts no address to which a program would then connect', () => {
    const isAddress = /[uU]rl|[uU]ri|[hH]ost|[aA]ddress|[eE]ndpoint|[dD]estination|(^s|S)erver$|(^i|I)p$/
    const given = allEndpoints().flatMap(({ name, endpoint }) =>
      [endpoint.query, endpoint.body]
        .flatMap((schema) => fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })))
        .filter((field) => isAddress.test(field))
        .map((field) => `${name} ${field}`),
    )
    // A server of the customer sends to these, as set by its administrator; core only passes them on.
    const sentTo = ['destination', 'ip', 'urlPrimary', 'urlSecondary'].flatMap((field) => [
      `destinations.add ${field}`,
      `destinations.update ${field}`,
    ])
    // A server of the customer fetches from there, under the same rule as for destinations.
    sentTo.push('channelSettings.addSource url')
    // The addresses of a server of the customer in the networks of its studio, and of its outputs there.
    sentTo.push('smpte.setServer address', 'smpte.setChannel address')
    // The address that a gateway connects a databridge to, within the limits of the gateway's owner.
    sentTo.push('databridge.set host', 'databridge.set hostPort')
    // Stored as text with the customer or the gateway, the unit's own address in its network, and its inputs there:
    // no part of the product dials them.
    const kept = [
      'inventories.create sipServer',
      'inventories.update sipServer',
      'unitSettings.configure ip',
      'unitNetworks.setLink ip',
      // No address: how a network is encrypted.
      'unitNetworks.connectWifi security',
      'unitSettings.configure url',
      'unitSettings.setIpInput url',
      'intercom.setSipAccount server',
      // No address: whether alerts of destinations are shown.
      'alerts.setOfGroup destinationFailed',
      'alerts.setOfUnit destinationFailed',
      // The ids of channels, and the name of an audio room.
      'p2p.create destinationChannelUid',
      'p2p.change destinationChannelUid',
      'intercom.set destinationAccount',
      'deviceAdministration.createServer address',
      'deviceAdministration.changeServer address',
    ]
    // Requested by core, which refuses its own network unless the operator allows it (doors/outward-request.ts).
    const guarded = [
      'aiSettings.create endpoint',
      'aiSettings.change endpoint',
      'ingest.changeAccount address',
    ]
    // Dialled by core in the same way (doors/outward-address.ts); a host key is compared and never dialled.
    guarded.push(
      ...['create', 'change'].flatMap((call) => [
        `fileTargets.${call} address`,
        `fileTargets.${call} hostKey`,
      ]),
    )
    // Shown as a link to users who may read the version.
    const links = ['softwareVersions', 'softwareVersionSettings'].flatMap((noun) => [
      `${noun}.create releaseNotesUrl`,
      `${noun}.change releaseNotesUrl`,
    ])
    links.push('clientApplications.create url', 'clientApplications.change url')
    // A port of a server of the customer, without an address.
    const ports = ['create', 'change', 'update'].map(
      (call) => `videoReturnAdministration.${call} destinationPort`,
    )
    expect(new Set(given)).toEqual(new Set([...sentTo, ...kept, ...guarded, ...links, ...ports]))
  })

  it('[ACCESS-002] has calls of administrators below their own paths, closed to users without administration rights', () => {
    const below = allEndpoints().filter(({ endpoint }) => /^(\/v2)?\/admin\//.test(endpoint.path))
    const open = below.filter(({ endpoint: { permission } }) =>
      permission === 'anyone' || permission === 'signedIn'
        ? true
        : mayDo(['luc_regular', 'luc_read', 'staff', 'luc_studio'], permission),
    )
    // The status of a unit is there, and is open to all users who see the unit.
    expect(open.map(({ name }) => name)).toEqual(['units.status'])
    const nouns = new Set(below.map(({ endpoint }) => endpoint.path.split('/admin/')[1]?.split('/')[0]))
    for (const noun of ['units', 'inventories', 'groups', 'users', 'usageProfiles', 'audit'])
      expect(nouns).toContain(noun)
    const paths = new Set(below.map(({ endpoint }) => endpoint.path.split('/admin/')[1]))
    for (const path of ['sipAccount', 'targetversion', 'deregistration'].map((name) => `units/{id}/${name}`))
      expect(paths).toContain(path)
    expect(paths).toContain('applications')
  })

  it('names every field of a topic in exactly one kind', () => {
    for (const topic of topics) {
      const fields = Object.values(topic.kinds).flatMap((schema) =>
        Object.keys((schema as { shape: object }).shape),
      )
      expect(new Set(fields).size).toBe(fields.length)
    }
  })
})
