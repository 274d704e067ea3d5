/** The older calls about groups, for programs that still make them; the newer ones are in group-administration.ts. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleGroup } from '../examples/groups.ts'
import { Group } from '../nouns/groups.ts'
import { Name } from '../nouns/names.ts'
import { GroupChanges, NewGroup } from './group-administration.ts'

const Id = z.string().min(1).max(64)
const write = {
  method: 'POST',
  permission: 'administerPeople',
  response: Group,
  errors: [404, 409],
  example: exampleGroup,
} as const
const { inventory: _, name: __, ...details } = NewGroup.shape

export const groupLegacy = {
  update: endpoint({
    ...write,
    path: '/groups/update',
    summary: 'Renames a group',
    body: z.strictObject({ groupUid: Id, name: Name }),
    rows: ['EP-GRP-16'],
  }),
  updateDetails: endpoint({
    ...write,
    path: '/groups/update_details',
    summary: 'Changes the named fields of a group',
    body: GroupChanges.extend({ groupUid: Id }),
    rows: ['EP-GRP-17'],
  }),
  add: endpoint({
    ...write,
    path: '/groups/add',
    summary: 'Makes an empty group',
    body: z.strictObject({ inventoryUid: Id, name: Name }),
    rows: ['EP-GRP-18'],
  }),
  addDetails: endpoint({
    ...write,
    path: '/groups/add_details',
    summary: 'Makes a group with members',
    body: z.strictObject({ inventoryUid: Id, name: Name, ...details }),
    rows: ['EP-GRP-19'],
  }),
  removeMultiple: endpoint({
    method: 'POST',
    path: '/groups/remove_multiple',
    summary: 'Removes several groups, all or none',
    permission: 'administerPeople',
    body: z.strictObject({ groupUids: z.array(Id).min(1).max(100) }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-GRP-20'],
  }),
  fetchDetails: endpoint({
    method: 'GET',
    path: '/groups/fetch_details',
    summary: 'One group, or those of an inventory, with members; one of the two must be named',
    permission: 'viewUnits',
    query: z.object({ groupUid: Id.optional(), inventoryUid: Id.optional() }),
    response: z.array(Group),
    errors: [404],
    example: [exampleGroup],
    rows: ['EP-GRP-21'],
  }),
  fetchMachineGroups: endpoint({
    method: 'GET',
    path: '/groups/fetch_machinegroups',
    summary: 'The groups of each unit',
    permission: 'viewUnits',
    response: z.array(z.object({ machineUid: z.string(), groups: z.array(z.string()) })),
    example: [{ machineUid: 'u-lon-03', groups: ['gr-london'] }],
    rows: ['EP-GRP-22'],
  }),
}
