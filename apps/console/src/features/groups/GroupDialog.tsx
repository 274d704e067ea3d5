// A group in parts: what it is called, and its units, channels and people.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { Modal, Select, Switch, Tabs, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { afterwards, type InventoryChoice, type ListedGroup } from './group-list.ts'
import { MemberPicker } from './MemberPicker.tsx'
import { MembershipEnd } from './MembershipEnd.tsx'
import { unitEndsOf } from './unit-ends.ts'

interface GroupDialogProps {
  /** null: a new one. */
  group: ListedGroup | null
  inventories: readonly InventoryChoice[]
  mayWrite: boolean
  onDelete: () => void
  onClose: () => void
}

interface Form {
  name: string
  inventory: string
  unitAutoAssociation: boolean
  globalAutoAssociation: boolean
  units: readonly string[]
  channels: readonly string[]
  users: readonly string[]
}

const memberLists = [
  { list: 'units', kind: 'unit' },
  { list: 'channels', kind: 'channel' },
  { list: 'users', kind: 'user' },
] as const

const empty: Omit<Form, 'inventory'> = {
  name: '',
  unitAutoAssociation: false,
  globalAutoAssociation: false,
  units: [],
  channels: [],
  users: [],
}

const formOf = (group: ListedGroup): Form => ({
  name: group.name,
  inventory: group.inventory,
  unitAutoAssociation: group.unitAutoAssociation,
  globalAutoAssociation: group.globalAutoAssociation,
  units: group.units,
  channels: group.channels,
  users: group.users,
})

/** Only what was changed is sent, so that two administrators do not undo each other's work unseen. */
function changesOf(before: Form, { inventory: _, ...after }: Form) {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof Form] !== value)
  return Object.fromEntries(changed) as { name?: string; units?: string[] }
}

export function GroupDialog({ group, inventories, mayWrite, onDelete, onClose }: GroupDialogProps) {
  const { t } = useTranslation('groups')
  const [before] = useState<Form>(group ? formOf(group) : { ...empty, inventory: inventories[0]?.id ?? '' })
  const [form, setForm] = useState(before)
  const saving = useSaving()
  const [ends] = useState(() => group && unitEndsOf(group.uid))
  useEffect(() => void ends?.load(), [ends])
  const set = (changes: Partial<Form>) => setForm((now) => ({ ...now, ...changes }))

  async function save(): Promise<void> {
    const { name, inventory } = form
    const body = changesOf(before, form)
    const isSaved = await saving.run(() =>
      afterwards(
        group
          ? call(calls.changeNewForm, { params: { id: group.uid }, body })
          : call(calls.create, { body: { name, ...body, inventory } }),
      ),
    )
    if (!isSaved) return
    toast({ title: t('manage.saved'), text: name, tone: 'good' })
    onClose()
  }

  const title = group ? t('manage.editTitle', { name: group.name }) : t('manage.newTitle')
  return (
    <Modal opened onClose={onClose} title={title} size={640}>
      <DialogForm
        fault={saving.words}
        mayWrite={mayWrite}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={group ? onDelete : undefined}
      >
        <Tabs defaultValue="general" keepMounted={false} className="group-tabs">
          <Tabs.List aria-label={t('manage.tabs.label')}>
            <Tabs.Tab value="general">{t('manage.tabs.general')}</Tabs.Tab>
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
          {memberLists.map(({ list, kind }) => (
            <Tabs.Panel key={list} value={list}>
              <MemberPicker
                kind={kind}
                inventoryId={form.inventory}
                label={t(`manage.tabs.${list}`)}
                chosen={form[list]}
                readOnly={!mayWrite}
                onChosen={(ids) => set({ [list]: ids })}
                beside={
                  kind === 'unit' && ends && group && mayWrite
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
  form: Form
  onForm: (changes: Partial<Form>) => void
  isNew: boolean
  inventories: readonly InventoryChoice[]
  readOnly: boolean
  nameFault: string | undefined
}

function General({ form, onForm, isNew, inventories, readOnly, nameFault }: GeneralProps) {
  const { t } = useTranslation('groups')
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
        onChange={(inventory) => onForm({ inventory: inventory ?? '', units: [], channels: [], users: [] })}
      />
      <Switch
        label={t('manage.columns.unitAuto')}
        description={t('manage.unitAutoHint')}
        checked={form.unitAutoAssociation}
        disabled={readOnly}
        onChange={(event) => onForm({ unitAutoAssociation: event.currentTarget.checked })}
      />
      <Switch
        label={t('manage.columns.globalAuto')}
        description={t('manage.globalAutoHint')}
        checked={form.globalAutoAssociation}
        disabled={readOnly}
        onChange={(event) => onForm({ globalAutoAssociation: event.currentTarget.checked })}
      />
    </>
  )
}
