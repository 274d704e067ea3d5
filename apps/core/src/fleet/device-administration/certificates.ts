// The certificate of a device, the token by which core knows its machine: deleted, so that the machine registers again.
import { Conflict, NotFound, Refusal } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { deletionFault } from '@backhaul/contract/nouns/server-deletion'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../access-approvals/access-approvals.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import * as table from './device-administration-table.ts'

export interface Certificates {
  /**
   * The machine of a device in the caller's scope gets another identity with its registration key. Throws NotFound
   * where no machine has joined, Conflict while the device is busy, not connected, or could not join again.
   */
  remove(caller: Caller, deviceId: string): Promise<void>
  /** Why none of the device can be deleted now; undefined when one can. */
  refusal(deviceId: string): PlainCode | undefined
}

interface Needs {
  devices: Devices
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
}

export function createCertificates({ devices, channels, units, accessApprovals }: Needs): Certificates {
  function refusal(deviceId: string): PlainCode | undefined {
    const device = devices.get(deviceId)
    // A record without a machine.
    if (!device || device.swVersion === '' || device.details.deregisteredMs !== undefined)
      return 'certificate.notFound'
    const isServer = device.kind === 'server'
    if (device.presence === 'offline') return isServer ? 'server.offline' : 'unit.offline'
    const isBusy = isServer
      ? deletionFault(channels.ofServer(deviceId)) !== undefined
      : units.values(deviceId)?.busy === true
    return isBusy ? 'certificate.busy' : undefined
  }

  async function isHeld(transaction: DatabaseTransaction, deviceId: string): Promise<boolean> {
    if (devices.get(deviceId)?.kind === 'unit') return await table.isTransmitting(transaction, deviceId)
    return (await table.heldChannel(transaction, deviceId)) !== undefined
  }

  return {
    async remove(caller, deviceId) {
      await accessApprovals.require(caller, deviceId)
      const closed = refusal(deviceId)
      if (closed === 'certificate.notFound') throw new NotFound('certificate')
      if (closed !== undefined) throw new Conflict(closed)
      await devices.request(deviceId, 'delete_certificate', {}).catch((error: unknown) => {
        if (error instanceof Refusal) throw new Conflict('certificate.failed')
        throw error
      })
      await devices.revoke(deviceId, async (transaction) => {
        if (await isHeld(transaction, deviceId)) throw new Conflict('certificate.busy')
        await accessApprovals.noteAct(transaction, caller, deviceId)
      })
    },
    refusal,
  }
}
