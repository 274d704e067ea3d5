// Every screen of the console: the lists of the areas, folded into one.
import { equipmentScreens } from '../equipment/screens.ts'
import { fleetScreens } from '../fleet/screens.ts'
import type { Screen } from '../kit/screen.ts'
import { peopleScreens } from '../people/screens.ts'
import { platformScreens } from '../platform/screens.ts'
import { usageScreens } from '../usage/screens.ts'

export const screens: readonly Screen[] = [
  ...fleetScreens,
  ...peopleScreens,
  ...equipmentScreens,
  ...usageScreens,
  ...platformScreens,
]
