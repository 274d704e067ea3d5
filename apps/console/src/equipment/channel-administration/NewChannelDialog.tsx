// Makes a channel on one of the servers: for units, or for standard encoders.
import { channelAdministration as calls } from '@backhaul/contract/api/channel-administration'
import { NewChannel } from '@backhaul/contract/nouns/channel-administration'
import type { encoderInputs } from '@backhaul/contract/nouns/channels'
import { NativeSelect } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { makeChannel } from './channel-administration.ts'
import { HostChoice } from './HostChoice.tsx'

interface NewChannelDialogProps {
  onMade: (id: string) => void
  onClose: () => void
}

/** The input of a channel, as one choice. */
type Receives = 'units' | (typeof encoderInputs)[number]

export function NewChannelDialog({ onMade, onClose }: NewChannelDialogProps) {
  const { t } = useTranslation('channels')
  const { data: hosts, errorText } = useRead(calls.hosts, {}, { isStart: true })
  const chosenOf = (serverId: string) => serverId || (hosts?.[0]?.uid ?? '')
  const made = useRef('')
  const record = useRecordForm({
    start: () => ({ name: '', serverId: '', receives: 'units' as Receives, sdi: '' }),
    schema: NewChannel,
    requestOf: ({ name, serverId, receives, sdi }) => ({
      name,
      serverId: chosenOf(serverId),
      inputType: receives === 'units' ? null : receives,
      sdiNo: receives === 'units' && sdi !== '' ? Number(sdi) : null,
    }),
    save: (request) =>
      makeChannel(request, (id) => {
        made.current = id
      }),
  })
  const { values: form, set, faults } = record
  const host = hosts?.find(({ uid }) => uid === chosenOf(form.serverId))

  const inputs = host?.inputTypes ?? []
  const sdi = form.receives === 'units' ? (host?.freeSdi ?? []) : []
  return (
    <RecordDialog
      title={t('addTitle')}
      record={record}
      fault={errorText === undefined ? undefined : t('noServers')}
      okLabel={t('make')}
      done={(saved) => ({ title: t('made'), text: saved.name })}
      onSaved={() => onMade(made.current)}
      onClose={onClose}
    >
      <div className="form-fields">
        <TextField
          record={record}
          name="name"
          label={t('field.name')}
          description={t('nameHint')}
          required
          data-autofocus
        />
        <HostChoice
          label={t('field.server')}
          placeholder={hosts?.length === 0 ? t('noServers') : undefined}
          hosts={hosts}
          value={chosenOf(form.serverId)}
          error={faults.serverId}
          onHost={(serverId) => set({ serverId, receives: 'units', sdi: '' })}
        />
        <NativeSelect
          label={t('field.receives')}
          value={form.receives}
          data={(['units', ...inputs] as const).map((value) => ({
            value,
            label: t(`receives.${value}`),
          }))}
          onChange={(event) => set({ receives: event.currentTarget.value as Receives })}
        />
        {sdi.length > 0 ? (
          <NativeSelect
            label={t('field.sdi')}
            value={form.sdi}
            data={[
              { value: '', label: t('noSdi') },
              ...sdi.map((number) => ({ value: String(number), label: t('sdiNumber', { number }) })),
            ]}
            onChange={(event) => set({ sdi: event.currentTarget.value })}
          />
        ) : null}
      </div>
    </RecordDialog>
  )
}
