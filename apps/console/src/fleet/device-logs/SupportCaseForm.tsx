import { supportCases } from '@backhaul/contract/api/support-cases'
import type { SupportCase } from '@backhaul/contract/nouns/support-cases'
import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { dateAndTime } from '../../ui/locale.ts'
import styles from './device-logs.module.css'
import { openCase } from './device-logs.ts'

interface SupportCaseFormProps {
  uid: string
  /** Address for the support's answer. */
  email: string
  isClosed: boolean
  /** Why the logs cannot come with it. */
  logsClosed: string | undefined
  onClose: () => void
}

/** A case about the unit, and those that were opened before (GAP-SCR-20). */
export function SupportCaseForm({ uid, email, isClosed, logsClosed, onClose }: SupportCaseFormProps) {
  const { t } = useTranslation('deviceLogs')
  const mayWrite = useMay('operateUnits')
  const { data = [] } = useRead(supportCases.ofUnit, { params: { id: uid } }, { isAsked: mayWrite })
  const [opened, setOpened] = useState<SupportCase>()
  const record = useRecordForm({
    start: () => ({ description: '', logs: logsClosed === undefined }),
    async save({ description, logs }) {
      setOpened(await openCase({ unit: uid, description, logs }))
      return undefined
    },
  })
  const { values, set, faults } = record
  if (opened) return <Opened opened={opened} onClose={onClose} />
  return (
    <RecordForm
      record={record}
      mayWrite={mayWrite && !isClosed}
      okLabel={t('case.open')}
      done={() => undefined}
      onSaved={() => {}}
      onClose={onClose}
    >
      <div className="form-fields">
        <Textarea
          label={t('description')}
          description={email === '' ? undefined : t('case.answers', { email })}
          error={faults.description}
          required
          disabled={isClosed}
          data-autofocus
          autosize
          minRows={4}
          value={values.description}
          onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        />
        <Checkbox
          label={t('case.logs')}
          {...disabledBecause(logsClosed)}
          checked={values.logs}
          onChange={({ currentTarget }) => set({ logs: currentTarget.checked })}
        />
        {data.length === 0 ? null : (
          <section>
            <h3>{t('case.before')}</h3>
            <ul className={styles.deviceLogs}>
              {data.map((one) => (
                <li key={one.id}>
                  <span className={styles.deviceLogText}>
                    <span className="clip">{one.description}</span>
                    <span className="quiet clip">
                      {one.id} · {dateAndTime(new Date(one.openedAt))} · {one.by}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </RecordForm>
  )
}

/** Its number, which the user names when they call the support. */
function Opened({ opened, onClose }: { opened: SupportCase; onClose: () => void }) {
  const { t } = useTranslation('deviceLogs')
  return (
    <div className="form-fields" role="status">
      <p>
        {t('case.opened')} <strong className="mono">{opened.id}</strong>
      </p>
      <p className="quiet">{t('case.answers', { email: opened.email })}</p>
      <button type="button" className="plain-button tool-button" onClick={onClose}>
        {t('case.close')}
      </button>
    </div>
  )
}
