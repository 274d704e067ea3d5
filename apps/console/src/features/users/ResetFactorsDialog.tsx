import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createValue, useValue } from '../../ui/value.ts'
import { fullName, resetFactors, userStore } from './users.ts'

const asked = createValue<string | null>(null)

export const askToReset = (id: string): void => asked.set(id)

/** For whoever lost phone and key: the password alone signs in again. */
export function ResetFactorsDialog() {
  const { t } = useTranslation('users')
  const user = useItem(userStore, useValue(asked))
  const [busy, setBusy] = useState(false)
  const close = () => asked.set(null)

  async function reset(): Promise<void> {
    if (!user) return
    setBusy(true)
    const fault = await resetFactors(user.id)
    setBusy(false)
    if (fault) toast({ title: t('reset.refused'), text: faultWords(fault), tone: 'critical', timeout: false })
    else toast({ title: t('reset.done'), text: user.username, tone: 'good' })
    close()
  }

  return (
    <Modal
      opened={user !== undefined}
      onClose={close}
      title={t('reset.title', { name: user?.username ?? '' })}
    >
      <p>{t('reset.text', { name: user ? fullName(user) : '' })}</p>
      <ModalFooter
        dangerous
        mayWrite
        busy={busy}
        okLabel={t('reset.ok')}
        onCancel={close}
        onOk={() => void reset()}
      />
    </Modal>
  )
}
