// Lends channels of other customers to one customer, and adds them to one of its groups in the same step.
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import type { InventoryChoice } from '../inventory-names/inventory-names.ts'
import styles from './channel-lending.module.css'
import { type LendingChoices, lendChannels, lendingChoices } from './channel-lending.ts'

interface LendChannelsDialogProps {
  /** Customers to choose from; the first is chosen. */
  inventories: readonly InventoryChoice[]
  /** True if a group takes the channels at once; not where the members of a group are being edited beneath. */
  withGroup?: boolean
  onLent?: () => void
  onClose: () => void
}

type Channel = LendingChoices['channels'][number]
const searched = ({ name, serverName, inventoryName }: Channel) => [name, serverName, inventoryName]

export function LendChannelsDialog(props: LendChannelsDialogProps) {
  const { inventories, withGroup = true, onLent, onClose } = props
  const { t } = useTranslation('channels')
  const [inventoryId, setInventoryId] = useState(inventories[0]?.id ?? '')
  const name = ['lendingChoices', inventoryId]
  const { data: choices, errorText } = useAnswer(name, () => lendingChoices(inventoryId), { isStart: true })
  const likelyGroup = (withGroup && choices?.groups[0]?.uid) || null
  const record = useRecordForm({
    start: (): { chosen: readonly string[]; groupId?: string | null } => ({ chosen: [] }),
    async save({ chosen, groupId = likelyGroup }) {
      if (chosen.length === 0) return { title: t('lend.chooseOne'), fields: {} }
      await lendChannels(inventoryId, chosen, groupId)
      return undefined
    },
  })
  const { chosen, groupId = likelyGroup } = record.values
  const [text, setText] = useState('')

  function chooseInventory(id: string): void {
    setInventoryId(id)
    record.restart({ chosen: [] })
  }

  const matches = textFilter(text, searched)
  const shown = choices?.channels.filter((channel) => !matches || matches(channel)) ?? []
  const toggle = (id: string) =>
    record.set({ chosen: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] })
  return (
    <RecordDialog
      title={t('lend.title')}
      size={620}
      record={record}
      fault={errorText}
      inParts
      okLabel={t('lend.ok')}
      done={(lent) => ({
        title: t('lend.done', { count: lent.chosen.length }),
        text: inventories.find(({ id }) => id === inventoryId)?.name ?? '',
      })}
      onSaved={() => {
        onLent?.()
        onClose()
      }}
      onClose={onClose}
    >
      <div className={styles.lending}>
        <Select
          label={t('lend.customer')}
          data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
          value={inventoryId}
          allowDeselect={false}
          searchable
          onChange={(id) => id && chooseInventory(id)}
        />
        {withGroup ? (
          <Select
            label={t('lend.group')}
            data={choices?.groups.map(({ uid, name }) => ({ value: uid, label: name })) ?? []}
            value={groupId}
            placeholder={t('lend.noGroup')}
            clearable
            searchable
            onChange={(id) => record.set({ groupId: id })}
          />
        ) : null}
        <TextInput
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          // The list is searched while one types; Enter here is not yet OK.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <fieldset className={styles.lendingChannels}>
          <legend className="visually-hidden">{t('title')}</legend>
          {shown.map((channel) => (
            <ChannelBox
              key={channel.uniqueId}
              channel={channel}
              isChosen={chosen.includes(channel.uniqueId)}
              onToggle={toggle}
            />
          ))}
          {choices && shown.length === 0 ? (
            <p className="quiet">{t(text === '' ? 'lend.none' : 'noMatch.title')}</p>
          ) : null}
        </fieldset>
      </div>
    </RecordDialog>
  )
}

interface ChannelBoxProps {
  channel: Channel
  isChosen: boolean
  onToggle: (id: string) => void
}

function ChannelBox({ channel, isChosen, onToggle }: ChannelBoxProps) {
  const { uniqueId, name, serverName, inventoryName } = channel
  return (
    <Checkbox
      label={
        <>
          <span className="clip">{displayedChannelName(name)}</span>
          <span className="quiet clip">{`${serverName} · ${inventoryName}`}</span>
        </>
      }
      checked={isChosen}
      onChange={() => onToggle(uniqueId)}
    />
  )
}
