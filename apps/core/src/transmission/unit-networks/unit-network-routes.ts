import type { unitNetworks as endpoints } from '@backhaul/contract/api/unit-networks'
import type { ModemChanges } from '@backhaul/contract/nouns/unit-networks'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitNetworks } from './unit-networks.ts'

const accepted = (commandId: string | undefined) => ({
  accepted: true as const,
  ...(commandId !== undefined && { commandId }),
})

/** Passwords are not in the log of changes. */
const noted = ({ password: _, ...changes }: ModemChanges) => changes

export function unitNetworkRoutes(networks: UnitNetworks): Handlers<typeof endpoints> {
  return {
    modem: ({ caller, params }) => networks.modem(caller.scope, params.id, params.port),
    async setModem({ caller, params, body, note }) {
      note({ objectId: params.id, details: { port: params.port, ...noted(body) } })
      return accepted(await networks.setModem(caller, params.id, params.port, body))
    },
    link: ({ caller, params, body }) => networks.link(caller.scope, params.id, body.port),
    async setLink({ caller, params, body, note }) {
      const { modem, ...rest } = body
      note({ objectId: params.id, details: { ...rest, ...(modem && { modem: noted(modem) }) } })
      return accepted(await networks.setLink(caller, params.id, body))
    },
    async queryWifi({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      return accepted(await networks.queryWifi(caller, params.id, body.port, body.forceScanNow))
    },
    async connectWifi({ caller, params, body, note }) {
      const { password: _, ...details } = body
      note({ objectId: params.id, details })
      return accepted(await networks.connectWifi(caller, params.id, body))
    },
    async disconnectWifi({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      return accepted(await networks.disconnectWifi(caller, params.id, body.port))
    },
    selectionMode: ({ caller, params, body }) => networks.selection(caller.scope, params.id, body.port),
    async setActiveSim({ caller, params, body, note }) {
      note({ objectId: params.id, details: { ...body } })
      const port = 'port' in body ? body.port : undefined
      return accepted(await networks.setActiveSim(caller, params.id, port, body.sim))
    },
    async scanNetworks({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      return accepted(await networks.scan(caller, params.id, body.port))
    },
    scanResults: ({ caller, params, body }) => networks.scanResults(caller.scope, params.id, body.port),
    async selectNetwork({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      return accepted(await networks.select(caller, params.id, body.port, body.network))
    },
    async selectAutomatically({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      return accepted(await networks.select(caller, params.id, body.port, undefined))
    },
  }
}
