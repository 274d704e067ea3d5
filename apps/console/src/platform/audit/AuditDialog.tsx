import type { AuditEntry } from '@backhaul/contract/nouns/audit'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { dateFormat } from '../../ui/locale.ts'
import styles from './audit.module.css'
import { useActionText, useResultText } from './audit-texts.ts'

const fullTime = dateFormat({ dateStyle: 'full', timeStyle: 'long' })

/** One line in full: the user, the act, the object, the address, and the request. */
export function AuditDialog({ line, onClose }: { line: AuditEntry; onClose: () => void }) {
  const { t } = useTranslation('audit')
  const [action, result] = [useActionText(), useResultText()]
  const thing = [line.objectName, line.objectId].filter(Boolean).join(' · ')
  const facts: [string, string | null][] = [
    [t('columns.at'), fullTime(new Date(line.at))],
    [t('columns.username'), line.username],
    [t('columns.apiKey'), line.apiKey],
    [t('columns.address'), line.address],
    [t('columns.thing'), thing || null],
    [t('columns.result'), result(line)],
  ]
  const details = Object.entries(line.details)
  return (
    <Dialog onClose={onClose} title={action(line.action)} size={680}>
      <Facts facts={facts} />
      <h3 className={styles.auditHeading}>{t('details')}</h3>
      {details.length === 0 ? <p className="quiet">{t('noDetails')}</p> : null}
      <Facts>
        {details.map(([name, value]) => (
          <Fact key={name} name={name}>
            <span className={`mono ${styles.auditValue}`}>
              {typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
            </span>
          </Fact>
        ))}
      </Facts>
    </Dialog>
  )
}
