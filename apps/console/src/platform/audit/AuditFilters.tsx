import { Button, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { compareTexts } from '../../ui/locale.ts'
import styles from './audit.module.css'
import { anything, changes, type Wanted } from './audit.ts'
import { useActionText } from './audit-texts.ts'

interface AuditFiltersProps {
  wanted: Wanted
  onWanted: (wanted: Wanted) => void
}

/** Period, user and action; each narrows the list at once. */
export function AuditFilters({ wanted, onWanted }: AuditFiltersProps) {
  const { t } = useTranslation('audit')
  const wordsOf = useActionText()
  const choices = useMemo(
    () =>
      changes
        .map((value) => ({ value, label: wordsOf(value) }))
        .toSorted((a, b) => compareTexts(a.label, b.label)),
    [wordsOf],
  )
  const field = (name: 'from' | 'until' | 'username') => ({
    size: 'xs' as const,
    label: t(`filter.${name}`),
    value: wanted[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onWanted({ ...wanted, [name]: event.currentTarget.value }),
  })
  const isNarrowed = Object.entries(wanted).some(([name, value]) => name !== 'search' && value !== '')
  return (
    <div className={`filter-bar ${styles.auditFilters}`}>
      <TextInput type="date" max={wanted.until || undefined} {...field('from')} />
      <TextInput type="date" min={wanted.from || undefined} {...field('until')} />
      <TextInput {...field('username')} />
      <Select
        size="xs"
        searchable
        clearable
        label={t('filter.action')}
        placeholder={t('filter.anyAction')}
        data={choices}
        value={wanted.action || null}
        onChange={(action) => onWanted({ ...wanted, action: action ?? '' })}
        nothingFoundMessage={t('filter.noAction')}
        clearButtonProps={{ 'aria-label': t('filter.clearAction') }}
      />
      {isNarrowed ? (
        <Button size="xs" variant="default" onClick={() => onWanted({ ...anything, search: wanted.search })}>
          {t('filter.clear')}
        </Button>
      ) : null}
    </div>
  )
}
