// The screens of this area; each is a value in the folder of its page.
import type { Screen } from '../kit/screen.ts'
import { licenceScreens } from './licences/screen.ts'
import { reportScreens } from './reports/screen.ts'
import { serviceScreens } from './services/screen.ts'
import { usageProfileScreens } from './usage-profiles/screen.ts'

export const usageScreens: readonly Screen[] = [
  ...licenceScreens,
  ...reportScreens,
  ...serviceScreens,
  ...usageProfileScreens,
]
