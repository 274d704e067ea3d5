// Several cameras of a unit: how they are sent, where each goes, what they are called, and sending them.
import type { CameraFeed } from '@backhaul/contract/nouns/cameras'
import { channelRefusal } from '@backhaul/contract/nouns/channels'
import { feedsOf, feedsRefusal } from '@backhaul/contract/nouns/multi-camera'
import { activeVideoState, isBusy, isOffline, isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { reasonText } from '../../texts/generic.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { RunButton } from '../../ui/RunButton.tsx'
import { toast } from '../../ui/toasts.tsx'
import { channelStore, useMembersOf, watchChannels } from '../channels/channels.ts'
import { CameraModeFields } from './CameraModeFields.tsx'
import { CameraTable } from './CameraTable.tsx'
import styles from './cameras.module.css'
import { type CameraForm, formOf, saveCameras, sendCameras, setInput } from './cameras.ts'

interface CamerasTabProps {
  unit: Unit
  mayOperate: boolean
}

export function CamerasTab({ unit, mayOperate }: CamerasTabProps) {
  const { t } = useTranslation('cameras')
  const record = useRecordForm({
    // The unit may change while nothing is touched.
    start: (): Partial<CameraForm> => ({}),
    async save(touched) {
      await saveCameras(unit, { ...formOf(unit), ...touched })
      record.restart({})
      return undefined
    },
  })
  const form = { ...formOf(unit), ...record.values }
  const members = useMembersOf(form.channel ?? '')
  const runs = isStreaming(unit) || unit.transmission !== null
  const closed = mayOperate ? undefined : reasonText('role.notAllowed')
  const closedWhileLive = closed ?? (runs ? t('whileLive') : undefined)
  const isTouched = JSON.stringify(form) !== JSON.stringify(formOf(unit))
  const fields = { unit, form, set: record.set, faults: record.faults, members }

  async function show(camera: number): Promise<void> {
    try {
      await setInput(unit.uid, camera)
    } catch (error) {
      toast({ title: describeFault(error).title, text: unit.name, tone: 'critical' })
    }
  }
  return (
    <section className={styles.cameras} aria-label={t('title')}>
      <div className={styles.camerasMode}>
        <CameraModeFields {...fields} closed={closedWhileLive} />
        {record.unplaced === undefined ? null : <p className="text-critical">{record.unplaced}</p>}
        <p className={styles.camerasAct}>
          <button
            type="button"
            className="plain-button primary"
            aria-disabled={closed !== undefined || record.busy || !isTouched}
            data-tip={closed}
            onClick={() => closed === undefined && !record.busy && isTouched && void record.save()}
          >
            {t('apply')}
          </button>
          <SendButton unit={unit} members={members} closed={closed} isTouched={isTouched} />
        </p>
      </div>
      <CameraTable {...fields} closed={closed} closedWhileLive={closedWhileLive} onShow={show} />
    </section>
  )
}

interface SendButtonProps {
  unit: Unit
  members: readonly string[]
  closed: string | undefined
  isTouched: boolean
}

/** Starts and stops all cameras together; unsaved changes are not sent. */
function SendButton({ unit, members, closed, isTouched }: SendButtonProps) {
  const { t } = useTranslation('cameras')
  const [busy, setBusy] = useState(false)
  const refusal = useSendRefusal(unit, members)
  if (unit.multiCameraSelectedMode === null) return null
  const isOnTheWay = activeVideoState(unit) === 'connecting' || unit.transition !== null
  const runs = unit.transmission !== null || isStreaming(unit)
  const reason = closed ?? (runs ? undefined : (refusal ?? (isTouched ? t('unsaved') : undefined)))
  async function press(): Promise<void> {
    setBusy(true)
    try {
      await sendCameras(unit, runs)
    } catch (error) {
      const { title, text } = describeFault(error)
      toast({ title, text: text ?? unit.name, tone: 'critical' })
    }
    setBusy(false)
  }
  return (
    <>
      <RunButton
        state={runs ? 'stop' : 'start'}
        isClosed={reason !== undefined || busy}
        tip={reason}
        onPress={() => void press()}
      >
        {t(runs ? 'stop' : 'start')}
      </RunButton>
      <span className="quiet" role="status">
        {reason ?? (runs ? t(isOnTheWay ? 'connecting' : 'sending') : '')}
      </span>
    </>
  )
}

/** Why what the unit is set to cannot be sent now, in words. */
function useSendRefusal(unit: Unit, members: readonly string[]): string | undefined {
  useListVersion(channelStore)
  const feeds = feedsOf(unit, members)
  useWatched(feeds)
  if (isOffline(unit)) return reasonText('unit.offline')
  if (isBusy(unit)) return reasonText('unit.busy')
  const isFree = (id: string) => channelRefusal(channelStore.get(id), unit.uid) === undefined
  const refusal = feedsRefusal(unit, feeds, isFree)
  return refusal === undefined ? undefined : reasonText(refusal)
}

/** Keeps the channels of the cameras live while the tab is shown. */
function useWatched(feeds: readonly CameraFeed[]): void {
  const ids = feeds.map(({ channelId }) => channelId).join(' ')
  useEffect(() => watchChannels(ids.split(' ').filter(Boolean)), [ids])
}
