import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { Alert, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Fault, faultWords } from '../../doors/api.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { afterwards, type ListedGroup } from './group-list.ts'

/** Asks before a group goes; core's refusal is shown where the question stands (GAP-GROUP-06). */
export function DeleteGroupDialog({ group, onClose }: { group: ListedGroup; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const remove = async () => {
    setBusy(true)
    const refused = await afterwards(call(calls.removeNewForm, { params: { id: group.uid } }))
    setBusy(false)
    if (refused) return setFault(refused)
    toast({ title: t('manage.deleted'), text: group.name, tone: 'good' })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('manage.deleteTitle', { name: group.name })}>
      <p>
        {t('manage.deleteText', {
          units: group.units.length,
          channels: group.channels.length,
          users: group.users.length,
        })}
      </p>
      {fault ? <Alert color="red">{faultWords(fault)}</Alert> : null}
      <ModalFooter
        mayWrite
        dangerous
        busy={busy}
        okLabel={t('manage.delete')}
        onCancel={onClose}
        onOk={() => void remove()}
      />
    </Modal>
  )
}
