import { useMediaQuery } from '@mantine/hooks'

/** True if the screen is too narrow for anything next to the content. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
