// Lends channels of other customers to one customer, and adds them to one of its groups in the same step.
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { Checkbox, Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import { toast } from '../../ui/toasts.tsx'
import type { InventoryChoice } from '../inventory-names/inventory-names.ts'
import styles from './channel-lending.module.css'
import { type LendingChoices, lendChannels, lendingChoices } from './channel-lending.ts'

interface LendChannelsDialogProps {
  /** Customers to choose from; the first is chosen. */
  inventories: readonly InventoryChoice[]
  /** Whether a group takes the channels at once; not where the members of a group are being edited beneath. */
  withGroup?: boolean
  onLent?: () => void
  onClose: () => void
}

type Channel = LendingChoices['channels'][number]
const searched = ({ name, serverName, inventoryName }: Channel) => [name, serverName, inventoryName]

export function LendChannelsDialog(props: LendChannelsDialogProps) {
  const { inventories, withGroup = true, onLent, onClose } = props
  const { t } = useTranslation('channels')
  const saving = useSaving()
  const [inventoryId, setInventoryId] = useState(inventories[0]?.id ?? '')
  const name = ['lendingChoices', inventoryId]
  const { data: choices, errorText } = useAnswer(name, () => lendingChoices(inventoryId), { isStart: true })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [wish, setGroupId] = useState<string | null>()
  const groupId = wish === undefined ? (withGroup && choices?.groups[0]?.uid) || null : wish
  const [text, setText] = useState('')

  function chooseInventory(id: string): void {
    setInventoryId(id)
    setChosen([])
    setGroupId(undefined)
  }

  async function lend(): Promise<void> {
    if (chosen.length === 0) return saving.refuse({ title: t('lend.chooseOne'), fields: {} })
    const ask = async () => void (await lendChannels(inventoryId, chosen, groupId))
    if (!(await saving.run(ask))) return
    const count = chosen.length
    toast({
      title: t('lend.done', { count }),
      text: inventories.find(({ id }) => id === inventoryId)?.name ?? '',
      tone: 'good',
    })
    onLent?.()
    onClose()
  }

  const matches = textFilter(text, searched)
  const shown = choices?.channels.filter((channel) => !matches || matches(channel)) ?? []
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <Modal opened onClose={onClose} title={t('lend.title')} size={620}>
      <DialogForm
        mayWrite
        fault={saving.words ?? errorText}
        busy={saving.busy}
        okLabel={t('lend.ok')}
        onCancel={onClose}
        onOk={() => void lend()}
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
              onChange={setGroupId}
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
            {shown.map(({ uniqueId, name, serverName, inventoryName }) => (
              <Checkbox
                key={uniqueId}
                label={
                  <>
                    <span className="clip">{displayedChannelName(name)}</span>
                    <span className="quiet clip">{`${serverName} · ${inventoryName}`}</span>
                  </>
                }
                checked={chosen.includes(uniqueId)}
                onChange={() => toggle(uniqueId)}
              />
            ))}
            {choices && shown.length === 0 ? (
              <p className="quiet">{t(text === '' ? 'lend.none' : 'noMatch.title')}</p>
            ) : null}
          </fieldset>
        </div>
      </DialogForm>
    </Modal>
  )
}
