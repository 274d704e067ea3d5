// The sheet of keys and the palette: they list what every screen offers.
import { CommandPalette } from '../ui/CommandPalette.tsx'
import { KeySheet } from '../ui/KeySheet.tsx'
import { useValue } from '../ui/value.ts'
import { useCommands } from './commands.ts'
import { closeDialog, shellDialog } from './dialogs.ts'
import { useKeyGroups } from './keys.ts'

export function ShellDialogs() {
  const dialog = useValue(shellDialog)
  const groups = useKeyGroups()
  const commands = useCommands()
  return (
    <>
      <KeySheet groups={groups} opened={dialog === 'keys'} onClose={closeDialog} />
      <CommandPalette commands={commands} opened={dialog === 'palette'} onClose={closeDialog} />
    </>
  )
}
