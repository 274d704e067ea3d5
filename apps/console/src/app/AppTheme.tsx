import { MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cssVariables, themeWith } from '../ui/theme.ts'

/** The theme of the component kit: our tokens, and its texts in the user's language. */
export function AppTheme({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui')
  const theme = useMemo(() => themeWith(t('close')), [t])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="dark">
      {children}
    </MantineProvider>
  )
}
