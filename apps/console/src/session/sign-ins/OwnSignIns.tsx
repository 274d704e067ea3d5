import { signIns } from '@backhaul/contract/api/sign-ins'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { reread, useRead } from '../../doors/reads.ts'
import { Age } from '../../ui/Age.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import styles from './own-sign-ins.module.css'
import { userAgentText } from './user-agents.ts'

/** The user's sign-ins, with a way to end those elsewhere. */
export function OwnSignIns() {
  const { t } = useTranslation('signIn')
  const { data = [], error } = useRead(signIns.own, {})
  const [fault, setFault] = useState<unknown>(null)
  const shownFault = fault ?? error

  async function end(run: () => Promise<unknown>) {
    setFault(null)
    await run().catch(setFault)
    await reread(signIns.own, {})
  }

  return (
    <section className={styles.ownSignIns} aria-labelledby="own-sign-ins">
      <header>
        <h3 id="own-sign-ins">{t('own.title')}</h3>
        {data.length > 1 ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void end(() => call(signIns.endOthers, {}))}
          >
            {t('own.endOthers')}
          </Button>
        ) : null}
      </header>
      {shownFault ? <p role="alert">{describeFault(shownFault).title}</p> : null}
      <ul className="entries">
        {data.map(({ id, agent, address, createdMs, lastSeenMs, isThis }) => {
          const where = userAgentText(agent) || t('own.unknown')
          return (
            <li key={id} data-sign-in={id}>
              <span>
                {where} <span className="mono quiet">{address}</span>
              </span>
              <span className="quiet">
                {t('own.since', { when: dateAndTime(createdMs) })}
                {isThis ? null : (
                  <>
                    , {t('own.lastUsed')} <Age atMs={lastSeenMs} /> {t('own.ago')}
                  </>
                )}
              </span>
              {isThis ? (
                <b>{t('own.this')}</b>
              ) : (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('own.endOne', { where, address })}
                  onClick={() => void end(() => call(signIns.end, { params: { id } }))}
                >
                  {t('own.end')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
