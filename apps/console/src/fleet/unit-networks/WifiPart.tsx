// The Wi-Fi of a unit: the networks around it, and joining and leaving one (EN-WIFI rows).
import { unitNetworks } from '@backhaul/contract/api/unit-networks'
import {
  isJoinable,
  joinableSecurities,
  linksLeft,
  WifiJoin,
  type WifiNetwork,
  type WifiStatus,
} from '@backhaul/contract/nouns/unit-networks'
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { Age } from '../../ui/Age.tsx'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { ActButton } from './ActButton.tsx'
import styles from './unit-networks.module.css'
import { type NetworksProps, nameAt, useClosedNetworks } from './unit-networks.ts'

export function WifiPart(props: NetworksProps) {
  return props.unit.wifi.map((wifi) => <Wifi key={wifi.port} {...props} wifi={wifi} />)
}

interface WifiProps extends NetworksProps {
  wifi: WifiStatus
}

function Wifi({ unit, wifi, onChanged }: WifiProps) {
  const { t } = useTranslation('unitNetworks')
  const [chosen, setChosen] = useState<WifiNetwork | 'hidden'>()
  const [isLeaving, setIsLeaving] = useState(false)
  const closed = useClosedNetworks(unit)
  const act = useAct()
  const { port, ssid, security, networks, scannedAt } = wifi
  const params = { id: unit.uid }
  const scan = () =>
    void act.run(async () => {
      await call(unitNetworks.queryWifi, { params, body: { port, forceScanNow: true } })
      await onChanged()
      return undefined
    })
  return (
    <fieldset className={styles.networkPart}>
      <legend>{nameAt(unit, port)}</legend>
      <p data-wifi-ssid={ssid ?? ''}>
        {ssid === null ? t('wifi.none') : t('wifi.connected', { ssid })}
        {security ? <span className="quiet"> {t(`security.${security}`)}</span> : null}
      </p>
      <div className={styles.networkActs}>
        <ActButton label={t('wifi.scan')} closed={closed} busy={act.busy} onPress={scan} />
        <ActButton label={t('wifi.hidden')} closed={closed} onPress={() => setChosen('hidden')} />
        <ActButton
          label={t('wifi.disconnect')}
          closed={closed ?? (ssid === null ? t('wifi.none') : undefined)}
          onPress={() => setIsLeaving(true)}
        />
        {scannedAt === null ? null : (
          <span className="quiet">
            {t('scanned')} <Age atMs={scannedAt} />
          </span>
        )}
      </div>
      {act.words ? <p className="text-critical">{act.words}</p> : null}
      {chosen ? (
        <JoinForm
          key={chosen === 'hidden' ? '' : `${chosen.ssid} ${chosen.security}`}
          unit={unit}
          port={port}
          network={chosen === 'hidden' ? undefined : chosen}
          onClose={() => setChosen(undefined)}
          onChanged={onChanged}
        />
      ) : null}
      {scannedAt === null ? null : (
        <Networks networks={networks} wifi={wifi} closed={closed} onChoose={setChosen} />
      )}
      {isLeaving ? (
        <Leaving unit={unit} wifi={wifi} onChanged={onChanged} onClose={() => setIsLeaving(false)} />
      ) : null}
    </fieldset>
  )
}

interface NetworkListProps {
  networks: readonly WifiNetwork[]
  wifi: WifiStatus
  closed: string | undefined
  onChoose: (network: WifiNetwork) => void
}

