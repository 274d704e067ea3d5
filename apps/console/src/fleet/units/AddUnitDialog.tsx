// Use of the code that admits one unit to the group.
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pairing, PairingActs } from '../../people/invitations/Pairing.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { loaded } from '../../ui/loaded.ts'
import { useSecond } from '../../ui/seconds.ts'
import { useValue } from '../../ui/value.ts'
import { type Asked, asked, askForCode } from './AddUnitButton.tsx'
import { leftText } from './pairing-time.ts'

const CodeToEnter = loaded(async () => (await import('../../people/invitations/CodeToEnter.tsx')).CodeToEnter)
const InviteDialog = loaded(
  async () => (await import('../../people/invitations/InviteDialog.tsx')).InviteDialog,
)

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
      <Dialog
        opened={ask !== null}
        onClose={() => asked.set(null)}
        title={t('add.title', { group: ask?.group.name ?? '' })}
      >
        {ask ? <Answer ask={ask} onInvite={mayInvite ? () => invite(ask.group) : null} /> : null}
      </Dialog>
      <Suspense fallback={null}>
        {inviting ? <InviteDialog group={inviting} onClose={() => setInviting(null)} /> : null}
      </Suspense>
    </>
  )
}

interface AnswerProps {
  ask: Asked
  /** null: the user may not invite for longer than the code lasts. */
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
