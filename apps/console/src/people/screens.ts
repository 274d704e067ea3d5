// The screens of this area; each is a value in the folder of its page.
import type { Screen } from '../kit/screen.ts'
import { apiKeyScreens } from './api-keys/screen.ts'
import { groupScreens } from './groups/screen.ts'
import { userScreens } from './users/screen.ts'

export const peopleScreens: readonly Screen[] = [...apiKeyScreens, ...groupScreens, ...userScreens]
