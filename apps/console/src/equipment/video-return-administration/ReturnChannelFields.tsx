import { videoReturnAdministration as calls } from '@backhaul/contract/api/video-return-administration'
import {
  type AdministeredVrChannel,
  FeedSelectionMode,
  type NewVrChannel,
  VrInputId,
  vrAudioChannels,
} from '@backhaul/contract/nouns/video-return'
import { ActionIcon, Checkbox, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldsOf } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { inputName } from '../../fleet/video-return/video-return.ts'
import { TextField } from '../../kit/TextField.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { HostChoice } from '../channel-administration/HostChoice.tsx'
import styles from './video-return-administration.module.css'

/** As typed: a figure is text while its field is empty. */
export type ReturnForm = Omit<NewVrChannel, 'video' | 'destinationPort'> & {
  video: { codec: NewVrChannel['video']['codec']; bitrateKbps: number | string }
  destinationPort: number | string
}

interface ReturnFieldsProps {
  record: FieldsOf<ReturnForm>
  channel: AdministeredVrChannel | null
}

/** Its name, description and server. */
export function GeneralFields({ record, channel }: ReturnFieldsProps) {
  const { t } = useTranslation('videoReturn')
  return (
    <>
      <TextField
        record={record}
        name="name"
        label={t('field.name')}
        description={t('nameHint')}
        required
        data-autofocus
      />
      <TextField record={record} name="description" label={t('field.description')} />
      {channel ? (
        <Facts
          facts={[
            [t('column.status'), t(`status.${channel.status}`)],
            [t('column.unit'), channel.unitName || null],
            [t('column.server'), channel.serverName],
            [t('field.inventory'), channel.inventoryName],
            [t('field.serialNumber'), channel.serialNumber || null],
            [t('column.addresses'), channel.urlData.join(', ') || null],
          ]}
        />
      ) : (
        <ServerChoice record={record} />
      )}
    </>
  )
}

function ServerChoice({ record: { values, set, faults } }: Pick<ReturnFieldsProps, 'record'>) {
  const { t } = useTranslation('videoReturn')
  const { data, errorText } = useRead(calls.hosts, {}, { isStart: true })
  const hosts = errorText === undefined ? data : []
  const first = hosts?.[0]?.uid
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first is chosen once, when the servers are known
  useEffect(() => {
    if (values.serverId === '' && first !== undefined) set({ serverId: first })
  }, [first])
  return (
    <HostChoice
      label={t('column.server')}
      placeholder={hosts?.length === 0 ? t('noServers') : undefined}
      hosts={hosts}
      value={values.serverId}
      error={faults.serverId}
      onHost={(serverId) => set({ serverId })}
    />
  )
}

/** Its inputs in their order, and who chooses. */
export function InputFields({ record, channel }: ReturnFieldsProps) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('videoReturn')
  const { inputs } = form
  const raise = (at: number) => {
    const [before, one] = [inputs[at - 1], inputs[at]]
    if (before && one) set({ inputs: inputs.with(at - 1, one).with(at, before) })
  }
  const nameOf = (id: VrInputId) => inputName(id, channel?.inputs)
  const signalOf = (id: VrInputId) =>
    channel?.inputs.find((seen) => seen.id === id && seen.connected)?.standard ?? t('noSignal')
  return (
    <>
      <NativeSelect
        label={t('field.feedSelectionMode')}
        description={t(`modeHint.${form.feedSelectionMode}`)}
        data={FeedSelectionMode.options.map((value) => ({ value, label: t(`mode.${value}`) }))}
        value={form.feedSelectionMode}
        onChange={({ currentTarget }) =>
          set({ feedSelectionMode: FeedSelectionMode.parse(currentTarget.value), input: null })
        }
      />
      <fieldset className={styles.returnInputs}>
        <legend>{t('inputs')}</legend>
        {inputs.map((one, at) => (
          <div key={one.id}>
            <Checkbox
              label={nameOf(one.id)}
              checked={one.enabled}
              onChange={(event) =>
                set({
                  inputs: inputs.with(at, { ...one, enabled: event.currentTarget.checked }),
                  ...(form.input === one.id && { input: null }),
                })
              }
            />
            <span className="quiet">{signalOf(one.id)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('raise', { input: nameOf(one.id) })}
              data-tip={t('raise', { input: nameOf(one.id) })}
              disabled={at === 0}
              onClick={() => raise(at)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
          </div>
        ))}
      </fieldset>
      {form.feedSelectionMode === 'custom' ? (
        <NativeSelect
          label={t('inputShown')}
          description={t('inputShownHint')}
          error={faults.input}
          data={[
            { value: '', label: t('firstInOrder') },
            ...inputs
              .filter(({ enabled }) => enabled)
              .map(({ id }) => ({ value: id as string, label: nameOf(id) })),
          ]}
          value={form.input ?? ''}
          onChange={({ currentTarget }) =>
            set({ input: VrInputId.safeParse(currentTarget.value).data ?? null })
          }
        />
      ) : null}
    </>
  )
}

const codecs = ['H.264', 'H.265'] as const

/** Its format, whether it is stored, and where units fetch it. */
export function FormatFields({ record }: ReturnFieldsProps) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('videoReturn')
  const { video, audio } = form
  return (
    <>
      <NativeSelect
        label={t('field.codec')}
        data={[...codecs]}
        value={video.codec}
        onChange={({ currentTarget }) =>
          set({
            video: { ...video, codec: codecs.find((one) => one === currentTarget.value) ?? 'H.264' },
          })
        }
      />
      <NumberInput
        label={t('field.bitrateKbps')}
        value={video.bitrateKbps}
        error={faults['video.bitrateKbps']}
        required
        allowDecimal={false}
        onChange={(bitrateKbps) => set({ video: { ...video, bitrateKbps } })}
      />
      <NativeSelect
        label={t('field.audio')}
        data={vrAudioChannels.map((count) => ({
          value: String(count),
          label: count === 0 ? t('noSound') : String(count),
        }))}
        value={String(audio.channels)}
        onChange={({ currentTarget }) =>
          set({
            audio: { channels: vrAudioChannels.find((one) => String(one) === currentTarget.value) ?? 2 },
          })
        }
      />
      <Switch
        label={t('field.store')}
        description={t('storeHint')}
        checked={form.store}
        onChange={(event) => set({ store: event.currentTarget.checked })}
      />
      <NumberInput
        label={t('field.destinationPort')}
        description={t('portHint')}
        value={form.destinationPort}
        error={faults.destinationPort}
        allowDecimal={false}
        clampBehavior="none"
        onChange={(destinationPort) => set({ destinationPort })}
      />
    </>
  )
}
