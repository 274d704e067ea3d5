// The main menu on a narrow screen: folded away until somebody asks for it.
import { createValue } from '../ui/value.ts'

export const menuUnfolded = createValue(false)

export const foldMenu = (): void => menuUnfolded.set(false)
