import { Alert, Modal } from '@mantine/core'
import { useState } from 'react'
import { type Fault, faultWords } from '../doors/api.ts'
import { ModalFooter } from '../ui/ModalFooter.tsx'
import { toast } from '../ui/toasts.tsx'

export interface ConfirmDialogProps {
  title: string
  text: string
  /** The word on the button that does it. */
  okLabel: string
  run: () => Promise<Fault | undefined>
  /** Said when it is done. */
  done: { title: string; text: string }
  onClose: () => void
}

/** Asks before something goes for good; core's refusal is shown where the question stands. */
export function ConfirmDialog({ title, text, okLabel, run, done, onClose }: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const act = async () => {
    setBusy(true)
    const refused = await run()
    setBusy(false)
    if (refused) return setFault(refused)
    toast({ ...done, tone: 'good' })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <p>{text}</p>
      {fault ? <Alert color="red">{faultWords(fault)}</Alert> : null}
      <ModalFooter
        mayWrite
        dangerous
        busy={busy}
        okLabel={okLabel}
        onCancel={onClose}
        onOk={() => void act()}
      />
    </Modal>
  )
}
