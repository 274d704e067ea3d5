import { CAMERA_LABEL_MAX, cameraPriorities } from '@backhaul/contract/nouns/cameras'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import type { Camera } from '@backhaul/contract/nouns/units'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { mbpsText } from '../../ui/locale.ts'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { channelGlyph, channelStore } from '../channels/channels.ts'
import { type CameraFieldProps, ChannelChoice, notConnected } from './CameraModeFields.tsx'
import styles from './cameras.module.css'
import { cameraNumbers } from './cameras.ts'

interface CameraTableProps extends CameraFieldProps {
  /** Labels and priorities change while the unit sends. */
  closed: string | undefined
  closedWhileLive: string | undefined
  /** The camera that the switcher shall show. */
  onShow: (camera: number) => Promise<void>
}

/** One row for each socket of the unit: its source, its name, its rank, and its channel. */
export function CameraTable(props: CameraTableProps) {
  const { t } = useTranslation('cameras')
  const { form, unit } = props
  const isSwitched = form.mode === 'switcher' || form.mode === 'switcherAndProxy'
  const isSentEach = form.mode === 'highQuality'
  const proxyIsSent = unit.transmission?.feeds?.some((feed) => feed.camera === null)
  return (
    <StaticTable
      label={t('cameras')}
      columns={[
        t('column.camera'),
        t('column.label'),
        t('column.priority'),
        ...(form.mode === 'single' ? [] : [t(isSwitched ? 'column.shown' : 'column.channel')]),
        ...(isSentEach ? [t('column.reception')] : []),
      ]}
      foot={
        proxyIsSent ? (
          <tr>
            <th scope="row" colSpan={4}>
              <span className={styles.cameraSocket}>
                {t('proxyGoes')}
                <Reception channelId={unit.proxyChannelId} uid={unit.uid} />
              </span>
            </th>
          </tr>
        ) : null
      }
    >
      {cameraNumbers.map((camera) => (
        <CameraRow key={camera} {...props} camera={camera} isSwitched={isSwitched} />
      ))}
    </StaticTable>
  )
}

function CameraRow(props: CameraTableProps & { camera: number; isSwitched: boolean }) {
  const { unit, form, set, faults, camera, isSwitched, closed, onShow } = props
  const { t } = useTranslation('cameras')
  const at = camera - 1
  const socket = unit.cameras[at]
  const isPlugged = socket?.connected === true
  const isSent = form.mode === 'highQuality' && camera <= form.numberOfFeeds
  const isShown = isSwitched && unit.cameraInput === camera
  const switchable = isSwitched && unit.multiCameraSelectedMode === form.mode
  const closedInput = closed ?? (switchable ? (isPlugged ? undefined : notConnected()) : t('unsaved'))
  return (
    <tr data-quiet={(form.mode === 'highQuality' && !isSent) || undefined}>
      <th scope="row">
        <Socket camera={camera} socket={socket} />
      </th>
      <td>
        <TextInput
          aria-label={t('labelOf', { camera })}
          maxLength={CAMERA_LABEL_MAX}
          error={faults[`multiCameraLabels.${at}`]}
          {...disabledBecause(closed)}
          value={form.labels[at] ?? ''}
          onChange={({ currentTarget }) => set({ labels: replaced(form.labels, at, currentTarget.value) })}
        />
      </td>
      <td>
        <NativeSelect
          aria-label={t('priorityOf', { camera })}
          {...disabledBecause(closed)}
          value={String(form.priorities[at] ?? 1)}
          onChange={({ currentTarget }) => {
            const rank = cameraPriorities.find((one) => String(one) === currentTarget.value) ?? 1
            set({ priorities: replaced(form.priorities, at, rank) })
          }}
          data={cameraPriorities.map((rank) => ({
            value: String(rank),
            label: rank === 1 ? t('highest') : rank === 9 ? t('lowest') : String(rank),
          }))}
        />
      </td>
      {isSwitched ? (
        <td className={styles.cameraCut}>
          <button
            type="button"
            className="plain-button"
            aria-pressed={isShown}
            aria-disabled={closedInput !== undefined}
            aria-label={t('showCamera', { camera })}
            data-tip={closedInput}
            onClick={() => closedInput === undefined && void onShow(camera)}
          >
            {t('show')}
          </button>
          {isShown ? <Reception channelId={unit.highQualityChannelId} uid={unit.uid} /> : null}
        </td>
      ) : null}
      {form.mode === 'highQuality' ? <SentCells {...props} /> : null}
    </tr>
  )
}

/** The source in the socket, if one is plugged in. */
function Socket({ camera, socket }: { camera: number; socket: Camera | undefined }) {
  const { t } = useTranslation('cameras')
  const isPlugged = socket?.connected === true
  return (
    <span className={styles.cameraSocket}>
      <StatusGlyph
        shape={isPlugged ? 'disc' : 'slashedRing'}
        tone={isPlugged ? 'ready' : 'offline'}
        size={12}
      />
      {t('camera', { camera })}
      <span className="quiet">
        {isPlugged ? `${socket.width}×${socket.height} ${socket.fps} fps` : notConnected()}
      </span>
    </span>
  )
}

/** The channel of a camera that has one of its own, and its reception. */
function SentCells(props: CameraTableProps & { camera: number }) {
  const { unit, form, set, faults, members, camera, closedWhileLive } = props
  const { t } = useTranslation('cameras')
  const at = camera - 1
  const isSent = camera <= form.numberOfFeeds
  const chosen = form.customSelectedChannels[at] ?? null
  const goesTo = form.channelSelectionMode === 'custom' ? chosen : (members[at] ?? null)
  const channels = Array.from(
    { length: form.numberOfFeeds },
    (_, one) => form.customSelectedChannels[one] ?? '',
  )
  return (
    <>
      <td>
        {isSent && form.channelSelectionMode === 'custom' ? (
          <ChannelChoice
            name={t('channelOf', { camera })}
            value={chosen}
            fault={faults[`customSelectedChannels.${at}`]}
            closed={closedWhileLive}
            onChange={(id) => set({ customSelectedChannels: replaced(channels, at, id ?? '') })}
          />
        ) : isSent ? (
          <ChannelName id={goesTo} />
        ) : (
          <span className="quiet">{t('notSent')}</span>
        )}
      </td>
      <td>{isSent ? <Reception channelId={goesTo} uid={unit.uid} /> : null}</td>
    </>
  )
}

const replaced = <T,>(list: readonly T[], at: number, value: T) =>
  list.map((one, index) => (index === at ? value : one))

function ChannelName({ id }: { id: string | null }) {
  const { t } = useTranslation('cameras')
  const channel = useItem(channelStore, id ?? '')
  return <>{channel ? displayedChannelName(channel.name) : t('noChannel')}</>
}

/** Reception of the unit on the channel now. */
function Reception({ channelId, uid }: { channelId: string | null; uid: string }) {
  const { t } = useTranslation('cameras')
  const channel = useItem(channelStore, channelId ?? '')
  if (channel?.allocatedToUnitUid !== uid) return <span className="quiet">{t('idle')}</span>
  const isReceived = channel.status === 'collecting'
  return (
    <span className={styles.cameraSocket}>
      <StatusGlyph {...channelGlyph(channel)} size={12} />
      {isReceived ? mbpsText(channel.reception?.kbps ?? 0) : t('connecting')}
    </span>
  )
}
