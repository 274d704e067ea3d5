import { databridge as calls } from '@backhaul/contract/api/databridge'
import { databridgeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Unit } from '@backhaul/contract/nouns/units'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { reread, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { Facts } from '../../ui/Facts.tsx'
import { RunButton } from '../../ui/RunButton.tsx'
import styles from './databridge.module.css'
import { PortsForm } from './PortsForm.tsx'

interface DatabridgeTabProps {
  unit: Unit
  mayOperate: boolean
}

const phases = ['connecting', 'bridging', 'stopping'] as const

/** The network of a gateway for machines of the crew: which ports lead where, and whether it runs. */
export function DatabridgeTab({ unit, mayOperate }: DatabridgeTabProps) {
  const { t } = useTranslation('databridge')
  const params = { id: unit.uid }
  const { data: chosen } = useRead(calls.selected, { params })
  const act = useAct()
  const state = unit.applications?.databridge?.state
  const phase = phases.find((one) => one === state) ?? 'idle'
  const runs = phase !== 'idle'
  const closed = mayOperate ? undefined : reasonText('role.notAllowed')
  const refusal = runs || !chosen ? undefined : databridgeRefusal(unit, chosen)
  const reason = closed ?? (refusal && reasonText(refusal))
  async function request(): Promise<undefined> {
    await call(runs ? calls.stop : calls.start, { params })
  }
  const isCommand = unit.command?.name === 'start_databridge' && unit.command.reason !== null
  return (
    <section className={styles.databridge} aria-label={t('title')}>
      <p className="quiet">{t('hint')}</p>
      <div className={styles.databridgeAct}>
        <RunButton
          state={runs ? 'stop' : 'start'}
          isClosed={reason !== undefined || act.busy || !chosen}
          size="big"
          tip={reason}
          onPress={() => void act.run(request)}
        >
          {t(runs ? 'stop' : 'start')}
        </RunButton>
        {reason === undefined ? null : <p className="quiet">{reason}</p>}
        {act.words === undefined ? null : <p className="text-critical">{act.words}</p>}
      </div>
      <Facts
        facts={[
          [
            t('gateway'),
            chosen?.gateway ? `${chosen.gateway.name} · ${chosen.gateway.address}` : t('noGateway'),
          ],
          [t('atUnit'), t(`phase.${phase}`)],
          [
            t('missing'),
            isCommand && phase !== 'bridging' && unit.command ? givenReason(unit.command) : null,
          ],
        ]}
      />
      {chosen ? (
        <PortsForm
          key={JSON.stringify(chosen.ports)}
          unit={unit}
          ports={chosen.ports}
          closed={closed ?? (runs ? reasonText('databridge.active') : undefined)}
          onSaved={() => reread(calls.selected, { params })}
        />
      ) : null}
    </section>
  )
}
