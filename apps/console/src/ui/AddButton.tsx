import { IconPlus } from '@tabler/icons-react'

/** In the toolbar of a list, and where the list is empty. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="plain-button tool-button" onClick={onClick}>
      <IconPlus size={16} aria-hidden />
      <span>{label}</span>
    </button>
  )
}
