/** The rows for units: every setting, wanted field, order and message of the contract, and what is known of some links. */
import { fromDevice } from '@backhaul/contract/gateway/gateway'
import { OrderName } from '@backhaul/contract/gateway/shared'
import { Link, LinkTelemetry, UnitWanted } from '@backhaul/contract/gateway/units'
import { SettingName } from '@backhaul/contract/nouns/unit-settings'
import { z } from 'zod'

/** Messages of servers alone. */
const ofServers = ['serverReport', 'serverTelemetry', 'levels', 'tallies', 'files', 'uploadProgress']

/** The facts of a link that a unit reports where it knows them. */
const linkFacts = Object.entries({ ...Link.shape, ...LinkTelemetry.shape }).flatMap(([name, field]) =>
  field instanceof z.ZodOptional ? [name] : [],
)

export const unitRows: readonly string[] = [
  ...SettingName.options.map((name) => `setting ${name}`),
  ...Object.keys(UnitWanted.shape)
    .filter((name) => name !== 'settings')
    .map((name) => `wanted ${name}`),
  ...OrderName.options.map((name) => `order ${name}`),
  ...linkFacts.map((name) => `link ${name}`),
  ...fromDevice
    .map(({ type }) => type as string)
    .filter((type) => !ofServers.includes(type))
    .map((type) => `message ${type}`),
]
