/** Upgrades of units and servers: the target version, which may be wanted now or when the device is idle. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { Activity } from '../nouns/unit-status.ts'
import { Upgrade, UpgradeChoice, UpgradeRequest } from '../nouns/upgrades.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerDevices' as const

const example: z.input<typeof Upgrade> = {
  device: 'u-lon-03',
  state: 'upgrading',
  percent: 40,
  resultCode: null,
  reason: null,
  version: '10.0.3',
  versionNumberId: 'set-1',
  by: 'chief',
  changedAt: 1_795_000_000_000,
}

const upgradeCall = {
  method: 'PUT',
  permission,
  params: id,
  body: UpgradeRequest,
  response: Upgrade,
  errors: [404, 409],
  example,
} as const

export const upgrades = {
  target: endpoint({
    method: 'GET',
    path: '/v2/devices/{id}/targetversion',
    summary: 'The target version of a unit or server and its outcome; null when it never had one',
    permission: 'viewUnits',
    params: id,
    response: Upgrade.nullable(),
    errors: [404],
    example,
    rows: ['EP-UREAD-13', 'ST-UPG-01', 'ST-UPG-02', 'ST-UPG-03', 'ST-UPG-04', 'ST-UPG-05', 'GAP-STATE-03'],
  }),
  choices: endpoint({
    method: 'GET',
    path: '/v2/admin/devices/{id}/swVersions',
    summary: 'Versions for the model of the device, the newest first, with the present reasons against each',
    permission,
    params: id,
    response: z.array(UpgradeChoice),
    errors: [404],
    example: [
      {
        versionNumberId: 'set-1',
        version: '10.0.3',
        description: '',
        releaseNotesUrl: '',
        refusal: null,
        warnings: [],
      },
    ],
    rows: ['VA-UPG-03', 'GAP-SRV-07'],
  }),
  setTarget: endpoint({
    ...upgradeCall,
    path: '/v2/admin/devices/{id}/targetversion',
    summary: 'Upgrades a unit or server: now, or when it is idle',
    rows: ['SC-DEVS-07', 'SC-DEVS-08', 'GAP-SRV-08', 'VA-UPG-01', 'VA-UPG-02', 'VA-UPG-05', 'VA-UPG-09'],
  }),
  setTargetOfUnit: endpoint({
    ...upgradeCall,
    path: '/v2/admin/units/{id}/targetversion',
    summary: 'Upgrades a unit: now, or when it is idle',
    rows: ['EP-ADMU-13'],
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/v2/admin/devices/{id}/targetversion',
    summary: 'Clears a pending upgrade',
    permission,
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['SC-DEVS-09', 'GAP-SRV-08'],
  }),
  applications: endpoint({
    method: 'GET',
    path: '/v2/admin/applications',
    summary: 'Activities of units, and how many of the caller’s units have each now',
    permission,
    response: z.array(z.object({ application: Activity, units: z.number().int() })),
    example: [{ application: 'upgrade', units: 1 }],
    rows: ['EP-ADMU-14'],
  }),
}
