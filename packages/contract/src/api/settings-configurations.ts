/** Settings configurations of units: the channel and the machine that a unit sends to, by its machine uid. */
import { z } from 'zod'
import { accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { SettingsConfiguration } from '../nouns/settings-configurations.ts'

const Id = z.string().min(1).max(64)
const example: SettingsConfiguration = {
  outputChannel: 'ch-lon-1',
  multiChannel: '',
  machineUid: 'u-lon-03',
}

export const settingsConfigurations = {
  one: endpoint({
    method: 'GET',
    path: '/v0/units/settings/{machineUid}',
    summary: 'The settings configuration of a unit',
    permission: 'viewUnits',
    params: z.object({ machineUid: Id }),
    response: SettingsConfiguration,
    errors: [404],
    example,
    rows: ['EP-ADMU-16', 'EN-UNIT-75', 'EN-UNIT-76', 'EN-UNIT-77'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/v0/units/settings',
    summary: 'Selects the channel and the point-to-multipoint machine of a unit together',
    permission: 'operateUnits',
    body: SettingsConfiguration,
    ...accepted,
    rows: ['EP-ADMU-17'],
  }),
  ofGroup: endpoint({
    method: 'GET',
    path: '/v0/groups/units/settings',
    summary: 'The settings configurations of the units of a group',
    permission: 'viewUnits',
    query: z.object({ group: Id }),
    response: z.array(SettingsConfiguration),
    errors: [404],
    example: [example],
    rows: ['EP-ADMU-18'],
  }),
}
