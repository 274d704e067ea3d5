// /unit/:uid: one unit with its picture, its controls, its links and what happened to it.
import { multiCameraRefusal } from '@backhaul/contract/nouns/multi-camera'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { Tabs } from '@mantine/core'
import { IconFileText, IconGauge, IconHeadset, IconRobot } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DevicePageEmpty, DevicePageHead } from '../../kit/DevicePage.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { useValue } from '../../ui/value.ts'
import { askForAccess } from '../access-approvals/access-approvals.ts'
import { askForAi } from '../ai-sessions/ai-sessions.ts'
import { CamerasTab } from '../cameras/CamerasTab.tsx'
import { CdnStreams } from '../cdn-streams/CdnStreams.tsx'
import { DatabridgeTab } from '../databridge/DatabridgeTab.tsx'
import { askForLogs } from '../device-logs/device-logs.ts'
import { IntercomTab } from '../intercom/IntercomTab.tsx'
import { useIntercomRefusal } from '../intercom/intercom.ts'
import { XtendTab } from '../link-extenders/XtendTab.tsx'
import { DestinationPicker } from '../p2p/DestinationPicker.tsx'
import { TallyLamp } from '../previews/TallyLamp.tsx'
import { VideoReturnTab } from '../video-return/VideoReturnTab.tsx'
import { askToTest } from './asked.ts'
import { CommandState } from './CommandState.tsx'
import { GatewayPicker } from './GatewayPicker.tsx'
import { LinkGraph } from './LinkGraph.tsx'
import { StartButton } from './StartButton.tsx'
import { UnitEvents } from './UnitEvents.tsx'
import { UnitFields } from './UnitFields.tsx'
import { ConfigureButton, RenameButton, UnitStatus } from './UnitHead.tsx'
import { Alerts, Choices, Figures, Links, Transients, Transmission, UnitFacts } from './UnitParts.tsx'
import { UnitPicture } from './UnitPicture.tsx'
import styles from './unit-page.module.css'
import { logsRefusal } from './unit-presentation.ts'
import { selectUnit } from './units.ts'
import { type LiveUnit, listFault, unitStore, unitsState } from './units-live.ts'
import { useUnitKeys } from './use-unit-keys.ts'

export function UnitPage() {
  const { t } = useTranslation('units')
  const { uid = '' } = useParams({ strict: false }) as { uid?: string }
  const unit = useItem(unitStore, uid)
  const loading = useValue(unitsState)
  const isKnown = unit !== undefined
  useEffect(() => {
    if (isKnown) selectUnit(uid)
  }, [uid, isKnown])
  if (unit) return <UnitScreen key={uid} unit={unit} />
  if (loading.state === 'loading') return <DevicePageEmpty text={t('page.loading')} isLoading />
  const text = loading.state === 'error' ? listFault(loading) : t('inspector.gone')
  return <DevicePageEmpty text={text} isLoading={false} />
}

function UnitScreen({ unit }: { unit: LiveUnit }) {
  const mayOperate = useMay('operateUnits')
  const mayAdminister = useMay('administerDevices')
  const [allFields, setAllFields] = useState(false)
  const [tab, setTab] = useState<UnitTab>('overview')
  useUnitKeys(
    () => unit,
    () => {
      setAllFields(false)
      setTab('overview')
    },
  )
  // Parts that a licence or the unit itself closes remain in sight and show why (GAP-CONF-15).
  const camerasClosed = multiCameraRefusal(unit)
  const closed: ClosedTabs = {
    cameras: camerasClosed && reasonText(camerasClosed),
    intercom: useIntercomRefusal(unit),
    databridge: unit.capabilities.databridge ? undefined : reasonText('databridge.notBuiltIn'),
    xtend: unit.capabilities.xtend ? undefined : reasonText('linkExtender.notBuiltIn'),
  }
  return (
    <article className={styles.unitPage} data-stale={unit.stale || undefined}>
      <PageHead unit={unit} mayOperate={mayOperate} allFields={allFields} onAllFields={setAllFields} />
      {allFields ? null : <UnitTabs closed={closed} tab={tab} onTab={setTab} />}
      {allFields ? (
        <UnitFields unit={unit} />
      ) : tab === 'videoReturn' ? (
        <VideoReturnTab unit={unit} mayOperate={mayOperate} />
      ) : tab === 'databridge' && closed.databridge === undefined ? (
        <DatabridgeTab unit={unit} mayOperate={mayOperate} />
      ) : tab === 'xtend' && closed.xtend === undefined ? (
        <XtendTab unit={unit} mayOperate={mayOperate} mayAdminister={mayAdminister} />
      ) : tab === 'cameras' && closed.cameras === undefined ? (
        <CamerasTab unit={unit} mayOperate={mayOperate} />
      ) : tab === 'intercom' && closed.intercom === undefined ? (
        <IntercomTab unit={unit} mayOperate={mayOperate} mayAdminister={mayAdminister} />
      ) : (
        <div className={styles.unitPageBody}>
          <div className={styles.unitPagePicture}>
            <UnitPicture unit={unit} withActs />
            <Transmission unit={unit} />
          </div>
          <div className={styles.unitPageSide}>
            <Transients unit={unit} />
            <Figures unit={unit} />
            <Choices unit={unit} mayOperate={mayOperate}>
              {mayAdminister ? <GatewayPicker unit={unit} /> : null}
              {mayAdminister ? <DestinationPicker unit={unit} /> : null}
            </Choices>
            <CdnStreams unit={unit} mayTransmit={mayOperate} />
            <Alerts unit={unit} />
            <Links unit={unit} layout="page" />
            <UnitFacts unit={unit} mayOperate={mayOperate} />
          </div>
          <LinkGraph unit={unit} />
          <UnitEvents unit={unit} />
        </div>
      )}
    </article>
  )
}

