import { createContext } from 'react'

/** True if the user holds the regular role, without which no dialog has Apply and OK (RO-PERM-23). */
export const RegularRole = createContext(false)
