// Which groups use the channel, and to which other customers it is lent.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import styles from './channel-administration.module.css'
import {
  type Association,
  type AssociationCalls,
  associationOf,
  setGroups,
  setInventories,
} from './channel-administration.ts'

type Group = Association['groups'][number]
const searched = ({ name, inventoryName }: Group) => [name, inventoryName]

interface GroupsTabProps {
  channel: Pick<AdministeredChannel, 'uniqueId' | 'name' | 'inventoryId'>
  association: AssociationCalls
  onClose: () => void
}

export function GroupsTab({ channel, association, onClose }: GroupsTabProps) {
  const { t } = useTranslation('channels')
  const others = useValue(inventoryChoices).filter(({ id }) => id !== channel.inventoryId)
  const saving = useSaving()
  const [before, setBefore] = useState<Association>()
  const [lent, setLent] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')

  async function read(): Promise<void> {
    const found = await associationOf(association, channel.uniqueId)
    setBefore(found)
    setLent(found.inventories)
    setChosen(new Set(found.groups.filter(({ isMember }) => isMember).map(({ uid }) => uid)))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each channel
  useEffect(() => void read().catch((error) => saving.refuse(describeFault(error))), [channel.uniqueId])

  async function save(then?: () => void): Promise<void> {
    if (!before) return
    const write = async () => {
      await setGroups(association, channel.uniqueId, before.groups, chosen)
      await setInventories(association, channel.uniqueId, before.inventories, lent)
      // What was lent brings other groups.
      await read()
      return undefined
    }
    if (!(await saving.run(write))) return
    toast({ title: t('saved'), text: channel.name, tone: 'good' })
    then?.()
  }

  function toggle(uid: string): void {
    const next = new Set(chosen)
    if (!next.delete(uid)) next.add(uid)
    setChosen(next)
  }

  const matches = textFilter(text, searched)
  const shown = before?.groups.filter((group) => !matches || matches(group)) ?? []
  return (
    <DialogForm
      mayWrite
      fault={saving.words}
      busy={saving.busy}
      onCancel={onClose}
      onApply={() => void save()}
      onOk={() => void save(onClose)}
    >
      <div className="dialog-part">
        {others.length > 0 ? (
          <MultiSelect
            label={t('lentTo')}
            description={t('lentHint')}
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...lent]}
            searchable
            onChange={setLent}
          />
        ) : null}
        <TextInput
          aria-label={t('searchGroups')}
          placeholder={t('searchGroups')}
          value={text}
          // The list is searched while one types; Enter here is not yet OK.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <fieldset className={styles.channelGroups}>
          <legend className="visually-hidden">{t('tabs.groups')}</legend>
          {shown.map((group) => (
            <Checkbox
              key={group.uid}
              label={
                <>
                  <span className="clip">{group.name}</span>
                  <span className="quiet clip">{group.inventoryName}</span>
                </>
              }
              checked={chosen.has(group.uid)}
              onChange={() => toggle(group.uid)}
            />
          ))}
          {before && shown.length === 0 ? <p className="quiet">{t('noGroups')}</p> : null}
        </fieldset>
      </div>
    </DialogForm>
  )
}
