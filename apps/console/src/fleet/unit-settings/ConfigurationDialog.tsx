// The configuration of a unit in tabs: filled from the unit, changed here, saved together by Apply or OK.

import { requireValid } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { gate } from '@backhaul/contract/nouns/gates'
import type { IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import type { SettingName, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Alert, Button, Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { useGroups } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { IpPipeTab } from '../ip-pipe/IpPipeTab.tsx'
import { setIpPipe } from '../ip-pipe/ip-pipe.ts'
import { AdvancedTab } from './AdvancedTab.tsx'
import { ConnectionsTab, connectionKinds } from './ConnectionsTab.tsx'
import { defaultsFor, keepDefaults } from './checked-settings.ts'
import { IpInputTab } from './IpInputTab.tsx'
import { MetadataTab } from './MetadataTab.tsx'
import { NetworkTab } from './NetworkTab.tsx'
import type { SettingForm } from './setting-fields.tsx'
import { UnitAlertsTab } from './UnitAlertsTab.tsx'
import styles from './unit-settings.module.css'
import {
  askedConfiguration,
  changesOf,
  configure,
  type ReadConfiguration,
  saveAlerts,
  useConfiguration,
} from './unit-settings.ts'
import { VideoAudioTab } from './VideoAudioTab.tsx'

export function ConfigurationDialog() {
  const { t } = useTranslation('unitSettings')
  const asked = useValue(askedConfiguration)
  const close = () => askedConfiguration.set(null)
  return (
    <Dialog opened={asked !== null} onClose={close} title={t('title', { name: asked?.name })} size={760}>
      {asked ? <Loaded key={asked.uid} uid={asked.uid} onClose={close} /> : null}
    </Dialog>
  )
}

function Loaded({ uid, onClose }: { uid: string; onClose: () => void }) {
  const { t } = useTranslation('unitSettings')
  const { data, errorText, again } = useConfiguration(uid)
  if (errorText !== undefined) return <Alert color="red">{errorText}</Alert>
  if (!data) return <p className="quiet">{t('loading')}</p>
  return <Configuration {...data} onSaved={again} onClose={onClose} />
}

interface ConfigurationProps extends ReadConfiguration {
  onSaved: () => Promise<unknown>
  onClose: () => void
}

/** Changed values: settings of the unit, its IP pipe, and its alerts, which core alone keeps. */
type Touched = UnitSettings & { alerts?: AlertsConfiguration; ipPipe?: IpPipeSettings }

function Configuration({ unit, configuration, alerts, onSaved, onClose }: ConfigurationProps) {
  const { t } = useTranslation('unitSettings')
  const mayWrite = useMay('operateUnits')
  const group = useGroups().current
  const before = configuration.settings
  const isLost = useLost(unit, configuration.unconfirmed)
  const [sent, setSent] = useState<UnitSettings>({})
  const shown = isLost ? { ...before, ...sent } : before
  const record = useRecordForm({
    start: (): Touched => ({}),
    requestOf: ({ alerts, ipPipe, ...touched }): Touched => ({
      ...changesOf({ ...shown, ...touched }, before, isLost ? configuration.unconfirmed : []),
      ...(alerts && { alerts }),
      ...(ipPipe && { ipPipe }),
    }),
    async save({ alerts, ipPipe, ...changes }: Touched) {
      const isOther = Object.keys(changes).length > 0
      if (!isOther && !alerts && !ipPipe) return undefined
      if (alerts) requireValid(AlertsConfiguration, alerts)
      const fault =
        (isOther ? await configure(unit.uid, changes) : undefined) ??
        (ipPipe && (await setIpPipe(unit.uid, ipPipe)))
      if (fault) return fault
      setSent(changes)
      if (alerts) await saveAlerts(unit.uid, alerts)
      await onSaved()
      record.restart({})
      return undefined
    },
  })
  const { alerts: changedAlerts, ipPipe, ...changed } = record.values
  const settings = { ...shown, ...changed }

  const form: SettingForm = {
    settings,
    set: record.set,
    fault: (field) => record.faults[field],
    whyClosed(name) {
      if (!mayWrite) return reasonText('role.notAllowed')
      const reason = closedSetting(name, unit, before)
      return reason && reasonText(reason)
    },
  }

  async function fill(): Promise<void> {
    const defaults = await (group && defaultsFor(group.uid, before))?.catch(describeFault)
    if (!defaults) return record.refuse({ title: t('noDefaults', { group: group?.name }), fields: {} })
    if ('title' in defaults) return record.refuse(defaults)
    record.refuse(undefined)
    record.set(defaults)
  }

  return (
    <RecordForm
      record={record}
      mayWrite={mayWrite}
      mayApply
      done={(changes) =>
        Object.keys(changes).length === 0 ? undefined : { title: t('saved'), text: unit.name }
      }
      onDefault={() => void fill()}
      onClose={onClose}
    >
      <ConfigurationTabs
        form={form}
        unit={unit}
        configuration={configuration}
        onSaved={onSaved}
        alertsTab={
          alerts && (
            <UnitAlertsTab
              uid={unit.uid}
              configuration={changedAlerts ?? alerts}
              faults={record.faults}
              closed={mayWrite ? undefined : reasonText('role.notAllowed')}
              onConfiguration={(alerts) => record.set({ alerts })}
            />
          )
        }
        ipPipeTab={
          <IpPipeTab
            unit={unit}
            saved={configuration.ipPipe}
            typed={ipPipe}
            onTyped={(typed) => record.set({ ipPipe: typed })}
            fault={(field) => record.faults[`ipPipe.${field}`]}
            mayWrite={mayWrite}
          />
        }
      />
      <Confirmation unit={unit} unconfirmed={configuration.unconfirmed} isLost={isLost} />
      {group ? (
        <KeepDefaults
          group={group}
          settings={before}
          isOther={Object.keys(changesOf(settings, before, [])).length > 0}
        />
      ) : null}
    </RecordForm>
  )
}

function closedSetting(name: SettingName, unit: Unit, known: UnitSettings): PlainCode | undefined {
  if (known[name] === undefined) return 'unitSetting.unsupported'
  if (name === 'ancillaryData') return gate('ancillary', { unit })
  if (name === 'workingMode') return unit.busy ? 'workingMode.whileBusy' : undefined
  const isCapping = name === 'totalCapping' || name === 'cellularCapping'
  return isCapping && unit.busy ? 'capping.whileBusy' : undefined
}

type ConfigurationTabsProps = Omit<ConfigurationProps, 'onClose' | 'alerts'> & {
  form: SettingForm
  /** Empty for a unit that raises none. */
  alertsTab: ReactNode
  ipPipeTab: ReactNode
}

function ConfigurationTabs(props: ConfigurationTabsProps) {
  const { t } = useTranslation('unitSettings')
  const { unit, form, alertsTab, ipPipeTab } = props
  const { ipInput } = form.settings
  const links = new Map([...unit.modems, ...unit.offlineModems].map(({ port, id }) => [String(port), id]))
  const tabs: readonly { id: TabName; content: ReactNode }[] = [
    { id: 'videoAudio', content: <VideoAudioTab form={form} camera={unit.camera} /> },
    ...(connectionKinds(form, unit).length > 0
      ? [
          {
            id: 'connections',
            content: <ConnectionsTab form={form} unit={unit} links={links} onChanged={props.onSaved} />,
          } as const,
        ]
      : []),
    { id: 'network', content: <NetworkTab {...props} links={links} /> },
    { id: 'advanced', content: <AdvancedTab form={form} unit={unit} /> },
    { id: 'ipPipe', content: ipPipeTab },
    ...(alertsTab ? [{ id: 'alerts', content: alertsTab } as const] : []),
    { id: 'metadata', content: <MetadataTab form={form} /> },
    ...(ipInput ? [{ id: 'ipInput', content: <IpInputTab form={form} input={ipInput} /> } as const] : []),
  ]
  return (
    <Tabs defaultValue="videoAudio" keepMounted={false} className={`dialog-tabs ${styles.settingTabs}`}>
      <Tabs.List aria-label={t('tabs.label')}>
        {tabs.map(({ id }) => (
          <Tabs.Tab key={id} value={id}>
            {t(`tabs.${id}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id} className="form-fields">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

type TabName =
  | 'videoAudio'
  | 'connections'
  | 'network'
  | 'advanced'
  | 'ipPipe'
  | 'alerts'
  | 'metadata'
  | 'ipInput'

/**
 * True if the unit has not taken what was sent: refused since the dialog was opened, or not confirmed in time. Core does
 * not want it any more where it was refused; the form keeps it, so that Apply sends it again.
 */
function useLost(unit: Unit, unconfirmed: readonly SettingName[]): boolean {
  const [before] = useState(unit.command?.id)
  const command = unit.command?.name === 'set_configuration' ? unit.command : undefined
  const isRefused = command?.state === 'refused' && command.id !== before
  return isRefused || (command?.state === 'timedOut' && unconfirmed.length > 0)
}

interface ConfirmationProps {
  unit: Unit
  unconfirmed: readonly SettingName[]
  isLost: boolean
}

/** Settings that the unit has not confirmed yet; when it is offline, it applies them later. */
function Confirmation({ unit, unconfirmed, isLost }: ConfirmationProps) {
  const { t } = useTranslation('unitSettings')
  const names = unconfirmed.map((name) => t(`setting.${name}`)).join(', ')
  const waits = unconfirmed.length > 0 ? t(unit.offline ? 'whenBack' : 'waiting', { names }) : ''
  return (
    <p className={styles.settingTruth} role="status" data-unconfirmed={unconfirmed.length}>
      {isLost && !unit.offline ? reasonText('unitSetting.notSent') : waits}
    </p>
  )
}

interface KeepDefaultsProps {
  group: { uid: string; name: string }
  settings: UnitSettings
  /** The form shows other values than the unit has. */
  isOther: boolean
}

/** For administrators: the unit's settings become the values of "Default configuration" for the units of the group. */
function KeepDefaults({ group: { uid, name }, settings, isOther }: KeepDefaultsProps) {
  const { t } = useTranslation('unitSettings')
  const act = useAct()
  if (!useMay('administerPeople')) return null
  const keep = async () => {
    const isKept = await act.run(async () => void (await keepDefaults(uid, settings)))
    if (isKept) toast({ title: t('defaultsKept'), text: name, tone: 'good' })
  }
  return (
    <>
      {act.words ? <Alert color="red">{act.words}</Alert> : null}
      <Button
        variant="subtle"
        color="gray"
        loading={act.busy}
        aria-disabled={isOther}
        data-tip={isOther ? t('applyFirst') : undefined}
        onClick={() => !isOther && void keep()}
      >
        {t('keepDefaults', { group: name })}
      </Button>
    </>
  )
}
