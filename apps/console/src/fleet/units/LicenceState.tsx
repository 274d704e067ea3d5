import { type UnitLicence, unitLicences } from '@backhaul/contract/nouns/gates'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/Facts.tsx'
import { useSecond } from '../../ui/seconds.ts'
import { useValue } from '../../ui/value.ts'
import { type KnownUnit, knownUnits } from './units.ts'
import { listFault, unitsState } from './units-live.ts'

/** Licences of the units of the group, one by one, and the units whose video licence has expired. */
export function LicenceState() {
  const { t } = useTranslation('licences')
  const { t: ofUnits } = useTranslation('units')
  const loading = useValue(unitsState)
  useSecond()
  const units = knownUnits()
  if (units.length === 0) {
    if (loading.state === 'error') return <p>{listFault(loading)}</p>
    return <p className="quiet">{ofUnits(loading.state === 'loading' ? 'page.loading' : 'easyLive.empty')}</p>
  }
  const ended = units.filter(({ license }) => license?.valid === false)
  return (
    <>
      <Facts
        facts={unitLicences.map((licence) => [
          t(`label.${licence}`),
          t('count', { count: countOf(units, licence), total: units.length }),
        ])}
      />
      {ended.length > 0 ? (
        <p className="text-critical">{t('ended', { names: ended.map(({ name }) => name).join(', ') })}</p>
      ) : null}
    </>
  )
}

const countOf = (units: readonly KnownUnit[], licence: UnitLicence): number =>
  units.filter(({ services }) => services.includes(licence)).length
