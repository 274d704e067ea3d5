import { ifb as calls } from '@backhaul/contract/api/ifb'
import { IfbDelay, ifbDelaysMs, type UnitIfb } from '@backhaul/contract/nouns/interfaces'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'

interface IfbFormProps {
  unit: Unit
  ifb: UnitIfb
  /** Why nothing may be changed. */
  closed: string | undefined
  ask: (run: () => Promise<unknown>) => Promise<boolean>
}

/** The sound of its channel for the crew: whether it comes now, when, and with which delay. */
export function IfbForm({ unit, ifb, closed, ask }: IfbFormProps) {
  const { t } = useTranslation('intercom')
  const params = { id: unit.uid }
  const state = unit.applications?.ifb?.state
  const name = state === 'connecting' || state === 'connected' ? state : 'idle'
  return (
    <fieldset>
      <legend>{t('ifb.title')}</legend>
      <p className="quiet">{t(`ifb.state.${name}`)}</p>
      <NativeSelect
        label={t('ifb.delay')}
        {...disabledBecause(closed)}
        value={String(ifb.delay)}
        onChange={({ currentTarget }) => {
          const delay = IfbDelay.parse(Number(currentTarget.value))
          void ask(() => call(calls.setDelay, { params, body: { delay } }))
        }}
        data={ifbDelaysMs.map((delay) => ({ value: String(delay), label: t(`ifb.delays.${delay}`) }))}
      />
      <Switch
        label={t('ifb.alwaysOn')}
        {...disabledBecause(closed)}
        checked={ifb.alwaysOn}
        onChange={({ currentTarget }) => {
          const enabled = currentTarget.checked
          void ask(() => call(calls.setAlwaysOn, { params, body: { enabled } }))
        }}
      />
    </fieldset>
  )
}
