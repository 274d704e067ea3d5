/** The rows for receiving servers: every setting, wanted field, output, order and message of the contract. */
import { fromDevice } from '@backhaul/contract/gateway/gateway'
import { Output, ServerWanted, WantedChannel } from '@backhaul/contract/gateway/servers'
import { OrderName } from '@backhaul/contract/gateway/shared'
import { ServerSettings } from '@backhaul/contract/nouns/servers'

/** Messages of units alone. */
const ofUnits = ['report', 'telemetry', 'folder']
/** Checked as `channel …` and `setting …`. */
const inParts = ['channels', 'settings']

export const serverRows: readonly string[] = [
  ...Object.keys(ServerSettings.shape).map((name) => `setting ${name}`),
  ...Object.keys(ServerWanted.shape)
    .filter((name) => !inParts.includes(name))
    .map((name) => `wanted ${name}`),
  ...Object.keys(WantedChannel.shape).map((name) => `channel ${name}`),
  ...Output.shape.protocol.options.map((protocol) => `output ${protocol}`),
  ...Object.keys(Output.shape)
    .filter((name) => !['id', 'protocol', 'url'].includes(name))
    .map((name) => `output ${name}`),
  ...OrderName.options.map((name) => `order ${name}`),
  ...fromDevice
    .map(({ type }) => type as string)
    .filter((type) => !ofUnits.includes(type))
    .map((type) => `message ${type}`),
]
