import { IconPlus } from '@tabler/icons-react'

interface AddButtonProps {
  label: string
  /** True until the choices for a new one are there. */
  waits?: boolean
  onClick: () => void
}

/** In the toolbar of a list, and where the list is empty. */
export function AddButton({ label, waits = false, onClick }: AddButtonProps) {
  return (
    <button type="button" className="plain-button tool-button" disabled={waits} onClick={onClick}>
      <IconPlus size={16} aria-hidden />
      <span>{label}</span>
    </button>
  )
}
