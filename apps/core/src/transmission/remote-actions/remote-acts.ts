// The effect of each remote action on a unit or a server, and the reasons why it cannot be done now.
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import type { Reason, Wording } from '@backhaul/contract/define/refusals'
import { logRefusal } from '@backhaul/contract/nouns/device-logs'
import { RemoteAction, type RemoteActionRequest } from '@backhaul/contract/nouns/remote-actions'
import { deletionFault } from '@backhaul/contract/nouns/server-deletion'
import type { Server } from '@backhaul/contract/nouns/servers'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { DeviceAdministration } from '../../fleet/device-administration/device-administration.ts'
import type { Device, Devices } from '../../fleet/devices/devices.ts'
import type { Upgrades } from '../../fleet/upgrades/upgrades.ts'
import type { DeviceLogs } from '../device-logs/device-logs.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

/** A device in the caller's scope. */
export type Target = { kind: 'unit'; id: string; unit: Unit } | { kind: 'server'; id: string; server: Server }

type Refusal = Reason | Wording | undefined

interface Act<Of> {
  /** Access of the customer aside. */
  refusal(caller: Caller, of: Of): Refusal | Promise<Refusal>
  /** Answers the id of the command, where it is followed as one. */
  run(caller: Caller, of: Of, request: RemoteActionRequest): Promise<string | undefined>
}

export interface RemoteActs {
  /** The actions of such a device, in the order of the contract. */
  of(target: Target): { name: RemoteAction; refusal(caller: Caller): Refusal | Promise<Refusal> }[]
  /** Throws InvalidRequest for an action that such a device does not have. */
  run(caller: Caller, target: Target, request: RemoteActionRequest): Promise<string | undefined>
  /** Whether the server has activities that would be interrupted. */
  isBusy(serverId: string): boolean
}

interface Needs {
  devices: Devices
  channels: Channels
  accessApprovals: AccessApprovals
  deviceAdministration: DeviceAdministration
  upgrades: Upgrades
  transmissions: Transmissions
  deviceLogs: DeviceLogs
}

export function createRemoteActs(needs: Needs): RemoteActs {
  const { channels } = needs
  const isBusy = (serverId: string) => deletionFault(channels.ofServer(serverId)) !== undefined
  const ofAny = actsOfAny(needs)
  const ofUnits = actsOfUnits(needs)
  const ofServers: Partial<Record<RemoteAction, Act<Server>>> = {
    restart: {
      refusal: (caller, { deviceId }) => needs.deviceAdministration.servers.restartRefusal(caller, deviceId),
      async run(caller, { deviceId }, { whileBusy = false }) {
        if (isBusy(deviceId) && !whileBusy) throw new Conflict('server.receiving')
        await needs.deviceAdministration.servers.restart(caller, deviceId)
        return undefined
      },
    },
  }

  function find(target: Target, action: RemoteAction) {
    const common = ofAny[action]
    if (common)
      return {
        refusal: (caller: Caller) => common.refusal(caller, target.id),
        run: (caller: Caller, request: RemoteActionRequest) => common.run(caller, target.id, request),
      }
    if (target.kind === 'unit') return bound(ofUnits[action], target.unit)
    return bound(ofServers[action], target.server)
  }

  return {
    of: (target) =>
      RemoteAction.options.flatMap((name) => {
        const act = find(target, name)
        return act ? [{ name, refusal: act.refusal }] : []
      }),
    async run(caller, target, request) {
      const act = find(target, request.action)
      if (!act) throw InvalidRequest.at('action', 'remoteAction.notOfDevice')
      return await act.run(caller, request)
    },
    isBusy,
  }
}

const bound = <Of>(act: Act<Of> | undefined, of: Of) =>
  act && {
    refusal: (caller: Caller) => act.refusal(caller, of),
    run: (caller: Caller, request: RemoteActionRequest) => act.run(caller, of, request),
  }

function actsOfUnits({ transmissions, deviceLogs }: Needs): Partial<Record<RemoteAction, Act<Unit>>> {
  const power = (name: 'reboot' | 'shutdown'): Act<Unit> => ({
    refusal: (caller, unit) => transmissions.refusalOf(caller, unit, name),
    run: (caller, { uid }, { whileBusy = false }) => transmissions.order(caller, uid, name, { whileBusy }),
  })
  return {
    reboot: power('reboot'),
    shutdown: power('shutdown'),
    sendLogs: {
      refusal: (_, unit) => logRefusal(unit),
      async run(caller, { uid }, { description }) {
        if (description === undefined) throw InvalidRequest.at('description', 'field.required')
        return await deviceLogs.sendOfUnit(caller, uid, { description, includeChannel: false })
      },
    },
  }
}

/** The acts on any device, by its id. */
function actsOfAny({
  devices,
  accessApprovals,
  deviceAdministration: { certificates },
  upgrades,
}: Needs): Partial<Record<RemoteAction, Act<string>>> {
  return {
    checkAccess: {
      refusal: () => undefined,
      async run(_, id) {
        await accessApprovals.requireOpen(id)
        return undefined
      },
    },
    setTargetVersion: {
      refusal: (_, id) => upgrades.closed(devices.get(id) as Device),
      async run(caller, id, { versionNumberId, upgradeNow = false }) {
        if (versionNumberId === undefined) throw InvalidRequest.at('versionNumberId', 'field.required')
        await upgrades.setTarget(caller, id, { versionNumberId, upgradeNow })
        return undefined
      },
    },
    clearTargetVersion: {
      refusal: ({ scope }, id) =>
        upgrades.target(scope, id)?.state === 'pending' ? undefined : 'upgrade.nonePending',
      async run(caller, id) {
        await upgrades.clear(caller, id)
        return undefined
      },
    },
    deleteCertificate: {
      refusal: (_, id) => certificates.refusal(id),
      async run(caller, id) {
        await certificates.remove(caller, id)
        return undefined
      },
    },
  }
}
