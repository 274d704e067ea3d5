// SMPTE 2110 output of servers and channels: read when it is viewed.
import { servers } from '@backhaul/contract/api/servers'
import { smpte as calls } from '@backhaul/contract/api/smpte'
import type {
  SmpteChannelRequest,
  SmpteChannelState,
  SmpteServerRequest,
  SmpteServerState,
} from '@backhaul/contract/nouns/smpte'
import { call } from '../../doors/api.ts'

export const smpteOfServer = (id: string): Promise<SmpteServerState> =>
  call(servers.smpte, { params: { id } })

export const setServerSmpte = (id: string, body: SmpteServerRequest): Promise<SmpteServerState> =>
  call(calls.setServer, { params: { id }, body })

export const smpteOfChannel = (id: string): Promise<SmpteChannelState> =>
  call(calls.channel, { params: { id } })

export const setChannelSmpte = (id: string, body: SmpteChannelRequest): Promise<SmpteChannelState> =>
  call(calls.setChannel, { params: { id }, body })

/** Content of a field of figures. */
export type Typed = number | string

/** A field that was left empty holds no figure. */
export const figureOf = (typed: Typed): number | undefined => (typeof typed === 'number' ? typed : undefined)
