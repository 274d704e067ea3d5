// The dialogs that any screen may open: about a unit, and of the shell.
import { SupportAccessDialog } from '../features/access-approvals/SupportAccessDialog.tsx'
import { AiSessionDialog } from '../features/ai-sessions/AiSessionDialog.tsx'
import { LogsDialog } from '../features/device-logs/LogsDialog.tsx'
import { UnitStoriesDialog } from '../features/stories/UnitStoriesDialog.tsx'
import { ConfigurationDialog } from '../features/unit-settings/ConfigurationDialog.tsx'
import { EditDialog } from '../features/units/EditDialog.tsx'
import { ResolutionDialog } from '../features/units/ResolutionDialog.tsx'
import { SpeedTestDialog } from '../features/units/SpeedTestDialog.tsx'
import { StopDialog } from '../features/units/StopDialog.tsx'
import { WhatsNewDialog } from '../features/whats-new/WhatsNewDialog.tsx'
import { useValue } from '../ui/value.ts'
import { AboutDialog } from './AboutDialog.tsx'
import { AccountDialog } from './AccountDialog.tsx'
import { closeDialog, shellDialog } from './dialogs.ts'
import { PreferencesDialog } from './PreferencesDialog.tsx'

export function Dialogs() {
  const dialog = useValue(shellDialog)
  return (
    <>
      <EditDialog />
      <StopDialog />
      <ResolutionDialog />
      <ConfigurationDialog />
      <SpeedTestDialog />
      <LogsDialog />
      <SupportAccessDialog />
      <UnitStoriesDialog />
      <AiSessionDialog />
      <WhatsNewDialog />
      <AccountDialog opened={dialog === 'account'} onClose={closeDialog} />
      <PreferencesDialog opened={dialog === 'preferences'} onClose={closeDialog} />
      <AboutDialog opened={dialog === 'about'} onClose={closeDialog} />
    </>
  )
}