function Networks({ networks, wifi, closed, onChoose }: NetworkListProps) {
  const { t } = useTranslation('unitNetworks')
  if (networks.length === 0) return <p className="quiet">{t('wifi.nothing')}</p>
  return (
    <StaticTable className={styles.networkList} label={t('wifi.networks')}>
      {networks.map((network) => {
        const { ssid, security, signalPercent } = network
        const isThis = wifi.ssid === ssid && wifi.security === security
        const reason = isJoinable(security) ? closed : t('wifi.notJoinable')
        return (
          <tr key={`${ssid} ${security}`}>
            <th scope="row">{ssid}</th>
            <td className="quiet">{t(`security.${security}`)}</td>
            <td className="figure">{`${signalPercent} %`}</td>
            <td>
              {isThis ? (
                <span className="quiet">{t('wifi.inUse')}</span>
              ) : (
                <ActButton label={t('wifi.connect')} closed={reason} onPress={() => onChoose(network)} />
              )}
            </td>
          </tr>
        )
      })}
    </StaticTable>
  )
}

interface JoinFormProps extends NetworksProps {
  port: number
  /** Undefined: one that does not announce its name. */
  network: WifiNetwork | undefined
  onClose: () => void
}

interface JoinFields {
  ssid: string
  security: WifiJoin['security']
  password: string
}

function JoinForm({ unit, port, network, onClose, onChanged }: JoinFormProps) {
  const { t } = useTranslation('unitNetworks')
  const record = useRecordForm<JoinFields, WifiJoin>({
    start: () => ({
      ssid: network?.ssid ?? '',
      security: network && isJoinable(network.security) ? network.security : 'wpa',
      password: '',
    }),
    schema: WifiJoin,
    requestOf: ({ ssid, security, password }) => ({
      port,
      ssid,
      security,
      isHidden: network === undefined,
      ...(security !== 'open' && password !== '' && { password }),
    }),
    async save(body) {
      await call(unitNetworks.connectWifi, { params: { id: unit.uid }, body })
      await onChanged()
      onClose()
      return undefined
    },
  })
  const { ssid, security, password } = record.values
  return (
    <div className={styles.networkPart} data-join={ssid}>
      <div className={styles.networkFields}>
        <TextInput
          label={t('wifi.ssid')}
          readOnly={network !== undefined}
          error={record.faults.ssid}
          value={ssid}
          onChange={({ currentTarget }) => record.set({ ssid: currentTarget.value })}
        />
        <NativeSelect
          label={t('wifi.security')}
          disabled={network !== undefined}
          error={record.faults.security}
          data={joinableSecurities.map((value) => ({ value, label: t(`security.${value}`) }))}
          value={security}
          onChange={({ currentTarget }) => {
            const next = joinableSecurities.find((one) => one === currentTarget.value)
            if (next) record.set({ security: next })
          }}
        />
        {security === 'open' ? null : (
          <PasswordInput
            label={t('password')}
            description={network?.isKnown ? t('wifi.known') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            error={record.faults.password}
            value={password}
            onChange={({ currentTarget }) => record.set({ password: currentTarget.value })}
          />
        )}
      </div>
      <p className="quiet">{t('wifi.fallsBack')}</p>
      {record.unplaced ? <p className="text-critical">{record.unplaced}</p> : null}
      <div className={styles.networkActs}>
        <ActButton
          label={t('wifi.connectTo', { ssid: ssid || '…' })}
          closed={undefined}
          busy={record.busy}
          onPress={() => void record.save()}
        />
        <ActButton label={t('cancel')} closed={undefined} onPress={onClose} />
      </div>
    </div>
  )
}

function Leaving({ unit, wifi, onChanged, onClose }: WifiProps & { onClose: () => void }) {
  const { t } = useTranslation('unitNetworks')
  const { name } = unit
  const left = linksLeft(unit.modems, [wifi.port])
  return (
    <ConfirmDialog
      title={t('wifi.leave', { ssid: wifi.ssid })}
      text={left === undefined ? t('wifi.leaveText') : t(`left.${left}`, { name })}
      okLabel={t('wifi.disconnect')}
      run={async () => {
        await call(unitNetworks.disconnectWifi, { params: { id: unit.uid }, body: { port: wifi.port } })
        await onChanged()
        return undefined
      }}
      done={{ title: t('requested'), text: name }}
      onClose={onClose}
    />
  )
}
