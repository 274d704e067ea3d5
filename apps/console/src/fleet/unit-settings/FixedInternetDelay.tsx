import { type UnitConfiguration, unitCommands } from '@backhaul/contract/api/units'
import { formatDelay } from '@backhaul/contract/nouns/formats'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'

interface FixedInternetDelayProps {
  uid: string
  configuration: Pick<UnitConfiguration, 'delayChoices' | 'fixedInternetDelay'>
  /** Why it cannot be set. */
  closed: string | undefined
  onSaved: () => Promise<unknown>
}

/** The delay that the unit has over fixed internet, instead of its delay with bonding; saved at once (EP-USET-08). */
export function FixedInternetDelay({ uid, configuration, closed, onSaved }: FixedInternetDelayProps) {
  const { t } = useTranslation('unitSettings')
  const { delayChoices, fixedInternetDelay } = configuration
  const act = useAct()
  const save = (delay: number) =>
    act.run(async () => {
      await call(unitCommands.setFixedInternetDelay, { params: { id: uid }, body: { delay } })
      await onSaved()
      return undefined
    })
  return (
    <NativeSelect
      label={t('fixedInternetDelay')}
      error={act.words}
      disabled={act.busy}
      {...disabledBecause(closed)}
      data={[
        ...(fixedInternetDelay === null ? [{ value: '', label: t('sameDelay') }] : []),
        ...delayChoices.map((delay) => ({ value: String(delay), label: formatDelay(delay) })),
      ]}
      value={String(fixedInternetDelay ?? '')}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') void save(Number(value))
      }}
    />
  )
}
