import { Button } from '@mantine/core'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFooter } from './DialogFooter.tsx'
import { RegularRole } from './regular-role.ts'

export interface ModalFooterProps {
  onCancel: () => void
  /** Saves and keeps the dialog open; only with the regular role (SC-WID-03). */
  onApply?: (() => void) | undefined
  /** Saves and closes; only with the regular role (SC-WID-04). */
  onOk?: (() => void) | undefined
  /** OK is the button of the form around, so that Enter in a field presses it too. */
  submits?: boolean
  onDelete?: (() => void) | undefined
  onRemove?: (() => void) | undefined
  /** Fills the form with the defaults; nothing is saved. */
  onDefault?: (() => void) | undefined
  /** Right that the dialog requires in addition to the regular role. */
  mayWrite: boolean
  /** A user's own data, and actions with a right of their own, require no regular role. */
  anyRole?: boolean
  busy?: boolean
  /** Another word for OK where the act has a name, for example "Stop". */
  okLabel?: string | undefined
  dangerous?: boolean
  /** The act has begun, and leaving the dialog does not cancel it: the button reads Close. */
  hasBegun?: boolean
}

/** The one footer of every dialog. The focus starts on Cancel when the act is dangerous. */
export function ModalFooter(props: ModalFooterProps) {
  const { t } = useTranslation('ui')
  const isRegular = useContext(RegularRole)
  const { busy = false, dangerous = false, hasBegun = false } = props
  const mayWrite = props.mayWrite && (props.anyRole === true || isRegular)
  return (
    <DialogFooter
      side={
        <>
          {mayWrite && props.onDefault ? (
            <Button variant="subtle" color="gray" onClick={props.onDefault}>
              {t('footer.default')}
            </Button>
          ) : null}
          {mayWrite && props.onDelete ? (
            <Button variant="light" color="red" onClick={props.onDelete} disabled={busy}>
              {t('footer.delete')}
            </Button>
          ) : null}
          {mayWrite && props.onRemove ? (
            <Button variant="light" color="red" onClick={props.onRemove} disabled={busy}>
              {t('footer.remove')}
            </Button>
          ) : null}
        </>
      }
    >
      <Button variant="default" onClick={props.onCancel} {...(dangerous ? { 'data-autofocus': true } : {})}>
        {t(hasBegun ? 'close' : 'footer.cancel')}
      </Button>
      {mayWrite && props.onApply ? (
        <Button variant="default" onClick={props.onApply} loading={busy}>
          {t('footer.apply')}
        </Button>
      ) : null}
      {mayWrite && props.onOk ? (
        <Button
          {...(props.submits ? { type: 'submit' } : { onClick: props.onOk })}
          loading={busy}
          {...(dangerous ? { color: 'red' } : {})}
        >
          {props.okLabel ?? t('footer.ok')}
        </Button>
      ) : null}
    </DialogFooter>
  )
}
