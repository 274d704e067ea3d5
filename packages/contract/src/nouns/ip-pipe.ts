/** IP pipe: the Ethernet of a crew and a network of a server as one, over all links of the unit (ST-IPPIPE, EN-MISC-03). */

import { z } from 'zod'
import { ReasonCause, rule } from '../define/refusals.ts'
import { whole } from './servers.ts'
import type { Applications } from './unit-status.ts'

/** A pipe is for control, during a transmission too: what exceeds this in one direction is dropped (CO-ADMIN-08, GAP-SRV-11). */
export const IP_PIPE_MAX_KBPS = 1000
export const IP_PIPE_TEXT_MAX = 1024
/** Servers that can hold a pipe come on one page of this size (CO-ADMIN-22). */
export const IP_PIPE_SERVERS_LIMIT = 1000
export const IP_PIPE_NETWORKS_MAX = 16
/** The UDP port that units call until another is set. */
export const IP_PIPE_PORT = 20_950

/**
 * 1. not connected: none is wanted; a connect leads to 2;
 * 2. connecting: the unit calls the server; to 3 when both ends have joined their networks, to 4 when that fails;
 * 3. connected: frames go both ways; to 4 when the server is lost, to 5 by a disconnect;
 * 4. failed: with a reason; the unit continues to call, and a success leads to 3; to 5 by a disconnect;
 * 5. disconnecting: both ends leave their networks; then 1.
 */
export const IpPipeState = z.enum(['connected', 'connecting', 'disconnecting', 'not connected', 'failed'])
export type IpPipeState = z.infer<typeof IpPipeState>

/** The IP pipe of a unit; the reason is that of `failed`. */
export const IpPipe = z.object({ state: IpPipeState, reason: z.string().nullable(), cause: ReasonCause })
export type IpPipe = z.infer<typeof IpPipe>

const Id = z.string().min(1).max(64)
const IpPipeText = z
  .string()
  .max(IP_PIPE_TEXT_MAX, rule('text.atMost', { most: IP_PIPE_TEXT_MAX }))
  .regex(/^[^\\]*$/, rule('text.backslash'))

/** The pipe of a unit: to which server, and into which of its networks. */
export const IpPipeSettings = z.strictObject({
  serverId: Id,
  channel: Id.describe('A channel of the server; each carries the pipe of one unit at a time'),
  port: whole(1, 65_535).describe('UDP, at which the unit calls the server'),
  interface: IpPipeText.describe('An Ethernet network of the server; empty for that of its configuration'),
  description: IpPipeText.describe('For users; nothing depends on it'),
})
export type IpPipeSettings = z.infer<typeof IpPipeSettings>

/** A server that holds pipes: where units call, and the network that they lead to (EN-SERVER-30). */
export const IpPipeConfiguration = z.strictObject({
  enabled: z.boolean(),
  interface: IpPipeText.describe('An Ethernet network of the server, by name; empty for none'),
  port: whole(1, 65_535).describe('UDP, at which units call'),
})
export type IpPipeConfiguration = z.infer<typeof IpPipeConfiguration>

/** The configuration of a server on which nothing was set. */
export const noIpPipe: IpPipeConfiguration = { enabled: false, interface: '', port: IP_PIPE_PORT }

/** An Ethernet network of the machine that its owner has opened to pipes. */
export const ServerEthernet = z.object({
  name: z.string().max(15),
  mac: z.string().max(17),
  addresses: z.array(z.string().max(64)).max(16).describe('Of the machine in this network'),
  sockets: z.array(z.string().max(15)).max(32).describe('Its Ethernet interfaces'),
  up: z.boolean(),
})
export type ServerEthernet = z.infer<typeof ServerEthernet>

interface Reported {
  /** The pipe that the unit has or is starting. */
  readonly ipPipeId?: string | null | undefined
  readonly ipPipeFailure?: string | null | undefined
  readonly ipPipeFailureCause?: z.infer<typeof ReasonCause> | null
  readonly applications?: Applications | undefined
}

/** The pipe of a unit as users see it: by what is wanted, and by what the unit reports while it is there. */
export function ipPipeOf(wantedId: string | undefined, actual: Reported, isThere: boolean): IpPipe {
  const reported = isThere ? actual.applications?.l2ControlPipe?.state : undefined
  const plain = (state: IpPipeState): IpPipe => ({ state, reason: null, cause: undefined })
  if (wantedId === undefined) return plain(reported === undefined ? 'not connected' : 'disconnecting')
  if (reported === undefined || actual.ipPipeId !== wantedId) return plain('connecting')
  if (reported === 'connected') return plain('connected')
  if (reported !== 'failed') return plain('connecting')
  return {
    state: 'failed',
    reason: actual.ipPipeFailure ?? null,
    cause: actual.ipPipeFailureCause ?? undefined,
  }
}
