// The databridge of the unit: its ports, for the machines that reach the unit at an address that its owner has set.
import type { WantedDatabridge } from '@backhaul/contract/gateway/units'
import type { TunnelPurpose } from '../tunnels/call.ts'
import { openPorts } from './open-ports.ts'

/** `host` is the address at which machines of the crew reach the unit. */
export const databridge = (host: string): TunnelPurpose<WantedDatabridge> => ({
  name: 'databridge',
  silent: 'databridge.gatewaySilent',
  open: ({ ports }, tunnel) => openPorts(host, ports, tunnel),
})
