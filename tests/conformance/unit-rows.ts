/** The rows for units: every setting, wanted field, order and message of the contract. */
import { fromDevice } from '@backhaul/contract/gateway/gateway'
import { OrderName } from '@backhaul/contract/gateway/shared'
import { UnitWanted } from '@backhaul/contract/gateway/units'
import { SettingName } from '@backhaul/contract/nouns/unit-settings'

/** Messages of servers alone. */
const ofServers = ['serverReport', 'serverTelemetry', 'levels', 'tallies', 'files']

export const unitRows: readonly string[] = [
  ...SettingName.options.map((name) => `setting ${name}`),
  ...Object.keys(UnitWanted.shape)
    .filter((name) => name !== 'settings')
    .map((name) => `wanted ${name}`),
  ...OrderName.options.map((name) => `order ${name}`),
  ...fromDevice
    .map(({ type }) => type as string)
    .filter((type) => !ofServers.includes(type))
    .map((type) => `message ${type}`),
]
