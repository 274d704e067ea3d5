// All tunnels of the unit over its links: databridge, IP pipe and uploads, each within what the rules leave it.

import type { LinkTerms } from '@backhaul/bonding/link-terms'
import type { UnitHardware, UnitHardwareChange } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { databridge as databridgeThrough } from './databridge/databridge.ts'
import { ipPipe as ipPipeThrough } from './ip-pipe/ip-pipe.ts'
import { fileTerms, type LinkRate, type LivePicture, tunnelTerms } from './link-terms.ts'
import type { UnitLink } from './links.ts'
import { type CalledTunnelOptions, createCalledTunnel } from './tunnels/called-tunnel.ts'
import { createUploadTunnels } from './uploads/upload-tunnels.ts'

export interface UnitTunnelsOptions {
  /** Absent where the unit has no databridge. */
  databridgeAddress: string | undefined
  /** Absent where the unit has no IP pipe. */
  ipPipeBridge: string | undefined
  links: () => readonly UnitLink[]
  usable: () => readonly UnitLink[]
  /** The settings of the links. */
  own: () => LinkTerms
  /** Undefined while no picture is sent. */
  live: () => LivePicture | undefined
  /** The returned picture, by the links that it comes over. */
  returned: () => readonly LinkRate[]
  clock: Clock
  log: Log
  onLost: (change: UnitHardwareChange) => void
  /** A databridge or an IP pipe is there, or not any more. */
  onChange: () => void
}

export interface UnitTunnels {
  readonly hardware: Pick<UnitHardware, 'databridge' | 'ipPipe' | 'openUploadTunnel'>
  /** A databridge or an IP pipe is connected, or being connected. */
  isThere(): boolean
  /** The present load of the link by all tunnels. */
  kbpsOf(linkId: string): { up: number; down: number }
  /** The usable links, or how they may be used, changed. */
  useLinks(): void
  close(): Promise<void>
}

export function createUnitTunnels(options: UnitTunnelsOptions): UnitTunnels {
  const {
    databridgeAddress,
    ipPipeBridge,
    links,
    usable,
    own,
    live,
    returned,
    clock,
    log,
    onLost,
    onChange,
  } = options
  const calledAs = (kind: 'databridgeLost' | 'ipPipeLost'): CalledTunnelOptions => ({
    usable,
    terms: () => tunnelTerms(own(), live(), returned()),
    clock,
    log,
    onLost: (why) => onLost({ kind, why }),
    onChange,
  })
  const databridge =
    databridgeAddress === undefined
      ? undefined
      : createCalledTunnel(databridgeThrough(databridgeAddress), calledAs('databridgeLost'))
  const ipPipe =
    ipPipeBridge === undefined
      ? undefined
      : createCalledTunnel(ipPipeThrough(ipPipeBridge), calledAs('ipPipeLost'))
  const called = [databridge ?? [], ipPipe ?? []].flat()
  const uploads = createUploadTunnels({
    usable,
    terms() {
      const ids = links().map(({ id }) => id)
      const inTunnels = ids.map((id) => ({ id, kbps: sumOf(called, id).up }))
      return fileTerms(own(), ids, live(), inTunnels, returned())
    },
    clock,
    log,
  })
  const all = [...called, uploads]
  return {
    hardware: {
      ...(databridge && { databridge: databridge.hardware }),
      ...(ipPipe && { ipPipe: ipPipe.hardware }),
      openUploadTunnel: uploads.open,
    },
    isThere: () => called.some((tunnel) => tunnel.isThere()),
    kbpsOf: (linkId) => sumOf(all, linkId),
    useLinks() {
      for (const tunnel of all) tunnel.useLinks()
    },
    async close() {
      await Promise.all(all.map((tunnel) => tunnel.close()))
    },
  }
}

function sumOf(
  tunnels: readonly Pick<UnitTunnels, 'kbpsOf'>[],
  linkId: string,
): { up: number; down: number } {
  const rates = tunnels.map((tunnel) => tunnel.kbpsOf(linkId))
  return {
    up: rates.reduce((sum, { up }) => sum + up, 0),
    down: rates.reduce((sum, { down }) => sum + down, 0),
  }
}
