/** Administration of groups: making, renaming and removing them, and their members. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleGroup } from '../examples/groups.ts'
import { DefaultConfiguration, Group, GroupMember, MemberKind } from '../nouns/groups.ts'
import { MembershipDuration, MembershipEnd } from '../nouns/membership-expiry.ts'
import { Name } from '../nouns/names.ts'
import { GROUP_RECIPIENTS_AT_MOST, RecipientAddress } from '../nouns/recipients.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const permission = 'administerPeople'
const MembersQuery = PageQuery.pick({ limit: true, offset: true })
/** More members than this in one request are added one by one. */
const membersAtMost = 5000
const ids = z.array(Id).max(membersAtMost)

const settings = {
  globalAutoAssociation: z.boolean(),
  unitAutoAssociation: z.boolean(),
  units: ids.describe('All units of the group; those not named leave it'),
  channels: ids.describe('All channels of the group; those not named leave it'),
  vrChannels: ids.describe('All video return channels of the group; those not named leave it'),
  users: ids.describe('All users of the group; those not named leave it'),
  emailRecipients: z
    .array(RecipientAddress)
    .max(GROUP_RECIPIENTS_AT_MOST)
    .describe('All recipients of alerts by e-mail; a new one first gets a verification link'),
}
export const GroupChanges = z.strictObject({ name: Name, ...settings }).partial()
export type GroupChanges = z.infer<typeof GroupChanges>

export const NewGroup = z.strictObject({
  name: Name,
  inventory: Id,
  ...z.strictObject(settings).partial().shape,
})
export type NewGroup = z.infer<typeof NewGroup>

const pageOfGroups = { items: [exampleGroup], total: 1, offset: 0, limit: 50 }
const pageOf = (item: GroupMember) => ({ items: [item], total: 1, offset: 0, limit: 50 })
const exampleUnit: GroupMember = {
  uid: 'u-lon-03',
  name: 'LU600-LON_03',
  note: 'LU-600',
  isBusy: false,
  expiresAt: null,
}

const one = {
  method: 'GET',
  summary: 'One group with its members',
  permission,
  params: id,
  response: Group,
  errors: [404],
  example: exampleGroup,
  rows: ['EP-GRP-12'],
} as const
const change = {
  method: 'PUT',
  summary: 'Changes the named fields of a group',
  permission,
  params: id,
  body: GroupChanges,
  response: Group,
  errors: [404, 409],
  example: exampleGroup,
  rows: ['EP-GRP-13'],
} as const
const remove = {
  method: 'DELETE',
  summary: 'Removes a group but not its members. Refused while a member is busy',
  permission,
  params: id,
  response: Done,
  errors: [404, 409],
  example: { done: true },
  rows: ['EP-GRP-14'],
} as const
const defaults = {
  path: '/v2/groups/{id}/defaultConfiguration',
  params: id,
  errors: [404] as number[],
  example: { videoComplexity: 'medium', audioBitrate: 128 },
} as const
const expiration = {
  path: '/v2/groups/{currentGroup}/units/{unitId}/expiration',
  params: z.object({ currentGroup: Id, unitId: Id }),
  response: MembershipEnd,
  errors: [404],
  example: { expiresAt: '2026-11-28T10:00:00.000Z' },
} as const
const membership = { permission, response: Done, errors: [404], example: { done: true } } as const

