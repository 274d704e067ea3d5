/** An example group, parsed by its schema in tests. */
import type { z } from 'zod'
import { defaultAlertsConfiguration } from '../nouns/alert-configuration.ts'
import type { Group } from '../nouns/groups.ts'

export const exampleGroup: z.input<typeof Group> = {
  uid: 'gr-london',
  name: 'London-News',
  inventory: 'inv-north',
  createdOn: '2026-11-01T08:00:00.000Z',
  units: ['u-lon-03'],
  channels: ['ch-lon-1'],
  vrChannels: [],
  users: ['us-1'],
  globalAutoAssociation: true,
  unitAutoAssociation: true,
  alertThresholds: defaultAlertsConfiguration.thresholds,
  emailRecipients: [{ email: 'desk@north.example', verified: true, linkEndsAt: null }],
  adhocInvitation: { mode: 'link' },
  permanentInvitation: { regenerate: 'never' },
  defaultConfiguration: null,
  alertConfiguration: defaultAlertsConfiguration,
  multiChannels: [],
  alertsMode: 'automatic',
}
