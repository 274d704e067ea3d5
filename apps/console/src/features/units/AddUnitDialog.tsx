// Adds a machine to the group: core makes a code that admits one unit, and the dialog shows what to do with it.
import { groups } from '@backhaul/contract/api/groups'
import { GATEWAY_PATH } from '@backhaul/contract/gateway/shared'
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useSecond } from '../../ui/seconds.ts'
import { createValue, useValue } from '../../ui/value.ts'
import { useGroups } from '../groups/groups.ts'
import { useMay } from '../sign-in/sign-in.ts'
import { leftText } from './pairing-time.ts'

/**
 * 1. null: closed;
 * 2. neither made nor fault: core is asked;
 * 3. made: the code is shown, later that it has expired;
 * 4. fault: core refused.
 */
interface Asked {
  group: LightGroup
  made?: { code: string; expiresAt: string }
  fault?: Fault
}

const asked = createValue<Asked | null>(null)

/** Opens the dialog with a new code for the group. */
async function askForCode(group: LightGroup): Promise<void> {
  const ask: Asked = { group }
  asked.set(ask)
  const answer = await call(groups.pairingCode, { params: { id: group.uid } }).then(
    (made) => ({ made }),
    (error: unknown) => ({ fault: describeFault(error) }),
  )
  if (asked.get() === ask) asked.set({ ...ask, ...answer })
}

/** Nothing for those who may only watch, or where there is no group. In the bar the words give way to others. */
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

export function AddUnitDialog() {
  const { t } = useTranslation('units')
  const ask = useValue(asked)
  useEffect(() => () => asked.set(null), [])
  return (
    <Modal
      opened={ask !== null}
      onClose={() => asked.set(null)}
      title={t('add.title', { group: ask?.group.name ?? '' })}
    >
      {ask ? <Answer ask={ask} /> : null}
    </Modal>
  )
}

function Answer({ ask: { group, made, fault } }: { ask: Asked }) {
  const { t } = useTranslation('units')
  const again = (
    <button type="button" className="plain-button" onClick={() => void askForCode(group)}>
      {t('add.again')}
    </button>
  )
  if (fault) {
    return (
      <div className="pairing" role="alert">
        <p>{fault.title}</p>
        {fault.text ? <p className="quiet">{fault.text}</p> : null}
        {again}
      </div>
    )
  }
  if (!made) return <p role="status">{t('add.asking')}</p>
  return (
    <div className="pairing">
      <p>{t('add.text')}</p>
      <p className="pairing-code mono" data-pairing-code>
        {made.code}
      </p>
      <Remaining untilMs={Date.parse(made.expiresAt)} />
      <p>{t('add.command')}</p>
      <code className="pairing-command mono">{commandWith(made.code)}</code>
      {again}
    </div>
  )
}

function Remaining({ untilMs }: { untilMs: number }) {
  const { t } = useTranslation('units')
  const left = leftText(untilMs - useSecond())
  return (
    <>
      <p className="quiet">{left === undefined ? t('add.expired') : t('add.left', { left })}</p>
      <span className="visually-hidden" role="status">
        {left === undefined ? t('add.expired') : ''}
      </span>
    </>
  )
}

const commandWith = (code: string): string =>
  `BACKHAUL_CORE_URL=${location.origin.replace(/^http/, 'ws')}${GATEWAY_PATH} ` +
  `BACKHAUL_REGISTRATION_KEY=${code} npm run agent`
