// The carrier of a modem: scan for networks, selection by hand and automatically (CONF-007).
import { unitNetworks } from '@backhaul/contract/api/unit-networks'
import { type ModemConfiguration, scanRefusal } from '@backhaul/contract/nouns/unit-networks'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { Age } from '../../ui/Age.tsx'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { ActButton } from './ActButton.tsx'
import styles from './unit-networks.module.css'
import { type NetworksProps, useClosedNetworks } from './unit-networks.ts'

export function CarrierPart({ unit, modem, onChanged }: NetworksProps & { modem: ModemConfiguration }) {
  const { t } = useTranslation('unitNetworks')
  const closed = useClosedNetworks(unit)
  const act = useAct()
  const { port, selection } = modem
  const params = { id: unit.uid }
  const scan = unit.cellularNetworks.find((one) => one.port === port)
  const refusal = scanRefusal(modem, unit.modems)
  const request = (send: () => Promise<unknown>) =>
    void act.run(async () => {
      await send()
      await onChanged()
      return undefined
    })
  const noSelection = selection === null ? reasonText('modem.noSelection') : undefined
  const chosen = scan?.networks.find(({ code }) => code === selection?.network)?.name ?? selection?.network
  return (
    <fieldset className={styles.networkPart}>
      <legend>{t('carrier.title')}</legend>
      {selection ? (
        <p data-selection={selection.mode}>
          {selection.mode === 'automatic' ? t('carrier.automatic') : t('carrier.manual', { network: chosen })}
        </p>
      ) : null}
      <div className={styles.networkActs}>
        <ActButton
          label={t('carrier.scan')}
          closed={closed ?? (refusal && reasonText(refusal))}
          busy={act.busy}
          onPress={() => request(() => call(unitNetworks.scanNetworks, { params, body: { port } }))}
        />
        <ActButton
          label={t('carrier.selectAutomatically')}
          closed={
            closed ?? noSelection ?? (selection?.mode === 'automatic' ? t('carrier.automatic') : undefined)
          }
          busy={act.busy}
          onPress={() => request(() => call(unitNetworks.selectAutomatically, { params, body: { port } }))}
        />
        {scan ? (
          <span className="quiet">
            {t('scanned')} <Age atMs={scan.scannedAt} />
          </span>
        ) : null}
      </div>
      {act.words ? <p className="text-critical">{act.words}</p> : null}
      {scan?.networks.length === 0 ? <p className="quiet">{t('carrier.nothing')}</p> : null}
      {scan && scan.networks.length > 0 ? (
        <StaticTable className={styles.networkList} label={t('carrier.networks')}>
          {scan.networks.map(({ code, name, technology, state }) => (
            <tr key={code}>
              <th scope="row">
                {name} <span className="quiet mono">{code}</span>
              </th>
              <td className="quiet">{technology}</td>
              <td className="quiet">{t(`carrier.states.${state}`)}</td>
              <td>
                <ActButton
                  label={t('carrier.select')}
                  closed={
                    closed ?? noSelection ?? (selection?.network === code ? t('carrier.chosen') : undefined)
                  }
                  busy={act.busy}
                  onPress={() =>
                    request(() => call(unitNetworks.selectNetwork, { params, body: { port, network: code } }))
                  }
                />
              </td>
            </tr>
          ))}
        </StaticTable>
      ) : null}
    </fieldset>
  )
}
