// Device administration: the records of units and servers, their customers and groups, and settings of servers.
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { AccessApprovals } from '../access-approvals/access-approvals.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { LinkExtenders } from '../link-extenders/link-extenders.ts'
import type { Servers } from '../servers/servers.ts'
import type { Units } from '../units/units.ts'
import { type Certificates, createCertificates } from './certificates.ts'
import { createServerRecords, type ServerRecords } from './server-records.ts'
import { createUnitRecords, type UnitRecords } from './unit-records.ts'

export interface DeviceAdministration {
  readonly certificates: Certificates
  readonly servers: ServerRecords
  readonly units: UnitRecords
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  groups: Groups
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  linkExtenders: LinkExtenders
}

export const createDeviceAdministration = (needs: Needs): DeviceAdministration => ({
  certificates: createCertificates(needs),
  servers: createServerRecords(needs),
  units: createUnitRecords(needs),
})
