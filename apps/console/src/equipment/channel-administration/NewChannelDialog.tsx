// Makes a channel on one of the servers: for units, or for standard encoders.
import { channelAdministration as calls } from '@backhaul/contract/api/channel-administration'
import { NewChannel } from '@backhaul/contract/nouns/channel-administration'
import { Modal, NativeSelect, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { makeChannel } from './channel-administration.ts'

interface NewChannelDialogProps {
  onMade: (id: string) => void
  onClose: () => void
}

/** What a channel receives, as one choice. */
type Receives = 'units' | 'srt' | 'rtmp'

export function NewChannelDialog({ onMade, onClose }: NewChannelDialogProps) {
  const { t } = useTranslation('channels')
  const { data: hosts, errorText } = useRead(calls.hosts, {}, { isStart: true })
  const [typed, setForm] = useState({ name: '', serverId: '', receives: 'units' as Receives, sdi: '' })
  const form = { ...typed, serverId: typed.serverId || (hosts?.[0]?.uid ?? '') }
  const saving = useSaving()
  const host = hosts?.find(({ uid }) => uid === form.serverId)

  async function save(): Promise<void> {
    const { name, serverId, receives, sdi } = form
    let made = ''
    const saved = await saving.runChecked({
      schema: NewChannel,
      typed: {
        name,
        serverId,
        inputType: receives === 'units' ? null : receives,
        sdiNo: receives === 'units' && sdi !== '' ? Number(sdi) : null,
      },
      title: '',
      ask: (wish) =>
        makeChannel(wish, (id) => {
          made = id
        }),
    })
    if (!saved) return
    toast({ title: t('made'), text: name, tone: 'good' })
    onMade(made)
  }

  const inputs = host?.inputTypes ?? []
  const sdi = form.receives === 'units' ? (host?.freeSdi ?? []) : []
  return (
    <Modal opened onClose={onClose} title={t('addTitle')}>
      <DialogForm
        mayWrite
        fault={saving.unplaced ?? (errorText === undefined ? undefined : t('noServers'))}
        busy={saving.busy}
        okLabel={t('make')}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className="form-fields">
          <TextInput
            label={t('field.name')}
            description={t('nameHint')}
            value={form.name}
            error={saving.faults.name}
            required
            data-autofocus
            onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
          />
          <Select
            label={t('field.server')}
            placeholder={hosts?.length === 0 ? t('noServers') : undefined}
            data={(hosts ?? []).map(({ uid, name, inventoryName }) => ({
              value: uid,
              label: `${name} (${inventoryName})`,
            }))}
            value={form.serverId}
            error={saving.faults.serverId}
            allowDeselect={false}
            searchable
            onChange={(serverId) =>
              setForm({ ...form, serverId: serverId ?? '', receives: 'units', sdi: '' })
            }
          />
          <NativeSelect
            label={t('field.receives')}
            value={form.receives}
            data={(['units', ...inputs] as const).map((value) => ({
              value,
              label: t(`receives.${value}`),
            }))}
            onChange={(event) => setForm({ ...form, receives: event.currentTarget.value as Receives })}
          />
          {sdi.length > 0 ? (
            <NativeSelect
              label={t('field.sdi')}
              value={form.sdi}
              data={[
                { value: '', label: t('noSdi') },
                ...sdi.map((number) => ({ value: String(number), label: t('sdiNumber', { number }) })),
              ]}
              onChange={(event) => setForm({ ...form, sdi: event.currentTarget.value })}
            />
          ) : null}
        </div>
      </DialogForm>
    </Modal>
  )
}
