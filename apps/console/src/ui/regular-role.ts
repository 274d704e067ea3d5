import { createContext } from 'react'

/** Whether the user holds the regular role, without which no dialog has Apply and OK (RO-PERM-23). */
export const RegularRole = createContext(false)
