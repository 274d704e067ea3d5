// Content of the dialog of a group, and how it is saved.
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { requireValid } from '@backhaul/contract/define/errors'
import { AlertsConfiguration, defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import type { EmailRecipient } from '@backhaul/contract/nouns/recipients'
import { call } from '../../doors/api.ts'
import { changedFields, isSame } from '../../kit/changed-fields.ts'
import type { ListedGroup } from './group-list.ts'

export interface GroupForm {
  name: string
  inventory: string
  unitAutoAssociation: boolean
  globalAutoAssociation: boolean
  alertConfiguration: AlertsConfiguration
  units: string[]
  channels: string[]
  vrChannels: string[]
  users: string[]
  emailRecipients: readonly EmailRecipient[]
}

export const emptyForm = (inventory: string): GroupForm => ({
  name: '',
  inventory,
  unitAutoAssociation: false,
  globalAutoAssociation: false,
  alertConfiguration: defaultAlertsConfiguration,
  units: [],
  channels: [],
  vrChannels: [],
  users: [],
  emailRecipients: [],
})

export const formOf = (group: ListedGroup): GroupForm => ({
  name: group.name,
  inventory: group.inventory,
  unitAutoAssociation: group.unitAutoAssociation,
  globalAutoAssociation: group.globalAutoAssociation,
  alertConfiguration: group.alertConfiguration,
  units: group.units,
  channels: group.channels,
  vrChannels: group.vrChannels,
  users: group.users,
  emailRecipients: group.emailRecipients,
})

function changesOf(before: GroupForm, { inventory: _, alertConfiguration: __, ...after }: GroupForm) {
  const { emailRecipients, ...changes } = changedFields(before, after)
  return { ...changes, emailRecipients: emailRecipients?.map(({ email }) => email) }
}

/** `id` null makes a group. Faults of the alerts are found before anything is written. */
export async function saveGroup(id: string | null, before: GroupForm, form: GroupForm): Promise<void> {
  const { name, inventory, alertConfiguration } = form
  requireValid(AlertsConfiguration, alertConfiguration)
  const body = changesOf(before, form)
  const { uid } =
    id === null
      ? await call(calls.create, { body: { name, ...body, inventory } })
      : await call(calls.changeNewForm, { params: { id }, body })
  if (isSame(alertConfiguration, before.alertConfiguration)) return
  await call(alertCalls.setOfGroup, { params: { id: uid }, body: alertConfiguration })
}
