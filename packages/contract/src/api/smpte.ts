/** Settings of SMPTE 2110 on servers and channels (SC-DEVS-03, SC-CHANS-06). The state of a server is read with it. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import {
  SmpteChannelRequest,
  SmpteChannelState,
  SmpteServerRequest,
  SmpteServerState,
} from '../nouns/smpte.ts'
import { exampleSmpteServer } from './servers.ts'

const params = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerDevices' as const

const exampleChannel: SmpteChannelState = {
  isConfigured: true,
  lastUpdate: '2026-11-21T10:00:00.000Z',
  configuration: {
    flavor: 'ST 2110-20',
    video: { address: '239.10.1.1', port: 5004 },
    audio: { address: '239.10.1.2', port: 5004 },
    ancillary: null,
  },
}

export const smpte = {
  setServer: endpoint({
    method: 'PUT',
    path: '/v2/mmhservers/{id}/configuration/smpte',
    summary: 'Sets the SMPTE 2110 networks of an MMH server; null removes it from them',
    permission,
    params,
    body: SmpteServerRequest,
    response: SmpteServerState,
    errors: [404, 409],
    example: exampleSmpteServer,
    rows: ['EP-SRV-12', 'EN-MISC-04', 'EN-SERVER-29', 'SC-DEVS-03'],
  }),
  channel: endpoint({
    method: 'GET',
    path: '/v2/channels/{id}/smpte',
    summary: 'SMPTE 2110 outputs of the channel',
    permission,
    params,
    response: SmpteChannelState,
    errors: [404],
    example: exampleChannel,
    rows: ['EP-CHAN-42', 'EN-CHAN-45'],
  }),
  setChannel: endpoint({
    method: 'PUT',
    path: '/v2/channels/{id}/smpte',
    summary: 'Sets the SMPTE 2110 outputs of the channel; null removes them',
    permission,
    params,
    body: SmpteChannelRequest,
    response: SmpteChannelState,
    errors: [404, 409],
    example: exampleChannel,
    rows: ['EP-CHAN-43', 'EN-CHAN-29', 'EN-CHAN-42', 'EN-CHAN-43', 'SC-CHANS-06'],
  }),
}
