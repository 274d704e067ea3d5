/** Tallies and IFB interfaces of a customer's servers, and the channels that they belong to (EN-INV-23). */
import { z } from 'zod'
import { Accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { Ifb, IfbAssociation, TallyAssociation, TallyInterface } from '../nouns/interfaces.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerDevices' as const
const count = z.object({ count: z.number().int() })

const exampleTally: TallyInterface = {
  id: 's-mcr:tally-1',
  name: 'Tally 1',
  serverId: 's-mcr',
  serverName: 'MCR',
  online: true,
  channel: 'ch-1',
  channelName: 'MCR-1',
  onAir: true,
  supportedByUnit: true,
}

const exampleIfb: Ifb = {
  id: 's-mcr:ifb-1',
  name: 'IFB 1',
  serverId: 's-mcr',
  serverName: 'MCR',
  online: true,
  channel: null,
  channelName: null,
  frozen: false,
}

export const interfaces = {
  tallies: endpoint({
    method: 'GET',
    path: '/inventories/{id}/tally',
    summary: "Tallies of the customer's servers; for users with the tally service",
    permission,
    params: id,
    response: z.array(TallyInterface),
    errors: [404],
    example: [exampleTally],
    rows: ['EP-INV-01', 'RO-PERM-37', 'EN-MISC-09', 'GAP-AUDIO-04'],
  }),
  ifbs: endpoint({
    method: 'GET',
    path: '/inventories/{id}/ifb',
    summary: "IFB interfaces of the customer's servers",
    permission,
    params: id,
    response: z.array(Ifb),
    errors: [404],
    example: [exampleIfb],
    rows: ['EP-INV-02', 'EN-MISC-08'],
  }),
  associateTally: endpoint({
    method: 'POST',
    path: '/inventories/{id}/tally/channel_association',
    summary: 'Assigns a tally to a channel, or to none; for users with the tally service',
    permission,
    params: id,
    body: TallyAssociation,
    response: TallyInterface,
    errors: [404, 409],
    example: exampleTally,
    rows: ['EP-INV-03', 'RO-PERM-37'],
  }),
  lightTally: endpoint({
    method: 'PUT',
    path: '/v2/channels/{id}/tally',
    summary: 'Shows the crew of a channel that it is on air, or no longer; for users with the tally service',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ onAir: z.boolean() }),
    response: Accepted,
    errors: [404, 409],
    example: { accepted: true },
    rows: ['RO-PERM-37', 'GAP-AUDIO-04'],
  }),
  associateIfb: endpoint({
    method: 'POST',
    path: '/inventories/{id}/ifb/channel_association',
    summary: 'Assigns an IFB interface to a channel, or to none; needs the service of IFB',
    permission,
    params: id,
    body: IfbAssociation,
    response: Ifb,
    errors: [404, 409],
    example: exampleIfb,
    rows: ['EP-INV-04'],
  }),
  availableIfbs: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/ifbs/available',
    summary: 'IFB interfaces that are connected and belong to no channel',
    permission,
    params: id,
    response: z.array(Ifb),
    errors: [404],
    example: [exampleIfb],
    rows: ['EP-INV-19'],
  }),
  usedIfbs: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/ifbs/used/count',
    summary: 'Number of IFB interfaces that belong to a channel',
    permission,
    params: id,
    response: count,
    errors: [404],
    example: { count: 2 },
    rows: ['EP-INV-20', 'GAP-AUDIO-03'],
  }),
  frozenIfbs: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/ifbs/frozen/count',
    summary: 'Number of IFB interfaces that belong to a channel although the service has ended',
    permission,
    params: id,
    response: count,
    errors: [404],
    example: { count: 0 },
    rows: ['EP-INV-21', 'GAP-AUDIO-03'],
  }),
}
