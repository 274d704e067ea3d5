// English by code. `{{name}}` is filled from the parameter of that name. A published code is kept; wording.ts contains the
// rules for the texts.
import { devices } from './devices.ts'
import { general } from './general.ts'
import { people } from './people.ts'
import { programme } from './programme.ts'
import { transmission } from './transmission.ts'

export const refusals = { ...general, ...people, ...devices, ...transmission, ...programme } as const
