import { startButton } from '@backhaul/contract/nouns/unit-status'
import { useTranslation } from 'react-i18next'
import { withKey } from '../../ui/key-labels.ts'
import { RunButton } from '../../ui/RunButton.tsx'
import { askToStop, showConflict } from './asked.ts'
import { labelBasis, type StartRefusal, startRefusal } from './unit-presentation.ts'
import { unitKeys } from './units.ts'
import type { LiveUnit } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

interface StartButtonProps {
  unit: LiveUnit
  mayOperate: boolean
  big?: boolean
}

/** One button, five states; a button that cannot be pressed remains reachable and shows why. */
export function StartButton({ unit, mayOperate, big = false }: StartButtonProps) {
  const { t } = useTranslation('units')
  const { start } = useUnitActions()
  const state = startButton(labelBasis(unit))
  const refusal = startRefusal(unit, mayOperate)
  const waits = state === 'connecting' || state === 'disconnecting'
  const disabled = (refusal !== undefined && !isConflict(refusal)) || waits
  const reason = refusal === undefined ? undefined : 'text' in refusal ? refusal.text : t(refusal.key)
  return (
    <RunButton
      state={state}
      isClosed={disabled}
      size={big ? 'big' : 'inRow'}
      label={big ? undefined : t('startName', { action: t(`start.${state}`), name: unit.name })}
      tip={reason ?? (big && !waits ? withKey(t(`start.${state}`), unitKeys.startStop) : undefined)}
      onPress={() => {
        if (isConflict(refusal)) showConflict(unit.uid)
        else if (state === 'stop') askToStop(unit.uid)
        else void start(unit.uid)
      }}
    >
      {t(`start.${state}`)}
    </RunButton>
  )
}

/** A press of the button shows more about it. */
const isConflict = (refusal: StartRefusal | undefined): boolean =>
  refusal !== undefined && 'text' in refusal && refusal.isConflict === true

/** The reason in words, where there is room for it. */
export function StartReason({ unit, mayOperate }: Omit<StartButtonProps, 'big'>) {
  const { t } = useTranslation('units')
  const refusal = startRefusal(unit, mayOperate)
  if (refusal === undefined) return null
  return <p className="quiet">{'text' in refusal ? refusal.text : t(refusal.key)}</p>
}

/** The key of the start button on a row: the same act, the same refusals. */
export function pressStart(unit: LiveUnit, mayOperate: boolean, start: (uid: string) => Promise<void>): void {
  const refusal = startRefusal(unit, mayOperate)
  if (isConflict(refusal)) showConflict(unit.uid)
  if (refusal !== undefined) return
  const state = startButton(labelBasis(unit))
  if (state === 'stop') askToStop(unit.uid)
  if (state === 'start') void start(unit.uid)
}
