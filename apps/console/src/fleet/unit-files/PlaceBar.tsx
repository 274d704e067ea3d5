// Path of the open folder: the unit, its storage with the free space on it, and the folders above.
import { NativeSelect, Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../ui/locale.ts'
import { type KnownUnit, knownUnits, statusKeyOf, useFleet } from '../units/units.ts'
import styles from './unit-files.module.css'
import { waysTo } from './unit-files.ts'

interface PlaceBarProps {
  unit: KnownUnit | undefined
  /** Path of the open folder; undefined when none is open. */
  path: string | undefined
  onUnit: (uid: string | null) => void
  onPath: (path: string) => void
  isCut: boolean
}

export function PlaceBar({ unit, path, onUnit, onPath, isCut }: PlaceBarProps) {
  const { t } = useTranslation('unitFiles')
  const storage = unit?.storages.find((one) => path === one.path || path?.startsWith(`${one.path}/`))
  return (
    <div className="filter-bar">
      <UnitChoice uid={unit?.uid ?? null} onUnit={onUnit} />
      {unit && storage ? (
        <NativeSelect
          size="xs"
          className={styles.placeStorage}
          label={t('storage')}
          value={storage.path}
          onChange={({ currentTarget }) => onPath(currentTarget.value)}
          data={unit.storages.map((one) => ({
            value: one.path,
            label: t('storageFree', {
              path: one.path,
              free: sizeText(one.freeBytes),
              total: sizeText(one.totalBytes),
            }),
          }))}
        />
      ) : null}
      {storage && path !== undefined ? (
        <nav className={styles.placeWays} aria-label={t('folders')}>
          <ol>
            {waysTo(path, storage.path).map((way) => (
              <li key={way.path}>
                {way.path === path ? (
                  <span aria-current="location">{way.name}</span>
                ) : (
                  <button type="button" onClick={() => onPath(way.path)}>
                    {way.name}
                  </button>
                )}
              </li>
            ))}
          </ol>
          {isCut ? <span className="quiet">{t('cut')}</span> : null}
        </nav>
      ) : null}
    </div>
  )
}

function UnitChoice({ uid, onUnit }: { uid: string | null; onUnit: (uid: string | null) => void }) {
  const { t } = useTranslation('unitFiles')
  const { t: tUnits } = useTranslation('units')
  const fleet = useFleet()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the numbers of the fleet trigger a new reading
  const data = useMemo(
    () =>
      knownUnits().map((unit) => ({ value: unit.uid, label: `${unit.name} · ${tUnits(statusKeyOf(unit))}` })),
    [fleet, tUnits],
  )
  return (
    <Select
      size="xs"
      className={styles.placeUnit}
      label={t('unit')}
      placeholder={t('chooseUnit')}
      searchable
      limit={200}
      nothingFoundMessage={t('noUnitFound')}
      value={uid}
      onChange={onUnit}
      data={data}
    />
  )
}
