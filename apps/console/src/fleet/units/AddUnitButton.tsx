// Adds a machine to the group: core makes a code that admits one unit, and a dialog shows what to do with it.
import { groups } from '@backhaul/contract/api/groups'
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { createValue } from '../../ui/value.ts'

/**
 * 1. null: closed;
 * 2. neither made nor fault: requested from core;
 * 3. made: the code is shown, later that it has expired;
 * 4. fault: core refused.
 */
export interface Asked {
  group: LightGroup
  made?: { code: string; expiresAt: string }
  fault?: Fault
}

export const asked = createValue<Asked | null>(null)

/** Opens the dialog with a new code for the group. */
export async function askForCode(group: LightGroup): Promise<void> {
  const ask: Asked = { group }
  asked.set(ask)
  const answer = await call(groups.pairingCode, { params: { id: group.uid } }).then(
    (made) => ({ made }),
    (error: unknown) => ({ fault: describeFault(error) }),
  )
  if (asked.get() === ask) asked.set({ ...ask, ...answer })
}

/** Empty for users who may only watch, or where there is no group. In the bar the words give way to others. */
export function AddUnitButton({ inBar = false }: { inBar?: boolean }) {
  const { t } = useTranslation('units')
  const mayOperate = useMay('operateUnits')
  const { current } = useGroups()
  if (!mayOperate || !current) return null
  return (
    <button
      type="button"
      className="plain-button tool-button"
      data-tip={inBar ? t('add.open') : undefined}
      onClick={() => void askForCode(current)}
    >
      <IconPlus size={16} aria-hidden />
      <span className={inBar ? 'tool-word' : ''}>{t('add.open')}</span>
    </button>
  )
}
