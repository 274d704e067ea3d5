/** Administration of channels: making, changing and removing them, and with which inventories and groups they work. */

import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { rule } from '../define/refusals.ts'
import { exampleAdministeredChannel, exampleChannel } from '../examples/channels.ts'
import {
  AdministeredChannel,
  ChannelChange,
  ChannelHost,
  InputAccess,
  NewChannel,
} from '../nouns/channel-administration.ts'
import { Channel } from '../nouns/channels.ts'
import { LightGroup } from '../nouns/groups.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const permission = 'administerDevices'
const Window = PageQuery.pick({ limit: true, offset: true })

const one = { params: id, permission, response: AdministeredChannel } as const
const example = exampleAdministeredChannel
const association = {
  permission,
  params: z.object({ inv: Id, id: Id }),
  response: Done,
  errors: [404, 409] as number[],
  example: { done: true },
} as const
const GroupOfChannel = LightGroup.extend({
  isMember: z.boolean().describe('The channel is in the group'),
})
const exampleInput = {
  address: 'srt://192.0.2.10:21000',
  key: 'k7m2p9qxw4rtn8vcb3hd6fgj',
  url: 'srt://192.0.2.10:21000?passphrase=k7m2p9qxw4rtn8vcb3hd6fgj',
}
const home = { inventoryId: 'inv-north', inventoryName: 'North Broadcasting' }
const exampleGroups = {
  items: [{ uid: 'london-news', name: 'London-News', ...home, isMember: true }],
  total: 1,
  offset: 0,
  limit: 50,
}

export const channelAdministration = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/channels',
    summary: 'Channels that the caller administers, page by page',
    permission,
    query: PageQuery,
    response: page(AdministeredChannel),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['EP-CHAN-08'],
  }),
  one: endpoint({
    ...one,
    method: 'GET',
    path: '/v2/admin/channels/{id}',
    summary: 'One channel as its administrators see it',
    errors: [404],
    example,
    rows: ['EP-CHAN-09'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/channels',
    summary: 'Makes a channel on a server; the server assigns its ports when it is connected',
    permission,
    body: NewChannel,
    response: AdministeredChannel,
    errors: [404, 409],
    example,
    rows: ['EP-CHAN-12', 'VA-MSG-18'],
  }),
  input: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/input',
    summary: 'Address and key of an input channel for a standard encoder',
    permission,
    params: id,
    response: InputAccess,
    errors: [404],
    example: exampleInput,
    rows: [],
  }),
  renewInputKey: endpoint({
    method: 'POST',
    path: '/v2/admin/channels/{id}/input/key',
    closedToKeys: true,
    summary: 'Makes another key for an input channel; an encoder that sends with the old one is disconnected',
    permission,
    params: id,
    response: InputAccess,
    errors: [404],
    example: exampleInput,
    rows: [],
  }),
  change: endpoint({
    ...one,
    method: 'PUT',
    path: '/v2/admin/channels/{id}',
    summary: 'Changes the named fields of a channel',
    body: ChannelChange,
    errors: [404, 409],
    example,
    rows: [
      'EP-CHAN-10',
      'VA-MSG-18',
      'EN-CHAN-11',
      'CO-ADMIN-18',
      'VA-STREAM-32',
      'ER-OTHER-21',
      'ER-OTHER-22',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/channels/{id}',
    summary: `Removes a channel from its server and its groups. Refused while it is in use: channel busy cannot be removed`,
    permission,
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-CHAN-11', 'ER-OTHER-12'],
  }),
  hosts: endpoint({
    method: 'GET',
    path: '/v2/admin/channelHosts',
    summary: 'Servers on which the caller can make channels, by name',
    permission,
    response: z.array(ChannelHost),
    example: [
      {
        uid: 'sv-lon',
        name: 'MCR-London',
        inventoryName: 'North Broadcasting',
        inputTypes: ['srt'],
        freeSdi: [4],
      },
    ],
    rows: [],
  }),
  inventories: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/inventories',
    summary: 'Inventories whose groups may use the channel: that of its server first',
    permission,
    params: id,
    query: Window,
    response: page(z.object({ id: z.string(), name: z.string(), isHome: z.boolean() })),
    errors: [404],
    example: {
      items: [{ id: 'inv-north', name: 'North Broadcasting', isHome: true }],
      total: 1,
      offset: 0,
      limit: 50,
    },
    rows: ['EP-CHAN-13'],
  }),
  groups: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/groups',
    summary: 'Groups that the channel is in, by name',
    permission,
    params: id,
    query: Window,
    response: page(GroupOfChannel),
    errors: [404],
    example: exampleGroups,
    rows: ['EP-CHAN-14'],
  }),
  groupsOfInventories: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/groups/ofInventories',
    summary: 'Groups of all inventories that the channel works with',
    permission,
    params: id,
    query: PageQuery,
    response: page(GroupOfChannel),
    errors: [404],
    example: exampleGroups,
    rows: ['EP-CHAN-15'],
  }),
  multipoint: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/ptmp',
    summary:
      'Units of the channel’s inventory by name, each with whether it sends to this point-to-multipoint channel',
    permission,
    params: id,
    response: z.array(z.object({ uid: z.string(), name: z.string(), selected: z.boolean() })),
    errors: [404],
    example: [{ uid: 'u-lon-03', name: 'LU600-LON-03', selected: true }],
    rows: ['EP-CHAN-16'],
  }),
  associate: endpoint({
    ...association,
    method: 'PUT',
    path: '/v2/admin/inventories/{inv}/channels/{id}',
    summary: 'Lets the groups of another inventory use the channel',
    rows: ['EP-CHAN-22'],
  }),
  disassociate: endpoint({
    ...association,
    method: 'DELETE',
    path: '/v2/admin/inventories/{inv}/channels/{id}',
    summary: 'Removes the channel from the groups of another inventory and closes it to them',
    rows: ['EP-CHAN-23'],
  }),
  info: endpoint({
    method: 'POST',
    path: '/v0/groups/{group}/channels/{id}/info',
    summary: 'One channel of a group',
    permission: 'viewUnits',
    audited: false,
    params: z.object({ group: Id, id: Id }),
    response: Channel,
    errors: [404],
    example: exampleChannel,
    rows: ['EP-CHAN-20'],
  }),
  details: endpoint({
    method: 'POST',
    path: '/channels/fetch_details',
    summary: 'One channel by its id, or by its name as `channel`',
    permission: 'viewUnits',
    audited: false,
    body: z
      .strictObject({ uid: Id, channel: z.string().min(1).max(255) })
      .partial()
      .refine(({ uid, channel }) => uid !== undefined || channel !== undefined, {
        path: ['uid'],
        message: rule('field.required'),
      }),
    response: Channel,
    errors: [404],
    example: exampleChannel,
    rows: ['EP-CHAN-21'],
  }),
}