const unitTabs = ['overview', 'cameras', 'intercom', 'databridge', 'videoReturn', 'xtend'] as const
type UnitTab = (typeof unitTabs)[number]
/** Why a part is closed. */
type ClosedTabs = Readonly<Partial<Record<UnitTab, string | undefined>>>

interface UnitTabsProps {
  closed: ClosedTabs
  tab: UnitTab
  onTab: (tab: UnitTab) => void
}

/** The parts of the page (SC-UTAB rows). */
function UnitTabs({ closed, tab, onTab }: UnitTabsProps) {
  const { t } = useTranslation('units')
  return (
    <Tabs
      value={closed[tab] === undefined ? tab : 'overview'}
      onChange={(next) => {
        const chosen = unitTabs.find((one) => one === next) ?? 'overview'
        if (closed[chosen] === undefined) onTab(chosen)
      }}
    >
      <Tabs.List aria-label={t('tabs.label')}>
        {unitTabs.map((one) => {
          const reason = closed[one]
          return (
            <Tabs.Tab
              key={one}
              value={one}
              aria-disabled={reason !== undefined || undefined}
              data-tip={reason}
            >
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          )
        })}
      </Tabs.List>
    </Tabs>
  )
}

interface HeadButtonProps {
  label: string
  /** Why it cannot be pressed now. */
  refusal?: string | undefined
  onPress: () => void
  children: ReactNode
}

function HeadButton({ label, refusal, onPress, children }: HeadButtonProps) {
  return (
    <button
      type="button"
      className="plain-button icon-button"
      aria-label={label}
      aria-disabled={refusal !== undefined}
      data-tip={refusal ?? label}
      onClick={() => refusal === undefined && onPress()}
    >
      {children}
    </button>
  )
}

interface PageHeadProps {
  unit: LiveUnit
  mayOperate: boolean
  allFields: boolean
  onAllFields: (allFields: boolean) => void
}

function PageHead({ unit, mayOperate, allFields, onAllFields }: PageHeadProps) {
  const { t } = useTranslation('units')
  const mayGrant = useMay('grantSupportAccess')
  const mayUseAi = useMay('useAi')
  const refusal = logsRefusal(unit)
  return (
    <DevicePageHead name={unit.name}>
      <RenameButton unit={unit} />
      <span className={styles.unitPageStatus} data-part="unit-status">
        <UnitStatus unit={unit} />
      </span>
      <TallyLamp tally={unit.tally} />
      <span className="quiet clip">{shortProductName(unit.type)}</span>
      <span className={styles.unitPageAct}>
        <CommandState command={unit.command} />
        <ConfigureButton unit={unit} />
        {mayOperate ? (
          <HeadButton label={t('menu.logs')} refusal={refusal} onPress={() => askForLogs(unit)}>
            <IconFileText size={16} />
          </HeadButton>
        ) : null}
        {mayUseAi ? (
          <HeadButton label={t('menu.ai')} onPress={() => askForAi(unit)}>
            <IconRobot size={16} />
          </HeadButton>
        ) : null}
        {mayOperate ? (
          <HeadButton label={t('menu.speedTest')} onPress={() => askToTest(unit.uid)}>
            <IconGauge size={16} />
          </HeadButton>
        ) : null}
        {mayGrant ? (
          <HeadButton label={t('menu.access')} onPress={() => askForAccess(unit)}>
            <IconHeadset size={16} />
          </HeadButton>
        ) : null}
        <button
          type="button"
          className="plain-button"
          aria-pressed={allFields}
          onClick={() => onAllFields(!allFields)}
        >
          {t('fields.title')}
        </button>
        <StartButton unit={unit} mayOperate={mayOperate} big />
      </span>
    </DevicePageHead>
  )
}
