import { Alert } from '@mantine/core'
import { useState } from 'react'
import type { Fault } from '../doors/api.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ModalFooter } from '../ui/ModalFooter.tsx'
import { toast } from '../ui/toasts.tsx'
import { useAct } from './act.ts'

export interface ConfirmDialogProps {
  title: string
  text: string
  /** The word on the button that does it. */
  okLabel: string
  /** A second question, after the first press: what would be interrupted. */
  second?: { text: string; okLabel: string } | undefined
  /** True if nothing is removed or ended by it. */
  isHarmless?: boolean
  run: () => Promise<Fault | undefined>
  /** Toast that is shown when it is done. */
  done: { title: string; text: string }
  onClose: () => void
}

/** Requires a confirmation of an action, most often a permanent one; core's refusal is shown in the same dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, okLabel, second, isHarmless = false, run, done, onClose } = props
  const [isSecond, setIsSecond] = useState(false)
  const act = useAct()
  const confirm = async () => {
    if (second !== undefined && !isSecond) return setIsSecond(true)
    if (!(await act.run(run))) return
    toast({ ...done, tone: 'good' })
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={title}>
      {second !== undefined && isSecond ? <Alert color="yellow">{second.text}</Alert> : <p>{text}</p>}
      {act.words ? <Alert color="red">{act.words}</Alert> : null}
      <ModalFooter
        mayWrite
        dangerous={!isHarmless}
        busy={act.busy}
        okLabel={isSecond ? (second?.okLabel ?? okLabel) : okLabel}
        onCancel={onClose}
        onOk={() => void confirm()}
      />
    </Dialog>
  )
}
