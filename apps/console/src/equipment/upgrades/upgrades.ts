// Upgrades of one unit or server: possible versions, the wanted one, and the progress, kept by push.
import { upgrades as calls } from '@backhaul/contract/api/upgrades'
import type { Upgrade, UpgradeRequest } from '@backhaul/contract/nouns/upgrades'
import type { TFunction } from 'i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useNews } from '../../doors/news.ts'
import { useRead } from '../../doors/reads.ts'
import { givenReason } from '../../texts/generic.ts'
import { createValue } from '../../ui/value.ts'

export interface UpgradedDevice {
  kind: 'unit' | 'server'
  uid: string
  name: string
  swVersion: string
}

export const askedUpgrade = createValue<UpgradedDevice | null>(null)

/** Opens the dialog of the upgrade of a device. */
export const askForUpgrade = (
  { uid, name, swVersion }: Omit<UpgradedDevice, 'kind'>,
  kind: UpgradedDevice['kind'],
): void => askedUpgrade.set({ kind, uid, name, swVersion })

/** The newest upgrade of the device as it is now; undefined until it is known. */
export function useUpgrade({ kind, uid }: UpgradedDevice): Upgrade | null | undefined {
  const { data: atFirst } = useRead(calls.target, { params: { id: uid } }, { isStart: true })
  const { upgrade } = useNews<{ upgrade: Upgrade | null }>(`${kind}.${uid}`)
  return upgrade === undefined ? atFirst : upgrade
}

async function faultOf(run: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await run
  } catch (error) {
    return describeFault(error)
  }
}

export const setTarget = (uid: string, body: UpgradeRequest): Promise<Fault | undefined> =>
  faultOf(call(calls.setTarget, { params: { id: uid }, body }))

export const clearTarget = (uid: string): Promise<Fault | undefined> =>
  faultOf(call(calls.clear, { params: { id: uid } }))

/** `9.3: 40%`, or `9.3: pending`. */
export function upgradeText(t: TFunction<'upgrades'>, upgrade: Upgrade | null): string {
  if (upgrade === null) return ''
  const { state, percent, version } = upgrade
  const words = state === 'upgrading' ? `${t('state.upgrading')} ${percent}%` : t(`state.${state}`)
  return [`${version}: ${words}`, givenReason(upgrade)].filter(Boolean).join(' · ')
}
