/** Unit and licence activation: licences in stock, and assigning them. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import {
  HeldLicence,
  LicenceChange,
  LicenceStock,
  Licences,
  LicensedUnit,
  noLicences,
} from '../nouns/licences.ts'

const id = z.object({ id: z.string().min(1).max(64) })

const exampleUnit: LicensedUnit = {
  uid: 'u-lon-03',
  name: 'LU600-LON_03',
  type: 'LU-600',
  serialNumber: 'sn-lon-03',
  isLicensed: true,
  licences: { ...noLicences, video: true, raHours: 100 },
}

export const licences = {
  ofInventory: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/licenses',
    summary: 'Licences of a customer and of each of its units; needs the permission ODA',
    permission: 'administerServices',
    params: id,
    response: Licences,
    errors: [404],
    example: { stock: [{ licence: 'video', total: 20, assigned: 1 }], units: [exampleUnit] },
    rows: ['RT-SERVICES-02', 'SC-SVCS-03', 'GAP-SVC-04', 'RO-PERM-33'],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/licenses/{unit}',
    summary: 'Assigns licences to a unit or releases them; never more than the customer holds',
    permission: 'administerServices',
    params: id.extend({ unit: z.string().min(1).max(64) }),
    body: LicenceChange,
    response: LicensedUnit,
    errors: [404, 409],
    example: exampleUnit,
    rows: ['RT-SERVICES-02', 'SC-SVCS-03', 'GAP-SVC-04', 'RO-PERM-33'],
  }),
  removeLimit: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/licenses/{unit}',
    summary: 'Releases every licence of a unit: it is no longer limited by licences',
    permission: 'administerServices',
    params: id.extend({ unit: z.string().min(1).max(64) }),
    response: LicensedUnit,
    errors: [404],
    example: { ...exampleUnit, isLicensed: false, licences: noLicences },
    rows: ['RT-SERVICES-02', 'SC-SVCS-03', 'GAP-SVC-04', 'RO-PERM-33'],
  }),
  stock: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/{id}/licenses',
    summary: 'Licences of a customer, for vendor staff',
    permission: 'administerSystem',
    params: id,
    response: z.array(HeldLicence),
    errors: [404],
    example: [{ licence: 'video', total: 20, assigned: 1 }],
    rows: ['GAP-SVC-04'],
  }),
  setStock: endpoint({
    method: 'PUT',
    path: '/v2/admin/inventories/{id}/licenses',
    summary: 'Sets how many of a licence a customer holds; not fewer than are assigned',
    permission: 'administerSystem',
    params: id,
    body: LicenceStock,
    response: z.array(HeldLicence),
    errors: [404, 409],
    example: [{ licence: 'video', total: 20, assigned: 1 }],
    rows: ['GAP-SVC-04'],
  }),
}
