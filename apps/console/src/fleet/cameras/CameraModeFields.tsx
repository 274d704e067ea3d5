import { CameraMode } from '@backhaul/contract/nouns/cameras'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { camerasAllowed, modeRefusal, multiCameraService } from '@backhaul/contract/nouns/multi-camera'
import type { Unit } from '@backhaul/contract/nouns/units'
import { FeedSelectionMode } from '@backhaul/contract/nouns/video-return'
import { NativeSelect, Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { byChannelName, channelStore } from '../channels/channels.ts'
import styles from './cameras.module.css'
import { type CameraForm, cameraNumbers } from './cameras.ts'

export interface CameraFieldProps {
  unit: Unit
  form: CameraForm
  set: (changes: Partial<CameraForm>) => void
  faults: Readonly<Record<string, string>>
  /** Channels of the chosen group channel, in order. */
  members: readonly string[]
}

/** The camera mode, and its requirements in addition to the channel of each camera. */
export function CameraModeFields(props: CameraFieldProps & { closed: string | undefined }) {
  const { unit, form, set, faults, closed } = props
  const { t } = useTranslation('cameras')
  const isSwitched = form.mode === 'switcher' || form.mode === 'switcherAndProxy'
  return (
    <>
      <Radio.Group
        label={t('mode')}
        description={closed ?? t(`service.${multiCameraService(unit)}`)}
        value={form.mode}
        onChange={(mode) => set({ mode: CameraMode.parse(mode) })}
      >
        <div className={styles.camerasModes}>
          {CameraMode.options.map((mode) => {
            const refusal = mode === 'single' ? undefined : modeRefusal(unit, mode)
            return (
              <Radio
                key={mode}
                value={mode}
                label={t(`modes.${mode}`)}
                description={t(`modeHints.${mode}`)}
                {...disabledBecause(closed ?? (refusal && reasonText(refusal)))}
              />
            )
          })}
        </div>
      </Radio.Group>
      {form.mode === 'highQuality' ? <FeedFields {...props} /> : null}
      {isSwitched ? (
        <ChannelChoice
          label={t('highQualityChannel')}
          value={form.highQualityChannel}
          fault={faults.highQualityChannel}
          closed={closed}
          onChange={(highQualityChannel) => set({ highQualityChannel })}
        />
      ) : null}
      {form.mode === 'switcherAndProxy' ? (
        <ChannelChoice
          label={t('proxyChannel')}
          value={form.proxyChannel}
          fault={faults.proxyChannel}
          closed={closed}
          onChange={(proxyChannel) => set({ proxyChannel })}
        />
      ) : null}
    </>
  )
}

function FeedFields({ unit, form, set, faults, closed }: CameraFieldProps & { closed: string | undefined }) {
  const { t } = useTranslation('cameras')
  const allowed = camerasAllowed(unit)
  return (
    <div className={styles.camerasFeeds}>
      <NativeSelect
        label={t('feeds')}
        error={faults.numberOfFeeds}
        {...disabledBecause(closed)}
        value={String(form.numberOfFeeds)}
        onChange={({ currentTarget }) => set({ numberOfFeeds: Number(currentTarget.value) })}
        data={cameraNumbers.map((count) => ({
          value: String(count),
          label: count > allowed ? t('notInService', { count }) : String(count),
          disabled: count > allowed,
        }))}
      />
      <NativeSelect
        label={t('selection')}
        {...disabledBecause(closed)}
        value={form.channelSelectionMode}
        onChange={({ currentTarget }) =>
          set({ channelSelectionMode: FeedSelectionMode.parse(currentTarget.value) })
        }
        data={(['custom', 'automaticByServer'] as const).map((value) => ({
          value,
          label: t(`selections.${value}`),
        }))}
      />
      {form.channelSelectionMode === 'automaticByServer' ? (
        <ChannelChoice
          label={t('groupChannel')}
          value={form.channel}
          fault={faults.channel}
          closed={closed}
          ofGroups
          onChange={(channel) => set({ channel })}
        />
      ) : null}
    </div>
  )
}

interface ChannelChoiceProps {
  /** Undefined where a table names the field. */
  label?: string
  name?: string
  value: string | null
  fault: string | undefined
  closed: string | undefined
  /** Group channels alone, else all others. */
  ofGroups?: boolean
  onChange: (id: string | null) => void
}

export function ChannelChoice({ label, name, value, fault, closed, ofGroups, onChange }: ChannelChoiceProps) {
  const { t } = useTranslation('cameras')
  useListVersion(channelStore)
  const list = channelStore
    .ids()
    .flatMap((id) => channelStore.get(id) ?? [])
    .filter(({ kind }) => (kind === 'GROUP_CHANNEL') === (ofGroups === true) && kind !== 'INPUT_CHANNEL')
    .sort(byChannelName)
  const isGone = value !== null && !list.some(({ uniqueId }) => uniqueId === value)
  return (
    <NativeSelect
      label={label}
      aria-label={name}
      error={fault}
      {...disabledBecause(closed)}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      data={[
        { value: '', label: t('noChannel') },
        ...(isGone ? [{ value, label: t('external') }] : []),
        ...list.map((channel) => ({
          value: channel.uniqueId,
          label: `${displayedChannelName(channel.name)} · ${channel.allocatedToUnitAlias ?? channel.serverName}`,
        })),
      ]}
    />
  )
}

/** The value of a camera that sends nothing. */
export const notConnected = () => reasonText('camera.notConnected')
