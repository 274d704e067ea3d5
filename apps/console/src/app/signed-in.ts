// What every screen behind the sign-in needs, in one file: each file more is one more way to core and back.
import { reportPageVisit } from './page-visits.ts'
import { Shell } from './Shell.tsx'
import { Started } from './Started.tsx'
import { startWork } from './start-work.ts'

export const signedInParts = { reportPageVisit, Shell, Started, startWork }
