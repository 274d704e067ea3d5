/** Active alerts, and the thresholds from which they are shown. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { AlertsConfiguration, AlertsMode, defaultAlertsConfiguration } from '../nouns/alert-configuration.ts'
import { Alert } from '../nouns/alerts.ts'

const Id = z.string().min(1).max(64)
const configuration = {
  params: z.object({ id: Id }),
  response: AlertsConfiguration,
  errors: [404],
  example: defaultAlertsConfiguration,
} as const
const ofGroup = { ...configuration, path: '/v2/groups/{id}/alerts/configuration' } as const
const ofUnit = { ...configuration, path: '/v2/units/{id}/alerts/configuration' } as const

export const alerts = {
  active: endpoint({
    method: 'GET',
    path: '/v2/alerts/active',
    summary: 'Active alerts of a group, critical first',
    permission: 'viewUnits',
    query: z.object({ groupId: Id }),
    response: z.array(Alert),
    errors: [404],
    example: [
      {
        id: 'al-1',
        uid: 'u-lon-03',
        name: 'LU600-LON-03',
        severity: 'critical',
        type: 'battery',
        since: 1_795_000_000_000,
        value: 8,
      },
    ],
    rows: ['EP-ALERT-01'],
  }),
  standard: endpoint({
    method: 'GET',
    path: '/v2/alerts/configuration/default',
    summary: 'The default configuration of the system',
    permission: 'viewUnits',
    response: AlertsConfiguration,
    example: defaultAlertsConfiguration,
    rows: ['EP-ALERT-02'],
  }),
  ofGroup: endpoint({
    ...ofGroup,
    method: 'GET',
    summary: 'Alert thresholds of the group',
    permission: 'viewUnits',
    rows: ['EP-GRP-36'],
  }),
  setOfGroup: endpoint({
    ...ofGroup,
    method: 'PUT',
    summary: 'Sets it for the group; its thresholds apply in the mode byGroup',
    permission: 'administerPeople',
    body: AlertsConfiguration,
    rows: ['EP-GRP-37'],
  }),
  ofUnit: endpoint({
    ...ofUnit,
    method: 'GET',
    summary: "The unit's own configuration; for one that has none, the default in the mode byGroup",
    permission: 'viewUnits',
    rows: ['EP-USET-24'],
  }),
  setOfUnit: endpoint({
    ...ofUnit,
    method: 'PUT',
    summary:
      'Sets it for the unit; its mode takes precedence over that of each group, its thresholds apply in the mode manual',
    permission: 'operateUnits',
    body: AlertsConfiguration,
    rows: ['EP-USET-25'],
  }),
  possible: endpoint({
    ...configuration,
    method: 'GET',
    path: '/v2/units/{id}/alerts/possibleconfiguration',
    summary: 'The configuration that would apply to the unit in this mode; byGroup requires the group',
    permission: 'viewUnits',
    query: z.object({ mode: AlertsMode, groupId: Id.optional() }),
    rows: ['EP-USET-26', 'GAP-ALERT-05'],
  }),
}
