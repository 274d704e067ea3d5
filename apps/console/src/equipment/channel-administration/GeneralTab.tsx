// What a channel is called, and where it stands.
import { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { ChannelTabProps } from './ChannelDialog.tsx'
import { changeChannel } from './channel-administration.ts'
import { InputAccessPart } from './InputAccessPart.tsx'

export function GeneralTab({ channel, onDelete, onClose }: ChannelTabProps & { onDelete: () => void }) {
  const { t } = useTranslation('channels')
  const { t: words } = useTranslation('multiview')
  const [name, setName] = useState(channel.name)
  const saving = useSaving()

  async function save(then?: () => void): Promise<void> {
    const saved = await saving.runChecked({
      schema: ChannelChange,
      typed: { name },
      title: '',
      ask: (change) => changeChannel(channel.uniqueId, change),
    })
    if (!saved) return
    toast({ title: t('saved'), text: name, tone: 'good' })
    then?.()
  }

  const { kind, inputType, port, inputAddress, sdiNo } = channel
  const facts: [string, string | null][] = [
    [t('field.kind'), words(`kind.${inputType ?? kind}`)],
    [t('field.status'), words(`status.${channel.status}`)],
    [t('field.allocatedTo'), channel.allocatedTo],
    [t('field.server'), channel.serverName],
    [t('field.inventory'), channel.inventoryName],
    [t('field.version'), channel.liveuVersion],
    [t('field.sdi'), sdiNo === null ? null : String(sdiNo)],
    [t('field.address'), inputAddress ?? (port === null ? null : `RIST ${port}`)],
  ]
  return (
    <DialogForm
      mayWrite
      fault={saving.unplaced}
      busy={saving.busy}
      onCancel={onClose}
      onApply={() => void save()}
      onOk={() => void save(onClose)}
      onDelete={onDelete}
    >
      <div className="dialog-part">
        <TextInput
          label={t('field.name')}
          description={t('nameHint')}
          value={name}
          error={saving.faults.name}
          required
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <dl className="facts">
          {facts.map(([label, value]) =>
            value === null ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
        {inputType === 'srt' || inputType === 'rtmp' ? <InputAccessPart channel={channel} /> : null}
      </div>
    </DialogForm>
  )
}