export const groupAdministration = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/groups',
    summary: 'Groups that the caller administers, page by page',
    permission,
    query: PageQuery,
    response: page(Group),
    example: pageOfGroups,
    rows: ['EP-GRP-03'],
  }),
  ofInventory: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/{id}/groups',
    summary: 'Groups of one inventory, page by page',
    permission,
    params: id,
    query: PageQuery,
    response: page(Group),
    errors: [404],
    example: pageOfGroups,
    rows: ['EP-GRP-02'],
  }),
  one: endpoint({ ...one, path: '/admin/groups/{id}' }),
  oneNewForm: endpoint({ ...one, path: '/v2/admin/groups/{id}' }),
  create: endpoint({
    method: 'POST',
    path: '/admin/groups',
    summary: 'Makes a group',
    permission,
    body: NewGroup,
    response: Group,
    errors: [404, 409],
    example: exampleGroup,
    rows: ['EP-GRP-15', 'VA-MSG-03', 'VA-MSG-18', 'VA-MSG-19'],
  }),
  change: endpoint({ ...change, path: '/admin/groups/{id}' }),
  changeNewForm: endpoint({ ...change, path: '/v2/admin/groups/{id}' }),
  remove: endpoint({ ...remove, path: '/admin/groups/{id}' }),
  removeNewForm: endpoint({ ...remove, path: '/v2/admin/groups/{id}' }),
  units: endpoint({
    method: 'GET',
    path: '/admin/groups/{id}/units',
    summary: 'Units of the group by name',
    permission,
    params: id,
    query: MembersQuery,
    response: page(GroupMember),
    errors: [404],
    example: pageOf(exampleUnit),
    rows: ['EP-GRP-04'],
  }),
  channels: endpoint({
    method: 'GET',
    path: '/admin/groups/{id}/channels',
    summary: 'Channels of the group by name',
    permission,
    params: id,
    query: MembersQuery,
    response: page(GroupMember),
    errors: [404],
    example: pageOf({
      uid: 'ch-lon-1',
      name: 'London-1',
      note: 'PREVIEW_CHANNEL',
      isBusy: true,
      expiresAt: null,
    }),
    rows: ['EP-GRP-05'],
  }),
  vrChannels: endpoint({
    method: 'GET',
    path: '/admin/groups/{id}/vrChannels',
    summary: 'Video return channels of the group by name: channels of a video return server',
    permission,
    params: id,
    query: MembersQuery,
    response: page(GroupMember),
    errors: [404],
    example: pageOf({
      uid: 'ch-return-1',
      name: 'Return-1',
      note: 'Return-Server',
      isBusy: false,
      expiresAt: null,
    }),
    rows: ['EP-GRP-06'],
  }),
  users: endpoint({
    method: 'GET',
    path: '/admin/groups/{id}/users',
    summary: 'Users of the group by username',
    permission,
    params: id,
    query: MembersQuery,
    response: page(GroupMember),
    errors: [404],
    example: pageOf({ uid: 'us-1', name: 'olivia', note: 'Olivia Tester', isBusy: false, expiresAt: null }),
    rows: ['EP-GRP-07'],
  }),
  choices: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/{id}/memberChoices',
    summary: 'Objects of an inventory that can become members of its groups, by name',
    permission,
    params: id,
    query: PageQuery.extend({ kind: MemberKind }),
    response: page(GroupMember),
    errors: [404],
    example: pageOf(exampleUnit),
    rows: [],
  }),
  defaultConfiguration: endpoint({
    ...defaults,
    method: 'GET',
    summary: 'Default settings of the units of the group; null without any',
    permission: 'viewUnits',
    response: DefaultConfiguration.nullable(),
    rows: ['EP-GRP-32'],
  }),
  makeDefaultConfiguration: endpoint({
    ...defaults,
    method: 'POST',
    summary: 'Stores default settings for a group without any',
    permission,
    body: DefaultConfiguration,
    response: DefaultConfiguration,
    errors: [404, 409],
    rows: ['EP-GRP-33'],
  }),
  changeDefaultConfiguration: endpoint({
    ...defaults,
    method: 'PUT',
    summary: 'Replaces the default settings of a group',
    permission,
    body: DefaultConfiguration,
    response: DefaultConfiguration,
    rows: ['EP-GRP-34'],
  }),
  addUnit: endpoint({
    ...membership,
    method: 'PUT',
    path: '/admin/groups/{groupId}/units/{id}',
    summary: 'Adds a unit to the group',
    params: z.object({ groupId: Id, id: Id }),
    rows: ['EP-ADMU-09'],
  }),
  removeUnit: endpoint({
    ...membership,
    method: 'DELETE',
    path: '/admin/groups/{groupId}/units/{id}',
    summary: 'Removes a unit from the group',
    params: z.object({ groupId: Id, id: Id }),
    rows: ['EP-ADMU-10'],
  }),
  expiration: endpoint({
    ...expiration,
    method: 'GET',
    summary: 'When the membership of the unit expires',
    permission: 'viewUnits',
    rows: ['EP-GRP-30'],
  }),
  setExpiration: endpoint({
    ...expiration,
    method: 'PUT',
    summary:
      'Sets how long from now the unit is in the group; a transmitting unit remains until it has stopped',
    permission,
    body: z.strictObject({ duration: MembershipDuration }),
    rows: ['EP-GRP-31', 'CO-ADMIN-05'],
  }),
  addChannel: endpoint({
    ...membership,
    method: 'PUT',
    path: '/admin/groups/{groupId}/channels/{channelId}',
    summary: 'Adds a channel to the group',
    params: z.object({ groupId: Id, channelId: Id }),
    rows: ['EP-GRP-08'],
  }),
  removeChannel: endpoint({
    ...membership,
    method: 'DELETE',
    path: '/admin/groups/{groupId}/channels/{channelId}',
    summary: 'Removes a channel from the group',
    params: z.object({ groupId: Id, channelId: Id }),
    rows: ['EP-GRP-09'],
  }),
  addVrChannel: endpoint({
    ...membership,
    method: 'PUT',
    path: '/admin/groups/{groupId}/vrChannels/{id}',
    summary: 'Adds a video return channel to the group',
    params: z.object({ groupId: Id, id: Id }),
    rows: ['EP-GRP-10'],
  }),
  removeVrChannel: endpoint({
    ...membership,
    method: 'DELETE',
    path: '/admin/groups/{groupId}/vrChannels/{id}',
    summary: 'Removes a video return channel from the group',
    params: z.object({ groupId: Id, id: Id }),
    rows: ['EP-GRP-11'],
  }),
}
