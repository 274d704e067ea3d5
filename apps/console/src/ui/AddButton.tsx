import { IconPlus } from '@tabler/icons-react'

interface AddButtonProps {
  label: string
  /** What a new one chooses from is not there yet. */
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
