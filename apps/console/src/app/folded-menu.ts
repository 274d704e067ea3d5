// The main menu on a narrow screen: folded away until it is opened.
import { createValue } from '../ui/value.ts'

export const menuUnfolded = createValue(false)

export const foldMenu = (): void => menuUnfolded.set(false)
