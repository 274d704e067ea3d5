// The words of actions and results, which core writes as names.
import type { AuditEntry } from '@backhaul/contract/nouns/audit'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { english } from '../../texts/en/en.ts'
import { givenReason } from '../../texts/generic.ts'

/** An action of which the texts know nothing yet is shown by its name. */
export function useActionText(): (action: string) => string {
  const { t } = useTranslation('audit')
  return useCallback((action: string) => t(`actions.${action}` as 'title', { defaultValue: action }), [t])
}

type Result = keyof typeof english.audit.results

export function useResultText(): (line: Pick<AuditEntry, 'result' | 'cause'>) => string {
  const { t } = useTranslation('audit')
  return useCallback(
    ({ result, cause }) =>
      result === 'done' || result === 'failed'
        ? t(`results.${result as Result}`)
        : givenReason({ reason: result, cause }),
    [t],
  )
}
