// Choice of the customer, for screens that show the objects of one.
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Items, type List, useList } from '../../kit/lists.ts'
import { likelyInventory, useInventoryNames } from './inventory-names.ts'

/** For changes of others, and values that count by themselves. */
const refreshMs = 60_000

/** Shows the list of the likely customer until another is chosen, and keeps it fresh; `choice` is nothing where there is one. */
export function useCustomerList<A extends Items<unknown>>(
  list: List<A, [inventory: string]>,
  everyMs: number = refreshMs,
) {
  const { t } = useTranslation('groups')
  const { choices: all, errorText: fault, again } = useInventoryNames()
  const [chosen, choose] = useState('')
  const inventory = all.length === 0 ? '' : chosen || likelyInventory()
  const shown = useList(list, [inventory], { isAsked: inventory !== '', everyMs })
  const choice =
    all.length > 1 ? (
      <NativeSelect
        size="xs"
        aria-label={t('inventory')}
        value={inventory}
        onChange={(event) => choose(event.currentTarget.value)}
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
      />
    ) : null
  return {
    ...shown,
    /** The customer whose objects are shown. */
    inventory,
    choice,
    state: fault === undefined ? shown.state : ('error' as const),
    errorText: fault ?? shown.errorText,
    onRetry: () => {
      if (fault !== undefined) void again()
      if (inventory !== '') shown.onRetry()
    },
  }
}
