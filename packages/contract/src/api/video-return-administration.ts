/** Administration of video return: channels, with which inventories and groups they work, and what is set on servers. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleAdministeredVrChannel } from '../examples/video-return.ts'
import {
  AdministeredVrChannel,
  defaultVrServer,
  NewVrChannel,
  VrChannelChange,
  VrServerConfiguration,
} from '../nouns/video-return.ts'
import { channelAdministration } from './channel-administration.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const permission = 'administerDevices' as const
const example = exampleAdministeredVrChannel
const list = {
  method: 'GET',
  permission,
  query: PageQuery,
  response: page(AdministeredVrChannel),
  example: { items: [example] as AdministeredVrChannel[], total: 1, offset: 0, limit: 50 },
} as const
const change = {
  permission,
  params: id,
  body: VrChannelChange,
  response: AdministeredVrChannel,
  errors: [404, 409] as number[],
  example,
} as const
const { inventories, groups, groupsOfInventories, associate, disassociate } = channelAdministration

export const videoReturnAdministration = {
  list: endpoint({
    ...list,
    path: '/v2/admin/vrChannels',
    summary: 'Video return channels that the caller administers, page by page',
    rows: ['EP-VRCH-08'],
  }),
  ofInventory: endpoint({
    ...list,
    path: '/v2/admin/inventories/{id}/vrChannels',
    summary: 'Video return channels of an inventory, its own and those lent to it',
    params: id,
    errors: [404],
    rows: ['EP-VRCH-07'],
  }),
  one: endpoint({
    method: 'GET',
    path: '/v2/admin/vrChannels/{id}',
    summary: 'One video return channel with its settings',
    permission,
    params: id,
    response: AdministeredVrChannel,
    errors: [404],
    example,
    rows: ['EP-VRCH-09'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/vrChannels',
    summary:
      'Makes a channel on a video return server: four SDI inputs, H.264, nothing stored, two sound channels',
    permission,
    body: NewVrChannel,
    response: AdministeredVrChannel,
    errors: [404, 409],
    example,
    rows: ['EP-VRCH-12', 'EN-VRCH-12', 'CO-ADMIN-57', 'VA-STREAM-14'],
  }),
  change: endpoint({
    ...change,
    method: 'PUT',
    path: '/v2/admin/vrChannels/{id}',
    summary: 'Changes a video return channel; fields that are not given are kept',
    rows: ['EP-VRCH-10', 'VA-STREAM-14'],
  }),
  update: endpoint({
    ...change,
    method: 'POST',
    path: '/v0/video-return-channels/{id}/update',
    summary: 'Changes a video return channel (old form)',
    rows: ['EP-VRCH-02'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/vrChannels/{id}',
    summary: 'Removes a channel from its server and its groups; refused while a unit fetches its picture',
    permission,
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-VRCH-11'],
  }),
  hosts: endpoint({
    method: 'GET',
    path: '/v2/admin/vrChannelHosts',
    summary: 'Video return servers on which the caller can make channels, by name',
    permission,
    response: z.array(z.object({ uid: z.string(), name: z.string(), inventoryName: z.string() })),
    example: [{ uid: 'sv-vr-lon', name: 'VR-London', inventoryName: 'North Broadcasting' }],
    rows: [],
  }),
  inventories: endpoint({
    ...inventories,
    path: '/v2/admin/vrChannels/{id}/inventories',
    rows: ['EP-VRCH-13'],
  }),
  groups: endpoint({ ...groups, path: '/v2/admin/vrChannels/{id}/groups', rows: ['EP-VRCH-14'] }),
  groupsOfInventories: endpoint({
    ...groupsOfInventories,
    path: '/v2/admin/vrChannels/{id}/groups/ofInventories',
    rows: ['EP-VRCH-15'],
  }),
  associate: endpoint({
    ...associate,
    path: '/v2/admin/inventories/{inv}/vrChannels/{id}',
    rows: ['EP-VRCH-16'],
  }),
  disassociate: endpoint({
    ...disassociate,
    path: '/v2/admin/inventories/{inv}/vrChannels/{id}',
    rows: ['EP-VRCH-17'],
  }),
  serverConfiguration: endpoint({
    method: 'GET',
    path: '/v2/vrservers/{id}/configuration',
    summary: 'Settings of a video return server',
    permission,
    params: id,
    response: VrServerConfiguration,
    errors: [404],
    example: defaultVrServer,
    rows: ['EP-SRV-20'],
  }),
  configureServer: endpoint({
    method: 'POST',
    path: '/v2/vrservers/{id}/configuration',
    summary: 'Sets a video return server; units that fetch from it get the new addresses',
    permission,
    params: id,
    body: VrServerConfiguration,
    response: VrServerConfiguration,
    errors: [404],
    example: defaultVrServer,
    rows: ['EP-SRV-21'],
  }),
}
