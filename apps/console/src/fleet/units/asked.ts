// Requested dialogs about a unit, wherever they are pressed: a row, the inspector, a key. The dialogs come later.
import { createValue } from '../../ui/value.ts'

export interface EditRequest {
  uid: string
  field: 'name' | 'comment'
}

export const editAsked = createValue<EditRequest | null>(null)
/** Opens name and comment of a unit, the cursor in the field that was meant. */
export const askToEdit = (uid: string, field: EditRequest['field']): void => editAsked.set({ uid, field })

export const stopAsked = createValue<string | null>(null)
export const askToStop = (uid: string): void => stopAsked.set(uid)

export const testAsked = createValue<string | null>(null)
export const askToTest = (uid: string): void => testAsked.set(uid)

export const conflictAsked = createValue<string | null>(null)
/** Shows why the picture cannot go to its channel. */
export const showConflict = (uid: string): void => conflictAsked.set(uid)

export const sharingAsked = createValue<string | null>(null)
/** Opens whether, and with whom, the channel of a unit is shared. */
export const askForSharing = (uid: string): void => sharingAsked.set(uid)
