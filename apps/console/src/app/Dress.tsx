import { MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cssVariables, themeWith } from '../ui/theme.ts'

/** The component kit in our tokens and in the words of the language. */
export function Dress({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui')
  const theme = useMemo(() => themeWith(t('close')), [t])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="dark">
      {children}
    </MantineProvider>
  )
}
