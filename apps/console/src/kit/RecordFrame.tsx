import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/Dialog.tsx'
import { ModalFooter } from '../ui/ModalFooter.tsx'

interface RecordFrameProps {
  title: string
  size?: number | undefined
  /** Something was changed that closing the dialog would lose. */
  isChanged: boolean
  onClose: () => void
  children: ReactNode
}

/** The dialog around a record. Escape, the cross or a click outside of it may be a mistake; Cancel is meant. */
export function RecordFrame({ title, size, isChanged, onClose, children }: RecordFrameProps) {
  const [asksToLeave, setAsksToLeave] = useState(false)
  return (
    <Dialog
      onClose={() => (isChanged ? setAsksToLeave(true) : onClose())}
      closeOnEscape={!asksToLeave}
      size={size}
      title={title}
    >
      {children}
      {asksToLeave ? <LeaveQuestion onStay={() => setAsksToLeave(false)} onLeave={onClose} /> : null}
    </Dialog>
  )
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Dialog onClose={onStay} title={t('leave.title')}>
      <p>{t('leave.text')}</p>
      <ModalFooter mayWrite anyRole dangerous okLabel={t('leave.discard')} onCancel={onStay} onOk={onLeave} />
    </Dialog>
  )
}
