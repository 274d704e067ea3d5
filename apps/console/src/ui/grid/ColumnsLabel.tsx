import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Icon and word of the button of the columns. */
export function ColumnsLabel() {
  const { t } = useTranslation('ui')
  return (
    <>
      <IconColumns3 size={16} aria-hidden />
      <span className="tool-word">{t('grid.columns')}</span>
    </>
  )
}

/** The empty place of the button until it is loaded, so that its neighbours keep theirs. */
export function ColumnsPlace() {
  return (
    <span className="plain-button tool-button" aria-hidden style={{ visibility: 'hidden' }}>
      <ColumnsLabel />
    </span>
  )
}
