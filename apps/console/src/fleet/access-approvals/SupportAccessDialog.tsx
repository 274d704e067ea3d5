// Whether the vendor's support may come to a device: how it stands, and the grant or its end.
import { type AccessApproval, isAccessOpen } from '@backhaul/contract/nouns/access-approvals'
import { Alert, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { askedAccess, grantAccess, newestAccess, revokeAccess } from './access-approvals.ts'

export function SupportAccessDialog() {
  const { t } = useTranslation('accessApprovals')
  const device = useValue(askedAccess)
  const close = () => askedAccess.set(null)
  return (
    <Modal opened={device !== null} onClose={close} title={t('dialogTitle', { name: device?.name })}>
      {device ? <SupportAccess key={device.uid} device={device} onClose={close} /> : null}
    </Modal>
  )
}

interface SupportAccessProps {
  device: { uid: string; name: string }
  onClose: () => void
}

function SupportAccess({ device, onClose }: SupportAccessProps) {
  const { t } = useTranslation('accessApprovals')
  const [newest, setNewest] = useState<AccessApproval | null>()
  const saving = useSaving()
  const { refuse } = saving
  useEffect(() => {
    newestAccess(device.uid).then(setNewest, (error) => refuse(describeFault(error)))
  }, [device.uid, refuse])
  const isOpen = newest != null && isAccessOpen(newest, Date.now())

  async function act(): Promise<void> {
    const ask = () => (isOpen ? revokeAccess(newest.id) : grantAccess(device.uid))
    if (!(await saving.run(ask))) return
    toast({ title: t(isOpen ? 'revoked' : 'granted'), text: device.name, tone: 'good' })
    onClose()
  }

  return (
    <>
      <p>{t('dialogText')}</p>
      {newest ? <p role="status">{wordsOf(newest, isOpen)}</p> : null}
      {saving.words === undefined ? null : <Alert color="red">{saving.words}</Alert>}
      <ModalFooter
        mayWrite={newest !== undefined}
        busy={saving.busy}
        dangerous={isOpen}
        okLabel={t(isOpen ? 'revoke' : 'grant')}
        onCancel={onClose}
        onOk={() => void act()}
      />
    </>
  )

  function wordsOf({ end, grantedBy, usedBy, usedOn }: AccessApproval, open: boolean): string {
    const use = usedOn && usedBy ? t('wasUsed', { usedBy, time: dateAndTime(new Date(usedOn)) }) : t('unused')
    return `${t(open ? 'openUntil' : 'endedOn', { time: dateAndTime(new Date(end)), grantedBy })} ${use}`
  }
}
