// Settings of a modem for its carrier's network, and the monitoring of its use.
import { unitNetworks } from '@backhaul/contract/api/unit-networks'
import {
  authProtocols,
  dataMonitoringModes,
  ModemChanges,
  type ModemConfiguration,
  networkModes,
} from '@backhaul/contract/nouns/unit-networks'
import { resetDays } from '@backhaul/contract/nouns/usage-profiles'
import { NativeSelect, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { ActButton } from './ActButton.tsx'
import styles from './unit-networks.module.css'
import { type NetworksProps, useClosedNetworks } from './unit-networks.ts'

type Fields = Required<Pick<ModemChanges, 'password' | 'dataMonitoring'>> &
  Pick<ModemChanges, 'networkMode' | 'automaticApn' | 'apn' | 'username' | 'authProtocol' | 'dialInString'>

function startOf(modem: ModemConfiguration): Fields {
  const { networkMode, automaticApn, apn, username, authProtocol, dialInString, dataMonitoring } = modem
  return {
    automaticApn,
    apn,
    username,
    authProtocol,
    dataMonitoring,
    password: '',
    ...(networkMode !== null && { networkMode }),
    ...(dialInString !== undefined && { dialInString }),
  }
}

/** With an empty password the modem keeps its own. */
const changesOf = (start: Fields, { password, ...now }: Fields): ModemChanges => ({
  ...changedFields(start, now),
  ...(password !== '' && { password }),
})

export function ModemForm({ unit, modem, onChanged }: NetworksProps & { modem: ModemConfiguration }) {
  const { t } = useTranslation('unitNetworks')
  const closed = useClosedNetworks(unit)
  const start = startOf(modem)
  const record = useRecordForm<Fields, ModemChanges>({
    start: () => start,
    schema: ModemChanges,
    requestOf: (now) => changesOf(start, now),
    async save(body) {
      await call(unitNetworks.setModem, { params: { id: unit.uid, port: modem.port }, body })
      await onChanged()
      return undefined
    },
  })
  const isSame = Object.keys(changesOf(start, record.values)).length === 0
  return (
    <fieldset className={styles.networkPart}>
      <legend>{t('access.title')}</legend>
      <Access modem={modem} closed={closed} form={record} />
      <Monitoring modem={modem} closed={closed} form={record} />
      {record.unplaced ? <p className="text-critical">{record.unplaced}</p> : null}
      <div className={styles.networkActs}>
        <ActButton
          label={t('access.apply')}
          closed={closed ?? (isSame ? t('access.unchanged') : undefined)}
          busy={record.busy}
          onPress={() => void record.save()}
        />
        <span className="quiet">{t('access.fallsBack')}</span>
      </div>
    </fieldset>
  )
}

interface PartProps {
  modem: ModemConfiguration
  closed: string | undefined
  form: FieldsOf<Fields>
}

function Access({ modem, closed, form: { values, set, faults } }: PartProps) {
  const { t } = useTranslation('unitNetworks')
  const access = disabledBecause(
    closed ?? (modem.hasAccess ? undefined : reasonText('unitSetting.unsupported')),
  )
  const modes = modem.networkModes
  const hasModes = modes.length > 0
  return (
    <div className={styles.networkFields}>
      <NativeSelect
        label={t('access.networkMode')}
        error={faults.networkMode}
        {...disabledBecause(closed ?? (hasModes ? undefined : reasonText('unitSetting.unsupported')))}
        data={[
          ...(values.networkMode === undefined ? [{ value: '', label: '—' }] : []),
          ...networkModes.filter((mode) => modes.includes(mode)).map((value) => ({ value, label: value })),
        ]}
        value={values.networkMode ?? ''}
        onChange={({ currentTarget }) => {
          const networkMode = modes.find((one) => one === currentTarget.value)
          if (networkMode) set({ networkMode })
        }}
      />
      <Switch
        label={t('access.automaticApn')}
        {...access}
        checked={values.automaticApn}
        onChange={({ currentTarget }) => set({ automaticApn: currentTarget.checked })}
      />
      <TextInput
        label={t('access.apn')}
        error={faults.apn}
        {...access}
        readOnly={values.automaticApn ?? false}
        value={values.apn}
        onChange={({ currentTarget }) => set({ apn: currentTarget.value })}
      />
      <TextInput
        label={t('access.username')}
        error={faults.username}
        autoComplete="off"
        {...access}
        value={values.username}
        onChange={({ currentTarget }) => set({ username: currentTarget.value })}
      />
      <PasswordInput
        label={t('password')}
        placeholder={modem.hasPassword ? t('access.hasPassword') : ''}
        error={faults.password}
        autoComplete="new-password"
        {...access}
        value={values.password}
        onChange={({ currentTarget }) => set({ password: currentTarget.value })}
      />
      <NativeSelect
        label={t('access.authProtocol')}
        error={faults.authProtocol}
        {...access}
        data={authProtocols.map((value) => ({ value, label: t(`access.protocols.${value}`) }))}
        value={values.authProtocol}
        onChange={({ currentTarget }) => {
          const authProtocol = authProtocols.find((one) => one === currentTarget.value)
          if (authProtocol) set({ authProtocol })
        }}
      />
      {modem.dialInString === undefined ? null : (
        <TextInput
          label={t('access.dialInString')}
          error={faults.dialInString}
          {...access}
          value={values.dialInString ?? ''}
          onChange={({ currentTarget }) => set({ dialInString: currentTarget.value })}
        />
      )}
    </div>
  )
}

const modeKeys = { none: 'none', 'per hours': 'hours', 'per data': 'data' } as const
const suffixes = { none: '', 'per hours': ' h', 'per data': ' MB' } as const

function Monitoring({ modem, closed, form: { values, set, faults } }: PartProps) {
  const { t } = useTranslation('unitNetworks')
  const now = values.dataMonitoring
  const { dataUse } = modem
  const suffix = suffixes[modem.dataMonitoring.mode]
  const change = (changes: Partial<typeof now>) => set({ dataMonitoring: { ...now, ...changes } })
  return (
    <>
      <div className={styles.networkFields}>
        <NativeSelect
          label={t('monitoring.mode')}
          {...disabledBecause(closed)}
          data={dataMonitoringModes.map((value) => ({
            value,
            label: t(`monitoring.modes.${modeKeys[value]}`),
          }))}
          value={now.mode}
          onChange={({ currentTarget }) => {
            const mode = dataMonitoringModes.find((one) => one === currentTarget.value)
            if (mode) change({ mode })
          }}
        />
        {now.mode === 'none' ? null : (
          <>
            <NumberInput
              label={t('monitoring.limit')}
              error={faults['dataMonitoring.limit']}
              {...disabledBecause(closed)}
              suffix={suffixes[now.mode]}
              min={0}
              allowDecimal={false}
              clampBehavior="none"
              value={now.limit}
              onChange={(limit) => change({ limit: Number(limit) })}
            />
            <NumberInput
              label={t('monitoring.resetDay')}
              error={faults['dataMonitoring.resetDay']}
              {...disabledBecause(closed)}
              min={resetDays.first}
              max={resetDays.last}
              allowDecimal={false}
              clampBehavior="none"
              value={now.resetDay}
              onChange={(resetDay) => change({ resetDay: Number(resetDay) })}
            />
          </>
        )}
      </div>
      {dataUse ? (
        <p className={dataUse.overLimit ? 'text-critical' : 'quiet'} data-over={dataUse.overLimit}>
          {t(dataUse.overLimit ? 'monitoring.over' : 'monitoring.used', {
            used: `${dataUse.used}${suffix}`,
            limit: `${modem.dataMonitoring.limit}${suffix}`,
          })}
        </p>
      ) : null}
    </>
  )
}
