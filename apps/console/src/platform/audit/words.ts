// The words of actions and results, which core writes as names.
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { english } from '../../texts/en/en.ts'
import { translated } from '../../texts/generic.ts'

/** An action of which the texts know nothing yet is shown by its name. */
export function useActionWords(): (action: string) => string {
  const { t } = useTranslation('audit')
  return useCallback((action: string) => t(`actions.${action}` as 'title', { defaultValue: action }), [t])
}

type Result = keyof typeof english.audit.results

/** The text of a refusal is said as it is. */
export function useResultWords(): (result: string) => string {
  const { t } = useTranslation('audit')
  return useCallback(
    (result: string) =>
      result === 'done' || result === 'failed' ? t(`results.${result as Result}`) : translated(result),
    [t],
  )
}
