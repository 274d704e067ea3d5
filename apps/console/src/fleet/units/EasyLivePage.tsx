// /easy_live: the whole console of a studio on one page: whose picture, start and stop, where to, with which delay.
import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { useValue } from '../../ui/value.ts'
import { TallyLamp } from '../previews/TallyLamp.tsx'
import { GoLive } from '../social-media/GoLive.tsx'
import { ChannelPicker } from './ChannelPicker.tsx'
import { CommandState } from './CommandState.tsx'
import { DelayPicker } from './DelayPicker.tsx'
import styles from './easy-live.module.css'
import { StartButton, StartReason } from './StartButton.tsx'
import { UnitStatus } from './UnitHead.tsx'
import { Transmission } from './UnitParts.tsx'
import { UnitPicture } from './UnitPicture.tsx'
import { byName, channelName } from './unit-presentation.ts'
import { useSelectedUnit } from './units.ts'
import { type LiveUnit, listFault, unitStore, unitsState } from './units-live.ts'

export function EasyLivePage() {
  const { t } = useTranslation('units')
  const loading = useValue(unitsState)
  const uids = useUidsByName()
  const [selected, select] = useSelectedUnit()
  const uid = uids.find((one) => one === selected) ?? uids[0]
  if (uid === undefined) {
    const empty = loading.state === 'loading' ? t('page.loading') : t('easyLive.empty')
    return <p className={styles.easyLiveEmpty}>{loading.state === 'error' ? listFault(loading) : empty}</p>
  }
  return (
    <div className={styles.easyLive}>
      <ChosenUnit key={uid} uid={uid} />
      <nav className={styles.easyLiveUnits} aria-label={t('easyLive.units')}>
        <ul>
          {uids.map((one) => (
            <li key={one}>
              <UnitChoice uid={one} chosen={one === uid} onChoose={select} />
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** In an order that changes only when a unit joins or leaves: nothing moves under a finger. */
function useUidsByName(): string[] {
  const ids = useSyncExternalStore(unitStore.subscribeList, unitStore.ids)
  return useMemo(() => {
    const units = ids.flatMap((id) => unitStore.get(id) ?? [])
    return units.sort(byName).map(({ uid }) => uid)
  }, [ids])
}

function ChosenUnit({ uid }: { uid: string }) {
  const unit = useItem(unitStore, uid)
  const mayTransmit = useMay('transmit')
  if (!unit) return null
  return (
    <section className={styles.easyLiveUnit} aria-label={unit.name} data-stale={unit.stale || undefined}>
      <UnitPicture unit={unit} />
      <div className={styles.easyLiveHead}>
        <h2 className="clip">{unit.name}</h2>
        <UnitState unit={unit} />
        <CommandState command={unit.command} />
      </div>
      <div className={styles.easyLiveStart}>
        <StartButton unit={unit} mayOperate={mayTransmit} big />
        <StartReason unit={unit} mayOperate={mayTransmit} />
        <Transmission unit={unit} />
      </div>
      <div className={styles.easyLiveChoices}>
        <ChannelPicker unit={unit} mayOperate={mayTransmit} />
        <DelayPicker unit={unit} mayOperate={mayTransmit} />
        <GoLive unit={unit} mayTransmit={mayTransmit} />
      </div>
    </section>
  )
}

function UnitState({ unit }: { unit: LiveUnit }) {
  return (
    <span className={styles.easyLiveState}>
      <UnitStatus unit={unit} />
      <TallyLamp tally={unit.tally} />
    </span>
  )
}

function UnitChoice(props: { uid: string; chosen: boolean; onChoose: (uid: string) => void }) {
  const { t } = useTranslation('units')
  const unit = useItem(unitStore, props.uid)
  if (!unit) return null
  return (
    <button
      type="button"
      className={styles.easyLiveChoice}
      aria-current={props.chosen || undefined}
      data-stale={unit.stale || undefined}
      onClick={() => props.onChoose(unit.uid)}
    >
      <span className="clip">{unit.name}</span>
      <UnitState unit={unit} />
      <span className="quiet clip">{channelName(unit) || t('channel.none')}</span>
    </button>
  )
}
