// Modules that every screen after the sign-in needs, in one file: each further file is one more round trip to core.
import { Shell } from './Shell.tsx'
import { Started } from './Started.tsx'
import { startWork } from './start-work.ts'

export const signedInParts = { Shell, Started, startWork }
