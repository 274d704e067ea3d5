// A modem of a unit: its SIMs, its carrier, how it joins the carrier's network, and what of its use is watched (EN-MODEM rows).
import { unitNetworks } from '@backhaul/contract/api/unit-networks'
import type { ModemConfiguration } from '@backhaul/contract/nouns/unit-networks'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { Facts } from '../../ui/Facts.tsx'
import { CarrierPart } from './CarrierPart.tsx'
import { ModemForm } from './ModemForm.tsx'
import { SimPart } from './SimPart.tsx'
import styles from './unit-networks.module.css'
import { isUnderWay, linksOf, type NetworksProps } from './unit-networks.ts'

/** While something is requested of the modem, its state is read again this often. */
const followEveryMs = 1500

export const modemLinks = (unit: Unit) => linksOf(unit).filter(({ kind }) => kind === 'modem')

export function ModemPart({ unit, onChanged }: NetworksProps) {
  const { t } = useTranslation('unitNetworks')
  const modems = modemLinks(unit)
  const [chosen, setChosen] = useState(modems[0]?.port)
  const port = modems.some((one) => one.port === chosen) ? chosen : modems[0]?.port
  if (port === undefined) return <p className="quiet">{t('modem.none')}</p>
  return (
    <div className={styles.networkPart}>
      <NativeSelect
        label={t('modem.choose')}
        data={modems.map((one) => ({
          value: String(one.port),
          label: [one.id, one.carrier].filter(Boolean).join(' · '),
        }))}
        value={String(port)}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
      <Modem key={port} unit={unit} port={port} onChanged={onChanged} />
    </div>
  )
}

function Modem({ unit, port, onChanged }: NetworksProps & { port: number }) {
  const { t } = useTranslation('unitNetworks')
  const { data, errorText, again } = useRead(
    unitNetworks.modem,
    { params: { id: unit.uid, port } },
    { everyMs: isUnderWay(unit) ? followEveryMs : undefined },
  )
  if (errorText !== undefined) return <p className="quiet">{t('modem.notReported')}</p>
  if (!data) return <p className="quiet">{t('loading')}</p>
  const changed = async () => {
    await onChanged()
    await again()
  }
  return (
    <>
      <ModemFacts modem={data} />
      <SimPart unit={unit} modem={data} onChanged={changed} />
      <CarrierPart unit={unit} modem={data} onChanged={changed} />
      <ModemForm key={formKey(data)} unit={unit} modem={data} onChanged={changed} />
    </>
  )
}

/** The start values of the form, as its key. */
const formKey = ({
  networkMode,
  apn,
  automaticApn,
  username,
  authProtocol,
  hasPassword,
  dialInString,
  ...rest
}: ModemConfiguration) =>
  JSON.stringify([
    networkMode,
    apn,
    automaticApn,
    username,
    authProtocol,
    hasPassword,
    dialInString,
    rest.dataMonitoring,
  ])

function ModemFacts({ modem }: { modem: ModemConfiguration }) {
  const { t } = useTranslation('unitNetworks')
  const { vendor, type, imei, simA, simB, signalStrength, cellId, locationAreaCode } = modem
  const sim = (facts: ModemConfiguration['simA']) =>
    facts && [facts.iccid, facts.eid && `EID ${facts.eid}`].filter(Boolean).join(' · ')
  return (
    <Facts
      facts={[
        [t('modem.model'), [vendor, type].filter(Boolean).join(' ') || null],
        ['IMEI', imei],
        ['SIM A', sim(simA)],
        ['SIM B', sim(simB)],
        [
          t('modem.signal'),
          signalStrength === null ? null : `${Math.round(signalStrength)} dBm`.replace('-', '−'),
        ],
        [t('modem.cell'), [cellId, locationAreaCode].filter(Boolean).join(' / ') || null],
      ]}
    />
  )
}
