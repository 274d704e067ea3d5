import { Button, CopyButton as Copying } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Browsers give only pages of a secure origin access to the clipboard; elsewhere there is no button. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('ui')
  if (!navigator.clipboard) return null
  return (
    <Copying value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {t(copied ? 'copied' : 'copy')}
        </Button>
      )}
    </Copying>
  )
}
