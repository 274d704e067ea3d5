import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface ModalFooterProps {
  onCancel: () => void
  /** Saves and keeps the dialog open; needs the right to write (SC-WID-03). */
  onApply?: (() => void) | undefined
  /** Saves and closes; needs the right to write (SC-WID-04). */
  onOk?: (() => void) | undefined
  /** OK is the button of the form around, so that Enter in a field presses it too. */
  submits?: boolean
  onDelete?: (() => void) | undefined
  onRemove?: (() => void) | undefined
  /** Fills the form with the defaults; nothing is saved. */
  onDefault?: (() => void) | undefined
  mayWrite: boolean
  busy?: boolean
  /** Another word for OK where the act has a name, for example "Stop". */
  okLabel?: string
  dangerous?: boolean
}

/** The one footer of every dialog. The focus starts on Cancel when the act is dangerous. */
export function ModalFooter(props: ModalFooterProps) {
  const { t } = useTranslation('ui')
  const { mayWrite, busy = false, dangerous = false } = props
  return (
    <footer className="modal-footer">
      <div className="modal-footer-side">
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
      </div>
      <Button variant="default" onClick={props.onCancel} {...(dangerous ? { 'data-autofocus': true } : {})}>
        {t('footer.cancel')}
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
    </footer>
  )
}
