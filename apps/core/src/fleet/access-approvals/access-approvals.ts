// Access approvals: for some hours a customer lets vendor staff act on one device.
import { randomBytes } from 'node:crypto'
import type { Page } from '@backhaul/contract/define/answers'
import { Conflict, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import {
  type AccessApproval,
  isOfVendor,
  needsAccessApproval,
  SUPPORT_ACCESS_MS,
} from '@backhaul/contract/nouns/access-approvals'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { AccessApprovalRow } from '../../database/access-schema.ts'
import type { Window } from '../../database/paging.ts'
import type { Database, Queries } from '../../database/schema.ts'
import { reads, type Scope } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import * as table from './access-approval-table.ts'
import { createAccessNews } from './access-news.ts'

export interface AccessApprovals {
  /** The newest first; throws NotFound for a device outside the caller's scope. */
  page(scope: Scope, query: Window & { device?: string | undefined }): Promise<Page<AccessApproval>>
  /** Throws NotFound, and Conflict while access is granted. */
  grant(caller: Caller, deviceId: string): Promise<AccessApproval>
  /** Throws NotFound, and Conflict for one that has ended. */
  revoke(scope: Scope, id: string): Promise<AccessApproval>
  /** Throws NotAllowed for callers who need the customer's approval to act on the device and have none now. */
  require(caller: Caller, deviceId: string): Promise<void>
  /** Throws NotAllowed for every user while the customer does not grant access to the device. */
  requireOpen(deviceId: string): Promise<void>
  /** The time at which the open access expires, for each of the devices that has one. */
  openEnds(deviceIds: readonly string[]): Promise<Map<string, number>>
  /** The caller acts on the device: for vendor staff this marks the open access as used. */
  noteAct(db: Queries, caller: Pick<Caller, 'roles' | 'username'>, deviceId: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

type Needs = Parameters<typeof createAccessNews>[0] & {
  db: Database
  clock: Clock
  log: Log
  devices: Devices
  units: Units
}

export function createAccessApprovals(needs: Needs): AccessApprovals {
  const { db, clock, devices, units } = needs
  const news = createAccessNews(needs)
  const writes = createWrites(needs.log)

  async function found(scope: Scope, id: string): Promise<AccessApproval> {
    const approval = await table.findApproval(db, scope, id, clock.nowMs())
    if (!approval) throw new NotFound('access')
    return approval
  }

  /** A server is granted by those who see all of its customer, for it serves several groups. */
  function requireKnown(scope: Scope, deviceId: string): void {
    const device = devices.get(deviceId)
    const isServer = device?.kind === 'server'
    if (!isServer) units.get(scope, deviceId)
    // One out of reach is answered like one that does not exist.
    else if (!reads(scope, { inventoryId: device.inventoryId, groupIds: [] })) throw new NotFound('unit')
  }

  async function requireOpen(deviceId: string): Promise<void> {
    if (!(await table.hasOpen(db, deviceId, clock.nowMs()))) throw new NotAllowed('access.missing')
  }

  return {
    async page(scope, { device, ...window }) {
      if (device !== undefined) requireKnown(scope, device)
      return await table.approvalPage(db, scope, { device, ...window, nowMs: clock.nowMs() })
    },
    async grant({ scope, username }, deviceId) {
      requireKnown(scope, deviceId)
      const approval = newApproval(deviceId, username, clock.nowMs())
      if (!(await table.insertUnlessOpen(db, approval))) throw new Conflict('access.granted')
      news.expires(deviceId, approval.end_ms)
      news.changed(deviceId)
      return await found(scope, approval.id)
    },
    async revoke(scope, id) {
      const { device } = await found(scope, id)
      if (!(await table.endApproval(db, id, clock.nowMs()))) throw new Conflict('access.over')
      news.expiresNoMore(device)
      news.changed(device)
      return await found(scope, id)
    },
    async require({ roles }, deviceId) {
      if (needsAccessApproval(roles)) await requireOpen(deviceId)
    },
    requireOpen,
    openEnds: (deviceIds) => table.openEnds(db, deviceIds, clock.nowMs()),
    async noteAct(within, { roles, username }, deviceId) {
      if (!isOfVendor(roles)) return
      if (!(await table.noteUse(within, deviceId, { by: username, nowMs: clock.nowMs() }))) return
      // Readers that read it again must find it.
      const announce = async () => {
        await table.useStored(db, deviceId)
        news.changed(deviceId)
      }
      void writes.add(announce, 'use of the support access not announced', { deviceId })
    },
    async start() {
      for (const { device_id, end_ms } of await table.openOnes(db, clock.nowMs()))
        news.expires(device_id, end_ms)
    },
    async stop() {
      news.stop()
      await writes.stored()
    },
  }
}

const newApproval = (deviceId: string, by: string, nowMs: number): AccessApprovalRow => ({
  id: `aa-${randomBytes(9).toString('base64url')}`,
  device_id: deviceId,
  granted_by: by,
  start_ms: nowMs,
  end_ms: nowMs + SUPPORT_ACCESS_MS,
  used_ms: null,
  used_by: null,
})
