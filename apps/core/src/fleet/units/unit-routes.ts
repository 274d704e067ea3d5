import type { units as endpoints } from '@backhaul/contract/api/units'
import { Conflict, Refusal } from '@backhaul/contract/define/errors'
import { delayChoices } from '@backhaul/contract/nouns/delays'
import type { Log } from '@backhaul/runtime/log'
import { everything } from '../../database/scope.ts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from './units.ts'

interface Needs {
  units: Units
  devices: Devices
  groups: Groups
  inventories: Inventories
  log: Log
}

export function unitRoutes({
  units,
  devices,
  groups,
  inventories,
  log,
}: Needs): Handlers<Omit<typeof endpoints, 'graph' | 'enhanced'>> {
  return {
    async ofGroup({ caller, query }) {
      try {
        return await units.ofGroup(caller.scope, query.group)
      } catch (error) {
        if (error instanceof Refusal) throw error
        // An internal failure is reported in the body of a successful answer (EP-UREAD-02, ER-HTTP-03).
        log.error({ err: error, group: query.group }, 'units not fetched')
        throw new Refusal(200, 'system.internalError', { code: 500 })
      }
    },
    byId: ({ caller, params }) => units.get(caller.scope, params.id),
    one: ({ caller, params }) => units.get(caller.scope, params.id),
    status({ caller, params }) {
      const { status, state, applications, busy, idle, offline, reportedAt } = units.get(
        caller.scope,
        params.id,
      )
      return { status, state, applications, busy, idle, offline, reportedAt }
    },
    modems({ caller, params }) {
      const { modems, offlineModems } = units.get(caller.scope, params.id)
      return { modems, offlineModems }
    },
    events: ({ caller, params, query }) => units.eventsOf(caller.scope, params.id, query),
    location: ({ caller, params }) => units.get(caller.scope, params.id).location,
    async coordinates({ caller, query }) {
      const { inventoryId } = await groups.get(caller.scope, query.group)
      const closed = await inventories.closed(inventoryId, 'map')
      if (closed !== undefined) throw new Conflict(closed)
      const all = await units.ofGroup(everything, query.group)
      return all.flatMap(({ uid, location }) => (location ? [{ uid, location }] : []))
    },
    capabilities: ({ caller, params }) => units.get(caller.scope, params.id).capabilities,
    configuration({ caller, params }) {
      const unit = units.get(caller.scope, params.id)
      const { settings, unconfirmed } = units.settings(everything, unit.uid)
      const quality = unit.storeAndForwardVideoQuality
      return {
        delay: unit.delay,
        channelId: unit.channelId,
        workingMode: unit.workingMode,
        transmissionMode: unit.transmissionMode,
        multiCameraSelectedMode: unit.multiCameraSelectedMode,
        ntp: unit.ntp,
        filenamePrefix: unit.filenamePrefix,
        metadata: unit.metadata,
        multiCameraLabels: unit.multiCameraLabels,
        fixedInternetDelay: devices.get(unit.uid)?.details.fixedInternet?.delayMs ?? null,
        delayChoices: [...delayChoices(unit.type, unit.swVersion)],
        storeAndForwardVideoQualityV2: settings.storeAndForwardQuality ?? {
          'H.264/AVC': quality,
          'H.265/HEVC': quality,
        },
        settings,
        unconfirmed,
        ipPipe: devices.get(unit.uid)?.details.ipPipe ?? null,
        configurationRevision: devices.get(unit.uid)?.wantedRevision ?? 0,
      }
    },
    services: ({ caller, params }) => units.get(caller.scope, params.id).services,
    groups: ({ caller, params }) => units.groupsOf(caller.scope, params.id),
    async rename({ caller, body, note }) {
      note({ objectId: body.uid, details: { name: body.name } })
      await units.update(caller.scope, body.uid, { name: body.name })
      return { done: true }
    },
    async update({ caller, params, body, note }) {
      const { name, comment } = body
      const changes = { ...(name !== undefined && { name }), ...(comment !== undefined && { comment }) }
      note({ details: changes })
      await units.update(caller.scope, params.id, changes)
      return { done: true }
    },
  }
}
