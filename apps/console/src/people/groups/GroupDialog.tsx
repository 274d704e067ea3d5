// A group in parts: its name, the alerts that its users are shown, and its units, channels and users.

import { Select, Switch, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useList } from '../../kit/lists.ts'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { AlertsTab } from './AlertsTab.tsx'
import { EmailRecipients } from './EmailRecipients.tsx'
import { emptyForm, formOf, type GroupForm, saveGroup } from './group-form.ts'
import { afterwards, type InventoryChoice, type ListedGroup } from './group-list.ts'
import { LendChannels } from './LendChannels.tsx'
import { MemberPicker } from './MemberPicker.tsx'
import { MembershipEnd } from './MembershipEnd.tsx'
import { unitEnds } from './unit-ends.ts'

interface GroupDialogProps {
  /** null: a new one. */
  group: ListedGroup | null
  inventories: readonly InventoryChoice[]
  mayWrite: boolean
  firstTab?: 'channels' | undefined
  onDelete: () => void
  onClose: () => void
}

const memberLists = [
  { list: 'units', kind: 'unit' },
  { list: 'channels', kind: 'channel' },
  { list: 'vrChannels', kind: 'vrChannel' },
  { list: 'users', kind: 'user' },
] as const

export function GroupDialog(props: GroupDialogProps) {
  const { group, inventories, mayWrite, firstTab, onDelete, onClose } = props
  const { t } = useTranslation('groups')
  const [before] = useState(() => (group ? formOf(group) : emptyForm(inventories[0]?.id ?? '')))
  const record = useRecordForm({
    start: () => before,
    save: (form) => afterwards(saveGroup(group?.uid ?? null, before, form)),
  })
  const { values: form, set, faults } = record
  const { store: ends } = useList(unitEnds, [group?.uid ?? ''], { isAsked: group !== null })

  return (
    <TabbedRecord
      title={group ? t('manage.editTitle', { name: group.name }) : t('manage.newTitle')}
      size={680}
      height={330}
      label={t('manage.tabs.label')}
      firstTab={firstTab}
      record={record}
      mayWrite={mayWrite}
      done={() => ({ title: t('manage.saved'), text: form.name })}
      tabs={[
        {
          id: 'general',
          label: t('manage.tabs.general'),
          fields: (
            <General
              form={form}
              onForm={set}
              isNew={group === null}
              inventories={inventories}
              readOnly={!mayWrite}
              nameFault={faults.name}
            />
          ),
        },
        {
          id: 'alerts',
          label: t('manage.tabs.alerts'),
          fields: (
            <>
              <AlertsTab
                configuration={form.alertConfiguration}
                readOnly={!mayWrite}
                faults={faults}
                onConfiguration={(alertConfiguration) => set({ alertConfiguration })}
              />
              <EmailRecipients
                groupId={group?.uid ?? null}
                chosen={form.emailRecipients}
                readOnly={!mayWrite}
                onChosen={(emailRecipients) => set({ emailRecipients })}
              />
            </>
          ),
        },
        ...memberLists.map(({ list, kind }) => ({
          id: list,
          label: t(`manage.tabs.${list}`),
          count: form[list].length,
          fields: (
            <Members
              kind={kind}
              list={list}
              group={group}
              inventories={inventories}
              form={form}
              onForm={set}
              readOnly={!mayWrite}
              ends={ends}
            />
          ),
        })),
      ]}
      onDelete={group ? onDelete : undefined}
      onClose={onClose}
    />
  )
}

interface MembersProps {
  kind: (typeof memberLists)[number]['kind']
  list: (typeof memberLists)[number]['list']
  group: ListedGroup | null
  inventories: readonly InventoryChoice[]
  form: GroupForm
  onForm: (changes: Partial<GroupForm>) => void
  readOnly: boolean
  ends: ComponentProps<typeof MembershipEnd>['ends']
}

function Members({ kind, list, group, inventories, form, onForm, readOnly, ends }: MembersProps) {
  const { t } = useTranslation('groups')
  return (
    <MemberPicker
      kind={kind}
      inventoryId={form.inventory}
      label={t(`manage.tabs.${list}`)}
      chosen={form[list]}
      readOnly={readOnly}
      onChosen={(ids) => onForm({ [list]: ids })}
      whenEmpty={
        kind === 'channel'
          ? (again) => <LendChannels inventoryId={form.inventory} inventories={inventories} onLent={again} />
          : undefined
      }
      extra={
        kind === 'unit' && group && !readOnly
          ? (unit) => <MembershipEnd ends={ends} groupId={group.uid} unit={unit} />
          : undefined
      }
    />
  )
}

interface GeneralProps {
  form: GroupForm
  onForm: (changes: Partial<GroupForm>) => void
  isNew: boolean
  inventories: readonly InventoryChoice[]
  readOnly: boolean
  nameFault: string | undefined
}

function General({ form, onForm, isNew, inventories, readOnly, nameFault }: GeneralProps) {
  const { t } = useTranslation('groups')
  const closed = disabledBecause(readOnly ? reasonText('role.notAllowed') : undefined)
  return (
    <>
      <TextInput
        label={t('manage.columns.name')}
        description={t('manage.nameHint')}
        required
        value={form.name}
        error={nameFault}
        readOnly={readOnly}
        data-autofocus
        onChange={(event) => onForm({ name: event.currentTarget.value })}
      />
      <Select
        label={t('manage.columns.inventory')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.inventory}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        // Members of one customer cannot move to a group of another.
        onChange={(inventory) =>
          onForm({ inventory: inventory ?? '', units: [], channels: [], vrChannels: [], users: [] })
        }
      />
      <Switch
        label={t('manage.columns.unitAuto')}
        description={t('manage.unitAutoHint')}
        checked={form.unitAutoAssociation}
        {...closed}
        onChange={(event) => onForm({ unitAutoAssociation: event.currentTarget.checked })}
      />
      <Switch
        label={t('manage.columns.globalAuto')}
        description={t('manage.globalAutoHint')}
        checked={form.globalAutoAssociation}
        {...closed}
        onChange={(event) => onForm({ globalAutoAssociation: event.currentTarget.checked })}
      />
    </>
  )
}
