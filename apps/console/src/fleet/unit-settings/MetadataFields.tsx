// Names and values that label material, one row each.
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import styles from './unit-settings.module.css'

interface Row {
  id: number
  name: string
  value: string
}

/** A row without a name is not yet a field. */
const recordOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]))

interface MetadataFieldsProps {
  legend: string
  start: Readonly<Record<string, string>>
  /** Why nothing may be changed. */
  closed?: string | undefined
  /** Fault of a field, or of all of them together. */
  fault: (name?: string) => string | undefined
  onChange: (metadata: Record<string, string>) => void
}

export function MetadataFields({ legend, start, closed: reason, fault, onChange }: MetadataFieldsProps) {
  const { t } = useTranslation('unitSettings')
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(start).map(([name, value], id) => ({ id, name, value })),
  )
  const closed = disabledBecause(reason)
  const change = (next: readonly Row[]) => {
    setRows(next)
    onChange(recordOf(next))
  }
  const edit = (id: number, changes: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)))
  return (
    <fieldset className={styles.settingPart}>
      <legend>{legend}</legend>
      {rows.length === 0 ? <p className="quiet">{t('metadata.none')}</p> : null}
      {rows.map(({ id, name, value }, at) => (
        <div key={id} className={styles.metadataRow}>
          <TextInput
            aria-label={t('metadata.name', { at: at + 1 })}
            placeholder={t('metadata.namePlaceholder')}
            {...closed}
            value={name}
            onChange={({ currentTarget }) => edit(id, { name: currentTarget.value })}
          />
          <TextInput
            aria-label={t('metadata.value', { at: at + 1 })}
            error={fault(name)}
            {...closed}
            value={value}
            onChange={({ currentTarget }) => edit(id, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('metadata.remove', { name: name || at + 1 })}
            disabled={reason !== undefined}
            onClick={() => change(rows.filter((row) => row.id !== id))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      {fault() === undefined ? null : <p className="text-critical">{fault()}</p>}
      <Button
        variant="default"
        size="xs"
        disabled={reason !== undefined}
        onClick={() =>
          setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }])
        }
      >
        {t('metadata.add')}
      </Button>
    </fieldset>
  )
}
