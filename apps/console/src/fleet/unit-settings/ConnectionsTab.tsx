// Networks that the unit joins: by Wi-Fi, Ethernet and modems, as far as it has them (SC-CTAB-01 to -03).
import type { Unit } from '@backhaul/contract/nouns/units'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModemPart, modemLinks } from '../unit-networks/ModemPart.tsx'
import { RequestState } from '../unit-networks/RequestState.tsx'
import { WifiPart } from '../unit-networks/WifiPart.tsx'
import { EthernetTab } from './EthernetTab.tsx'
import type { SettingForm } from './setting-fields.tsx'

interface ConnectionsTabProps {
  form: SettingForm
  unit: Unit
  /** Links of the unit by port. */
  links: ReadonlyMap<string, string>
  /** The unit is read again. */
  onChanged: () => Promise<unknown>
}

type Kind = 'wifi' | 'ethernet' | 'modem'

export function connectionKinds(form: SettingForm, unit: Unit): Kind[] {
  return [
    ...(unit.wifi.length > 0 ? (['wifi'] as const) : []),
    ...(form.settings.ethernet ? (['ethernet'] as const) : []),
    ...(modemLinks(unit).length > 0 ? (['modem'] as const) : []),
  ]
}

export function ConnectionsTab({ form, unit, links, onChanged }: ConnectionsTabProps) {
  const { t } = useTranslation('unitNetworks')
  const kinds = connectionKinds(form, unit)
  const [chosen, setChosen] = useState<Kind>()
  const kind = kinds.find((one) => one === chosen) ?? kinds[0]
  return (
    <>
      {kinds.length > 1 ? (
        // As high as its words, however little room the tab has.
        <div>
          <SegmentedControl
            aria-label={t('kinds.label')}
            data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            value={kind ?? ''}
            onChange={(value) => setChosen(kinds.find((one) => one === value))}
          />
        </div>
      ) : null}
      <p className="quiet">{t('durations')}</p>
      <RequestState unit={unit} />
      {kind === 'wifi' ? <WifiPart unit={unit} onChanged={onChanged} /> : null}
      {kind === 'ethernet' ? <EthernetTab form={form} links={links} /> : null}
      {kind === 'modem' ? <ModemPart unit={unit} onChanged={onChanged} /> : null}
    </>
  )
}
