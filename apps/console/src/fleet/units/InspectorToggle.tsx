import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { withKey } from '../../ui/key-labels.ts'

interface InspectorToggleProps {
  open: boolean
  /** undefined: nothing is selected that it could show. */
  onOpen: ((open: boolean) => void) | undefined
}

/** The panel next to the list: open or closed, remembered (SC-ULIST-03). */
export function InspectorToggle({ open, onOpen }: InspectorToggleProps) {
  const { t } = useTranslation('units')
  const words = t(open ? 'inspector.close' : 'inspector.open')
  return (
    <button
      type="button"
      className="plain-button tool-button"
      aria-label={words}
      aria-expanded={open}
      aria-disabled={onOpen === undefined || undefined}
      data-tip={onOpen === undefined ? t('inspector.noneText') : withKey(words, 'I')}
      onClick={() => onOpen?.(!open)}
    >
      {open ? <IconLayoutSidebarRightCollapse size={16} /> : <IconLayoutSidebarRightExpand size={16} />}
    </button>
  )
}
