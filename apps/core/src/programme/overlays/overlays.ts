// Graphics of customers: uploaded, drawn over the outputs of channels, sent to the servers that need them, their use counted.

import { randomBytes } from 'node:crypto'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { because, type PlainCode } from '@backhaul/contract/define/refusals'
import { gate } from '@backhaul/contract/nouns/gates'
import {
  type NewOverlay,
  OVERLAY_EXTRA_BYTES_MAX,
  OVERLAY_PIXELS_MAX,
  OVERLAYS_PER_INVENTORY,
  type Overlay,
  type OverlayChoice,
  type OverlayRef,
  overlayFault,
  sizeOfPng,
  unpackedReasons,
} from '@backhaul/contract/nouns/overlays'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pngFault } from '@backhaul/runtime/png'
import type { Database } from '../../database/schema.ts'
import { everything, readsInventory, type Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import { deliverOverlays } from './overlay-delivery.ts'
import * as table from './overlay-table.ts'
import { countOverlayUse } from './overlay-use.ts'

export interface Overlays {
  /** Throws NotFound for a customer out of scope, as all that follow. */
  ofInventory(scope: Scope, inventoryId: string): Promise<Overlay[]>
  /** The file, in base64. */
  picture(scope: Scope, inventoryId: string, id: string): Promise<string>
  /** Throws InvalidRequest for a file that is not a graphic, Conflict for a name that is taken. */
  create(scope: Scope, inventoryId: string, overlay: NewOverlay): Promise<Overlay>
  /** Throws Conflict while it is on a channel. */
  remove(scope: Scope, inventoryId: string, id: string): Promise<Overlay>
  /** Throws Conflict where the server or the services of the customer do not allow it. */
  choose(scope: Scope, channelId: string, choice: OverlayChoice): Promise<OverlayRef>
  /** Answers the customer of the channel. */
  clear(scope: Scope, channelId: string): Promise<string>
  start(): void
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  devices: Devices
  servers: Servers
  channels: Channels
  services: Services
}

export function createOverlays(needs: Needs): Overlays {
  const { db, clock, events, log, inventories, channels, services } = needs
  const delivery = deliverOverlays(needs)
  const inUse = () => channels.readable(everything).filter(({ overlay }) => overlay !== null)

  inventories.keepWhile((id) =>
    inUse().some(({ inventoryId }) => inventoryId === id) ? 'inventory.active' : undefined,
  )

  const shown = ({ png, createdMs, ...facts }: table.StoredOverlay): Overlay => ({
    ...facts,
    bytes: Buffer.byteLength(png, 'base64'),
    createdAt: new Date(createdMs).toISOString(),
    channels: inUse()
      .filter(({ overlay }) => overlay?.id === facts.id)
      .map(({ uniqueId, name }) => ({ uniqueId, name })),
  })

  async function clearChannel(channelId: string): Promise<void> {
    const change = await db
      .transaction()
      .execute((transaction) => channels.setOverlay(transaction, channelId, null))
    channels.adopt([change])
  }

  // The graphics are kept by their customer.
  events.on('deviceMoved', ({ deviceId }) => {
    for (const { uniqueId } of inUse().filter(({ serverId }) => serverId === deviceId))
      clearChannel(uniqueId).catch((error) =>
        log.error({ err: error, uniqueId }, 'graphic not removed from the channel'),
      )
  })

  const use = countOverlayUse({ ...needs, inUse, clearChannel })

  async function one(scope: Scope, inventoryId: string, id: string): Promise<table.StoredOverlay> {
    const all = readsInventory(scope, inventoryId) ? await table.overlaysOf(db, inventoryId) : []
    const found = all.find((overlay) => overlay.id === id)
    if (!found) throw new NotFound('overlay')
    return found
  }

  return {
    async ofInventory(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      return (await table.overlaysOf(db, inventoryId)).map(shown)
    },
    picture: async (scope, inventoryId, id) => (await one(scope, inventoryId, id)).png,
    async create(scope, inventoryId, { name, png }) {
      const { id: inventory } = await inventories.get(scope, inventoryId)
      const file = Buffer.from(png, 'base64')
      const reason = overlayFault(file) ?? (await unpackedFault(file))
      const size = sizeOfPng(file)
      if (reason !== undefined || !size) throw InvalidRequest.at('png', reason ?? 'overlay.type')
      const id = `ov-${randomBytes(9).toString('base64url')}`
      const overlay = { id, inventory, name, ...size, png, createdMs: clock.nowMs() }
      await uniqueName(
        db.transaction().execute(async (transaction) => {
          await table.insertOverlay(transaction, overlay)
          if ((await table.countOverlays(transaction, inventory)) > OVERLAYS_PER_INVENTORY)
            throw new Conflict('overlay.tooMany')
        }),
      )
      return shown(overlay)
    },
    async remove(scope, inventoryId, id) {
      const overlay = await one(scope, inventoryId, id)
      await db.transaction().execute(async (transaction) => {
        await table.holdOverlay(transaction, inventoryId, id)
        const [name] = await channels.namesUnder(transaction, inventoryId, id)
        if (name !== undefined) throw new Conflict(because('overlay.inUse', { channel: name }))
        await table.deleteOverlay(transaction, id)
      })
      return shown(overlay)
    },
    async choose(scope, channelId, choice) {
      const channel = await channels.administration.one(scope, channelId)
      const { inventoryId, liveuVersion: serverVersion } = channel
      const closed = gate('overlay', { serverVersion, services: await services.inForce([inventoryId]) })
      if (closed !== undefined) throw new Conflict(closed)
      if (channel.capabilities.overlay !== true) throw new Conflict('overlay.serverCannot')
      const done = await db.transaction().execute(async (transaction) => {
        const held = await table.holdOverlay(transaction, inventoryId, choice.overlay)
        if (!held) throw new NotFound('overlay')
        const { id, name, width, height } = held
        const ref = { id, name, place: choice.place }
        return { ref, change: await channels.setOverlay(transaction, channelId, { ...ref, width, height }) }
      })
      channels.adopt([done.change])
      delivery.deliver(channel.serverId)
      return done.ref
    },
    async clear(scope, channelId) {
      const { inventoryId } = await channels.administration.one(scope, channelId)
      await clearChannel(channelId)
      return inventoryId
    },
    start: use.start,
    async stop() {
      await Promise.all([use.stop(), delivery.settled()])
    },
  }
}

const limits = { pixelsAtMost: OVERLAY_PIXELS_MAX, extraBytesAtMost: OVERLAY_EXTRA_BYTES_MAX }

async function unpackedFault(file: Buffer): Promise<PlainCode | undefined> {
  const fault = await pngFault(file, limits)
  return fault && unpackedReasons[fault]
}
