// The fields of a unit on the wire: the keys and types that were decided for the rows of the specification (GAP-GEN-04, -05).
import { expect, it } from 'vitest'
import { z } from 'zod'
import { units } from '../api/units.ts'
import { createClient } from '../define/client.ts'
import { exampleUnit } from '../examples/units.ts'

interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  maxItems?: number
  maxLength?: number
  format?: string
}

const whole = z.toJSONSchema(units.enhanced.response, { io: 'output', unrepresentable: 'any' }) as Schema

const variantsOf = (schema: Schema): Schema[] =>
  schema.anyOf?.flatMap(variantsOf) ??
  (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema])

/** All variants of the field at a dotted path; `[]` enters the items of a list. */
function fieldAt(path: string): Schema[] {
  const steps = path.replaceAll('[]', '.[]').split('.')
  return steps.reduce<Schema[]>(
    (found, step) =>
      found
        .filter(({ type }) => type !== 'null')
        .flatMap(({ properties, items }) =>
          variantsOf((step === '[]' ? items : properties?.[step]) ?? { type: 'absent' }),
        ),
    [whole],
  )
}

const typesOf = (path: string): string =>
  [...new Set(fieldAt(path).map(({ type }) => type ?? 'any'))].join(' ')

const decided = {
  string:
    'unitUniqueId deviceId uid uname name comment type serialNumber shortSwVersion swVersion displayVersion status state ' +
    'selectedChannelName workingMode videoPerformance transmissionMode filenamePrefix storeAndForwardVideoQuality ' +
    'location.address intercoms[].mode intercoms[].destinationAccount multipleCamera.channelSelectionMode ' +
    'multipleCamera.customSelectedChannels[] selectedChannels[] multiCameraLabels[] services[] usageInfo.type ' +
    'settingsConfiguration.outputChannel settingsConfiguration.multiChannel settingsConfiguration.machineUid ' +
    'databridge.state databridge.gateway videoReturn.channel modems[].lastUpdate offlineModems[].lastUpdate',
  'string null':
    'usageProfileId channelId previewChannelId highQualityChannelId proxyChannelId ptmpChannel multiCameraSelectedMode ' +
    'multipleCamera.channel switcherMode.highQualityChannel switcherMode.proxyChannel ' +
    'switcherAndProxy.highQualityChannel switcherAndProxy.proxyChannel',
  number: 'license.raHours license.rlHours usageInfo.used usageInfo.limit location.lat location.lng',
  'number null': 'usage battery.percentage',
  integer: 'delay multipleCamera.numberOfFeeds usageInfo.resetDay',
  boolean:
    'busy idle offline inTransition videoReturnInTransition databridgeInTransition speedTestInTransition ' +
    'battery.connected battery.charging sharing hasExtender ntp configurationUpdated speedTestCompleted ' +
    'cellularNetworksUpdated usageInfo.overUsage tally.onAir',
  object: 'capabilities tally metadata',
  'object null':
    'applications video databridge videoReturn fileTransfer license usageInfo location battery selChannel multipleCamera ' +
    'switcherMode switcherAndProxy settingsConfiguration socialMediaStatus',
  array:
    'services selectedChannels alerts multiCameraLabels modems offlineModems intercoms storages uploadedFiles modemGraph',
  'array null': 'transceiverGraph',
  any: 'rawModemInfo',
}

it.each(Object.entries(decided))('[UNIT-032] the type %s is that of the decided fields', (type, paths) => {
  const other = paths
    .split(' ')
    .map((path) => [path, typesOf(path)])
    .filter(([, found]) => found !== type)
  expect(other).toEqual([])
})

it('[UNIT-032] the limits are those of the fields, and times are ISO 8601 in UTC', () => {
  const limitOf = (path: string) => fieldAt(path).map(({ maxItems, maxLength }) => maxItems ?? maxLength)
  expect([limitOf('filenamePrefix'), limitOf('uploadedFiles'), limitOf('multiCameraLabels[]')]).toEqual([
    [32],
    [10],
    [12],
  ])
  expect(fieldAt('modems[].lastUpdate').map(({ format }) => format)).toEqual(['date-time'])
})

it('[UNIT-032] the reader of a unit keeps fields that it does not know', async () => {
  const data = { ...exampleUnit, ofNextYear: { kept: true } }
  const call = createClient({
    origin: '',
    applicationId: 'console',
    fetch: async () => ({
      status: 200,
      json: async () => ({ code: 200, data }),
      text: async () => '',
    }),
  })
  expect(await call(units.one, { params: { id: exampleUnit.uid } })).toEqual(data)
})
