/** Usage profiles of the caller's inventories, and which units have them (GAP-PROF-01). */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { NewUsageProfile, UsageProfile, UsageProfileChange } from '../nouns/usage-profiles.ts'

const id = z.object({ id: z.string().min(1).max(64) })

const exampleProfile: UsageProfile = {
  id: 'up-field',
  inventoryId: 'inv-north',
  name: 'Field units, 50 GB',
  type: 'data',
  monthlyLimit: 50_000,
  resetDay: 31,
  isDefault: true,
  units: ['u-17'],
}

export const usageProfiles = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/usageProfiles',
    summary: "Usage profiles of the caller's inventories",
    permission: 'administerPeople',
    query: PageQuery,
    response: page(UsageProfile),
    example: { items: [exampleProfile], total: 1, offset: 0, limit: 50 },
    rows: ['EN-UPROF-01', 'EN-UPROF-02', 'EN-UPROF-03', 'EN-UPROF-04'],
  }),
  one: endpoint({
    method: 'GET',
    path: '/v2/admin/usageProfiles/{id}',
    summary: 'One usage profile',
    permission: 'administerPeople',
    params: id,
    response: UsageProfile,
    errors: [404],
    example: exampleProfile,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/usageProfiles',
    summary: 'Adds a usage profile to an inventory; its name is unique there',
    permission: 'administerPeople',
    body: NewUsageProfile,
    response: UsageProfile,
    errors: [404, 409],
    example: exampleProfile,
    rows: ['VA-SHARE-04', 'CO-ADMIN-46', 'ER-OTHER-07'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/admin/usageProfiles/{id}',
    summary: 'Changes a usage profile and the units that have it',
    permission: 'administerPeople',
    params: id,
    body: UsageProfileChange,
    response: UsageProfile,
    errors: [404, 409],
    example: exampleProfile,
    rows: ['VA-SHARE-04', 'CO-ADMIN-46', 'ER-OTHER-07'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/usageProfiles/{id}',
    summary: 'Removes a usage profile that no unit has and that is not the default',
    permission: 'administerPeople',
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['ER-OTHER-08', 'RO-PERM-35'],
  }),
}
