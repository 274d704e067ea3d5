import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createValue, useValue } from '../../ui/value.ts'
import { fullName, removeUser, userStore } from './users.ts'

const asked = createValue<string | null>(null)

export const askToDelete = (id: string): void => asked.set(id)

export function DeleteUserDialog() {
  const { t } = useTranslation('users')
  const id = useValue(asked)
  const user = useItem(userStore, id)
  const [busy, setBusy] = useState(false)
  const close = () => asked.set(null)

  async function remove(): Promise<void> {
    if (!user) return
    setBusy(true)
    const fault = await removeUser(user.id)
    setBusy(false)
    if (fault)
      toast({ title: t('delete.refused'), text: faultWords(fault), tone: 'critical', timeout: false })
    else toast({ title: t('delete.done'), text: user.username, tone: 'good' })
    close()
  }

  return (
    <Modal
      opened={user !== undefined}
      onClose={close}
      title={t('delete.title', { name: user?.username ?? '' })}
    >
      <p>{t('delete.text', { name: user ? fullName(user) : '' })}</p>
      <ModalFooter
        dangerous
        mayWrite
        busy={busy}
        okLabel={t('delete.ok')}
        onCancel={close}
        onOk={() => void remove()}
      />
    </Modal>
  )
}
