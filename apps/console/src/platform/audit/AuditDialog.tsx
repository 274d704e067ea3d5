import type { AuditEntry } from '@backhaul/contract/nouns/audit'
import { Modal } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../ui/locale.ts'
import styles from './audit.module.css'
import { useActionWords, useResultWords } from './words.ts'

const fullTime = dateFormat({ dateStyle: 'full', timeStyle: 'long' })

/** One line in full: who did what to which thing from where, and what was requested. */
export function AuditDialog({ line, onClose }: { line: AuditEntry; onClose: () => void }) {
  const { t } = useTranslation('audit')
  const [action, result] = [useActionWords(), useResultWords()]
  const thing = [line.objectName, line.objectId].filter(Boolean).join(' · ')
  const facts: [string, string][] = [
    [t('columns.at'), fullTime(new Date(line.at))],
    [t('columns.username'), line.username],
    ...(line.apiKey === null ? [] : [[t('columns.apiKey'), line.apiKey] as [string, string]]),
    [t('columns.address'), line.address],
    ...(thing === '' ? [] : [[t('columns.thing'), thing] as [string, string]]),
    [t('columns.result'), result(line)],
  ]
  const details = Object.entries(line.details)
  return (
    <Modal opened onClose={onClose} title={action(line.action)} size={680}>
      <dl className={`facts ${styles.auditFacts}`}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <h3 className={styles.auditHeading}>{t('details')}</h3>
      {details.length === 0 ? <p className="quiet">{t('noDetails')}</p> : null}
      <dl className={`facts ${styles.auditFacts}`}>
        {details.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="mono">{name}</dt>
            <dd className="mono">{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  )
}
