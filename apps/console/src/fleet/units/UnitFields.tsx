import { useTranslation } from 'react-i18next'
import styles from './unit-fields.module.css'
import { nothing } from './unit-presentation.ts'
import { useUnitRecords } from './unit-records.ts'
import type { LiveUnit } from './units-live.ts'

/** Every field of the unit by its wire name, live ones as they are now; its other records are read again by age. */
export function UnitFields({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const records = useUnitRecords(unit.uid)
  const { stale: _, rev: __, capabilities: ___, services: ____, ...live } = unit
  const lastUpdate = unit.reportedAt === null ? {} : { lastUpdate: new Date(unit.reportedAt).toISOString() }
  const modems = live.modems.map((modem) => ({ ...modem, ...lastUpdate }))
  const fields = Object.entries({ ...records.fields, ...live, modems }).filter(([name]) => name !== 'rev')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className={styles.unitFields} tabIndex={0} aria-label={t('fields.title')}>
      {records.errorText ? <p className="quiet">{records.errorText}</p> : null}
      <dl>
        {fields.map(([name, value]) => (
          <div key={name} data-field={name}>
            <dt className="mono">{name}</dt>
            <dd>{isGraph(name, value) ? t('fields.points', { count: value.length }) : wordsOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** A graph is drawn on the page itself; here only how much of it there is. */
const isGraph = (name: string, value: unknown): value is unknown[] =>
  name.endsWith('Graph') && Array.isArray(value) && value.length > 0

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? nothing : value.map(wordsOf).join('; ')
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== null && inner !== undefined && inner !== '',
  )
  return entries.length === 0
    ? nothing
    : entries.map(([name, inner]) => `${name}: ${wordsOf(inner)}`).join(', ')
}
