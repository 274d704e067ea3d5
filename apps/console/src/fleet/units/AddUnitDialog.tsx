// Adds a machine to the group: core makes a code that admits one unit, and the dialog shows what to do with it.
import { groups } from '@backhaul/contract/api/groups'
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { Pairing, PairingActs } from '../../people/invitations/Pairing.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { loaded } from '../../ui/loaded.ts'
import { useSecond } from '../../ui/seconds.ts'
import { createValue, useValue } from '../../ui/value.ts'
import { leftText } from './pairing-time.ts'

const CodeToEnter = loaded(async () => (await import('../../people/invitations/CodeToEnter.tsx')).CodeToEnter)
const InviteDialog = loaded(
  async () => (await import('../../people/invitations/InviteDialog.tsx')).InviteDialog,
)

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
  const mayInvite = useMay('administerPeople')
  const [inviting, setInviting] = useState<LightGroup | null>(null)
  useEffect(() => () => asked.set(null), [])
  const invite = (group: LightGroup) => {
    asked.set(null)
    setInviting(group)
  }
  return (
    <>
      <Modal
        opened={ask !== null}
        onClose={() => asked.set(null)}
        title={t('add.title', { group: ask?.group.name ?? '' })}
      >
        {ask ? <Answer ask={ask} onInvite={mayInvite ? () => invite(ask.group) : null} /> : null}
      </Modal>
      <Suspense fallback={null}>
        {inviting ? <InviteDialog group={inviting} onClose={() => setInviting(null)} /> : null}
      </Suspense>
    </>
  )
}

interface AnswerProps {
  ask: Asked
  /** null: who may not invite for longer than the code lasts. */
  onInvite: (() => void) | null
}

function Answer({ ask: { group, made, fault }, onInvite }: AnswerProps) {
  const { t } = useTranslation('units')
  const again = (
    <button type="button" className="plain-button" onClick={() => void askForCode(group)}>
      {t('add.again')}
    </button>
  )
  if (fault) {
    return (
      <Pairing role="alert">
        <p>{fault.title}</p>
        {fault.text ? <p className="quiet">{fault.text}</p> : null}
        {again}
      </Pairing>
    )
  }
  if (!made) return <p role="status">{t('add.asking')}</p>
  return (
    <Pairing>
      <p>{t('add.text')}</p>
      <Suspense fallback={null}>
        <CodeToEnter code={made.code}>
          <Remaining untilMs={Date.parse(made.expiresAt)} />
        </CodeToEnter>
      </Suspense>
      <PairingActs>
        {again}
        {onInvite ? (
          <button type="button" className="plain-button" onClick={onInvite}>
            {t('add.invite')}
          </button>
        ) : null}
      </PairingActs>
    </Pairing>
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
