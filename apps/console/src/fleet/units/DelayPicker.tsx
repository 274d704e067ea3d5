import { delayChoices, delayFault, isLowDelay } from '@backhaul/contract/nouns/delays'
import { isOffline, isStreaming } from '@backhaul/contract/nouns/unit-status'
import { NativeSelect } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { withKey } from '../../ui/key-labels.ts'
import { delayWords } from '../../ui/locale.ts'
import { unitKeys } from './units.ts'
import type { LiveUnit } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'
import { usePickerKey } from './use-unit-keys.ts'

/** The end-to-end delay from what this unit offers; a delay that may not be chosen now remains visible, disabled. */
export function DelayPicker({ unit, mayOperate }: { unit: LiveUnit; mayOperate: boolean }) {
  const { t } = useTranslation('units')
  const { setDelay } = useUnitActions()
  const transmitting = isStreaming(unit)
  const faultOf = (wantedMs: number) =>
    delayFault({
      product: unit.type,
      softwareVersion: unit.swVersion,
      currentMs: unit.delay,
      wantedMs,
      transmitting,
    })
  const offered = delayChoices(unit.type, unit.swVersion)
  const choices = offered.includes(unit.delay) ? offered : [unit.delay, ...offered].sort((a, b) => a - b)
  const refused = transmitting ? offered.map(faultOf).find((fault) => fault !== undefined) : undefined
  const note = mayOperate ? refused && reasonText(refused) : reasonText('role.notAllowed')
  const field = useRef<HTMLSelectElement>(null)
  const giveBack = usePickerKey(unit.uid, 'delay', () => {
    if (field.current === null || field.current.disabled) return
    field.current.focus()
    field.current.showPicker()
  })
  return (
    <NativeSelect
      ref={field}
      label={t('delay.label')}
      description={note}
      inputWrapperOrder={['label', 'input', 'description']}
      disabled={isOffline(unit)}
      data-tip={mayOperate ? withKey(t('delay.label'), unitKeys.delay) : undefined}
      {...disabledBecause(mayOperate ? undefined : reasonText('role.notAllowed'))}
      value={String(unit.delay)}
      onChange={(event) => {
        void setDelay(unit.uid, Number(event.currentTarget.value))
        giveBack()
      }}
      onKeyUp={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') giveBack()
      }}
      data={choices.map((ms) => ({
        value: String(ms),
        label: isLowDelay(ms) ? `${delayWords(ms)} · ${t('delay.low')}` : delayWords(ms),
        disabled: ms !== unit.delay && faultOf(ms) !== undefined,
      }))}
    />
  )
}
