import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { Form } from './Form.tsx'
import { ModalFooter, type ModalFooterProps } from './ModalFooter.tsx'

interface DialogFormProps extends Omit<ModalFooterProps, 'submits' | 'dangerous'> {
  onOk: () => void
  /** The fault, where no field shows it. */
  fault?: string | undefined
  children: ReactNode
}

/** The one form of every dialog: its fields, what went wrong, and the footer, whose OK is Enter as well. */
export function DialogForm({ fault, children, ...footer }: DialogFormProps) {
  return (
    <Form
      onSubmit={() => {
        if (footer.mayWrite && !footer.busy) footer.onOk()
      }}
    >
      {children}
      {fault === undefined ? null : (
        <Alert color="red" mt="sm">
          {fault}
        </Alert>
      )}
      <ModalFooter {...footer} submits />
    </Form>
  )
}
