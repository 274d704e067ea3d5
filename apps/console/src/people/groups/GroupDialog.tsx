// A group in parts: what it is called, which alerts its people are shown, and its units, channels and people.

import { Modal, Select, Switch, Tabs, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useList } from '../../kit/lists.ts'
import { reasonText } from '../../texts/generic.ts'
import { closedBy } from '../../ui/closed.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AlertsTab } from './AlertsTab.tsx'
import { EmailRecipients } from './EmailRecipients.tsx'
import { emptyForm, formOf, type GroupForm, saveGroup } from './group-form.ts'
import { afterwards, type InventoryChoice, type ListedGroup } from './group-list.ts'
import { LendChannels } from './LendChannels.tsx'
import { MemberPicker } from './MemberPicker.tsx'
import { MembershipEnd } from './MembershipEnd.tsx'
import styles from './manage-groups.module.css'
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
  const { group, inventories, mayWrite, firstTab = 'general', onDelete, onClose } = props
  const { t } = useTranslation('groups')
  const [before] = useState(() => (group ? formOf(group) : emptyForm(inventories[0]?.id ?? '')))
  const [form, setForm] = useState(before)
  const saving = useSaving()
  const { store: ends } = useList(unitEnds, [group?.uid ?? ''], { isAsked: group !== null })
  const set = (changes: Partial<GroupForm>) => setForm((now) => ({ ...now, ...changes }))

  async function save(): Promise<void> {
    if (!(await saving.run(() => afterwards(saveGroup(group?.uid ?? null, before, form))))) return
    toast({ title: t('manage.saved'), text: form.name, tone: 'good' })
    onClose()
  }

  const title = group ? t('manage.editTitle', { name: group.name }) : t('manage.newTitle')
  return (
    <Modal opened onClose={onClose} title={title} size={680}>
      <DialogForm
        fault={saving.words}
        mayWrite={mayWrite}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={group ? onDelete : undefined}
      >
        <Tabs defaultValue={firstTab} keepMounted={false} className={`dialog-tabs ${styles.groupTabs}`}>
          <Tabs.List aria-label={t('manage.tabs.label')}>
            <Tabs.Tab value="general">{t('manage.tabs.general')}</Tabs.Tab>
            <Tabs.Tab value="alerts">{t('manage.tabs.alerts')}</Tabs.Tab>
            {memberLists.map(({ list }) => (
              <Tabs.Tab key={list} value={list}>
                {t(`manage.tabs.${list}`)} <b>{form[list].length}</b>
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="general" className="form-fields">
            <General
              form={form}
              onForm={set}
              isNew={group === null}
              inventories={inventories}
              readOnly={!mayWrite}
              nameFault={saving.faults.name}
            />
          </Tabs.Panel>
          <Tabs.Panel value="alerts" className="form-fields">
            <AlertsTab
              configuration={form.alertConfiguration}
              readOnly={!mayWrite}
              faults={saving.faults}
              onConfiguration={(alertConfiguration) => set({ alertConfiguration })}
            />
            <EmailRecipients
              groupId={group?.uid ?? null}
              chosen={form.emailRecipients}
              readOnly={!mayWrite}
              onChosen={(emailRecipients) => set({ emailRecipients })}
            />
          </Tabs.Panel>
          {memberLists.map(({ list, kind }) => (
            <Tabs.Panel key={list} value={list}>
              <MemberPicker
                kind={kind}
                inventoryId={form.inventory}
                label={t(`manage.tabs.${list}`)}
                chosen={form[list]}
                readOnly={!mayWrite}
                onChosen={(ids) => set({ [list]: ids })}
                whenEmpty={
                  kind === 'channel'
                    ? (again) => (
                        <LendChannels inventoryId={form.inventory} inventories={inventories} onLent={again} />
                      )
                    : undefined
                }
                beside={
                  kind === 'unit' && group && mayWrite
                    ? (unit) => <MembershipEnd ends={ends} groupId={group.uid} unit={unit} />
                    : undefined
                }
              />
            </Tabs.Panel>
          ))}
        </Tabs>
      </DialogForm>
    </Modal>
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
  const closed = closedBy(readOnly ? reasonText('role.notAllowed') : undefined)
  return (
    <>
      <TextInput
        label={t('manage.columns.name')}
        description={t('manage.nameHint')}
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
