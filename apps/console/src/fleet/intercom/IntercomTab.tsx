import { intercom as calls } from '@backhaul/contract/api/intercom'
import { type AudioJack, intercomNumbers, JackUse } from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { toast } from '../../ui/toasts.tsx'
import { IfbForm } from './IfbForm.tsx'
import { IntercomLineCard } from './IntercomLineCard.tsx'
import styles from './intercom.module.css'
import { useIntercom } from './intercom.ts'
import { SipAccountForm } from './SipAccountForm.tsx'

interface IntercomTabProps {
  unit: Unit
  mayOperate: boolean
  mayAdminister: boolean
}

/** The lines on which a crew speaks, the sockets of its headsets, and the server that both sides meet at. */
export function IntercomTab({ unit, mayOperate, mayAdminister }: IntercomTabProps) {
  const { t } = useTranslation('intercom')
  const { options, isError, read } = useIntercom(unit)
  if (!options) return <p className={styles.intercomEmpty}>{t(isError ? 'failed' : 'loading')}</p>
  const closed = mayOperate ? undefined : reasonText('role.notAllowed')
  const runs = unit.intercoms.some(({ state, transition }) => state !== null || transition !== null)

  /** True when core has taken it. */
  async function ask(run: () => Promise<unknown>): Promise<boolean> {
    const refused = await run().then(() => undefined, describeFault)
    if (refused) toast({ title: refused.title, text: refused.text ?? unit.name, tone: 'critical' })
    await read()
    return refused === undefined
  }
  const setJack = (jack: AudioJack) =>
    ask(() => call(calls.setJacks, { params: { id: unit.uid }, body: { jacks: [jack] } }))
  return (
    <section className={styles.intercom} aria-label={t('title')}>
      <div className={styles.intercomLines}>
        {intercomNumbers.map((intercom) => (
          <IntercomLineCard
            key={intercom}
            unit={unit}
            intercom={intercom}
            options={options}
            closed={closed}
            ask={ask}
          />
        ))}
      </div>
      <div className={styles.intercomSide}>
        {options.jacks.length > 0 ? (
          <fieldset>
            <legend>{t('jacks')}</legend>
            {options.jacks.map(({ jack, use }) => (
              <NativeSelect
                key={jack}
                label={t('jack', { jack })}
                {...disabledBecause(closed)}
                value={use}
                onChange={({ currentTarget }) =>
                  void setJack({ jack, use: JackUse.parse(currentTarget.value) })
                }
                data={JackUse.options
                  .slice(0, unit.intercoms.length + 1)
                  .map((value) => ({ value, label: t(`uses.${value}`) }))}
              />
            ))}
          </fieldset>
        ) : null}
        {unit.capabilities.ifb === true ? (
          <IfbForm unit={unit} ifb={options.ifb} closed={closed} ask={ask} />
        ) : null}
        <SipAccountForm
          key={JSON.stringify(options.sipAccount)}
          unit={unit}
          options={options}
          mayAdminister={mayAdminister}
          closed={runs ? t('whileRunning') : undefined}
          onSaved={read}
        />
      </div>
    </section>
  )
}
