import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { usePreference } from '../session/preferences/preferences.ts'

/** The theme belongs to the user, not to the machine. */
export function useThemeOfPerson(): void {
  const theme = usePreference((all) => all.theme)
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme, setColorScheme])
}
