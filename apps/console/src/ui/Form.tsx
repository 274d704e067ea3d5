import type { ReactNode } from 'react'

interface FormProps {
  className?: string | undefined
  onSubmit: () => void
  children: ReactNode
}

/** A form whose faults are shown at its fields, not by the browser. Its submit is its own, also within another form. */
export function Form({ className, onSubmit, children }: FormProps) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React passes the event of a dialog over a dialog to the form beneath as well.
        event.stopPropagation()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
