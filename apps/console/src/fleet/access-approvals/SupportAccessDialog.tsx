// Access of the vendor's support to a device: its state, and the grant or its end.
import { accessApprovals as calls } from '@backhaul/contract/api/access-approvals'
import { type AccessApproval, isAccessOpen } from '@backhaul/contract/nouns/access-approvals'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { askedAccess, grantAccess, revokeAccess, useAccessNews } from './access-approvals.ts'

export function SupportAccessDialog() {
  const { t } = useTranslation('accessApprovals')
  const device = useValue(askedAccess)
  const close = () => askedAccess.set(null)
  return (
    <Dialog opened={device !== null} onClose={close} title={t('dialogTitle', { name: device?.name })}>
      {device ? <SupportAccess key={device.uid} device={device} onClose={close} /> : null}
    </Dialog>
  )
}

interface SupportAccessProps {
  device: { uid: string; name: string }
  onClose: () => void
}

function SupportAccess({ device, onClose }: SupportAccessProps) {
  const { t } = useTranslation('accessApprovals')
  const { data, errorText, again } = useRead(
    calls.list,
    { query: { device: device.uid, limit: 1 } },
    { isStart: true },
  )
  useAccessNews([device.uid], again)
  /** null: it never had one. */
  const newest = data && (data.items[0] ?? null)
  const change = useAct()
  const fault = change.words ?? errorText
  const isOpen = newest != null && isAccessOpen(newest, Date.now())

  async function act(): Promise<void> {
    const ask = () => (isOpen ? revokeAccess(newest.id) : grantAccess(device.uid))
    if (!(await change.run(ask))) return
    toast({ title: t(isOpen ? 'revoked' : 'granted'), text: device.name, tone: 'good' })
    onClose()
  }

  return (
    <>
      <div className="form-fields">
        <p>{t('dialogText')}</p>
        {newest ? <p role="status">{wordsOf(newest, isOpen)}</p> : null}
        {fault === undefined ? null : <Alert color="red">{fault}</Alert>}
      </div>
      <ModalFooter
        mayWrite={newest !== undefined}
        busy={change.busy}
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
