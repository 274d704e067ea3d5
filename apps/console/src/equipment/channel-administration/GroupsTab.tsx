// Groups that use the channel, and other customers to which it is lent.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { textFilter } from '../../ui/text-filter.ts'
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

/** The ticked boxes; the rest is as it was read. */
interface Touched {
  groups?: readonly string[]
  inventories?: readonly string[]
}

interface GroupsTabProps {
  channel: Pick<AdministeredChannel, 'uniqueId' | 'name' | 'inventoryId'>
  association: AssociationCalls
  onClose: () => void
}

export function GroupsTab({ channel, association, onClose }: GroupsTabProps) {
  const { t } = useTranslation('channels')
  const others = useValue(inventoryChoices).filter(({ id }) => id !== channel.inventoryId)
  const [text, setText] = useState('')
  const {
    data: before,
    errorText,
    again,
  } = useAnswer(['association', channel.uniqueId], () => associationOf(association, channel.uniqueId), {
    isStart: true,
  })
  const members = before?.groups.filter(({ isMember }) => isMember).map(({ uid }) => uid) ?? []
  const record = useRecordForm({
    start: (): Touched => ({}),
    async save(touched) {
      if (!before) return
      await setGroups(association, channel.uniqueId, before.groups, new Set(touched.groups ?? members))
      await setInventories(
        association,
        channel.uniqueId,
        before.inventories,
        touched.inventories ?? before.inventories,
      )
      // Lending brings the groups of other customers.
      await again()
      record.restart({})
      return undefined
    },
  })
  const { groups: chosen = members, inventories: lent = before?.inventories ?? [] } = record.values
  const toggle = (uid: string) =>
    record.set({ groups: chosen.includes(uid) ? chosen.filter((one) => one !== uid) : [...chosen, uid] })

  const matches = textFilter(text, searched)
  const shown = before?.groups.filter((group) => !matches || matches(group)) ?? []
  return (
    <RecordForm
      record={record}
      fault={errorText}
      inParts
      mayApply
      done={() => (before ? { title: t('saved'), text: channel.name } : undefined)}
      onClose={onClose}
    >
      <div className="dialog-part">
        {others.length > 0 ? (
          <MultiSelect
            label={t('lentTo')}
            description={t('lentHint')}
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...lent]}
            searchable
            onChange={(inventories) => record.set({ inventories })}
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
              checked={chosen.includes(group.uid)}
              onChange={() => toggle(group.uid)}
            />
          ))}
          {before && shown.length === 0 ? <p className="quiet">{t('noGroups')}</p> : null}
        </fieldset>
      </div>
    </RecordForm>
  )
}
