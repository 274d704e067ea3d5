// The dialogs of the shell: one at most is open.
import { createValue } from '../ui/value.ts'

export type ShellDialog = 'account' | 'preferences' | 'about' | 'keys' | 'palette'

export const shellDialog = createValue<ShellDialog | null>(null)

export const openDialog = (dialog: ShellDialog): void => shellDialog.set(dialog)
export const closeDialog = (): void => shellDialog.set(null)
