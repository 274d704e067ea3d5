// The dialogs that any screen may open: about a unit, and of the shell.
import { SupportAccessDialog } from '../fleet/access-approvals/SupportAccessDialog.tsx'
import { AiSessionDialog } from '../fleet/ai-sessions/AiSessionDialog.tsx'
import { LogsDialog } from '../fleet/device-logs/LogsDialog.tsx'
import { SharingDialog } from '../fleet/shares/SharingDialog.tsx'
import { UnitStoriesDialog } from '../fleet/stories/UnitStoriesDialog.tsx'
import { ConfigurationDialog } from '../fleet/unit-settings/ConfigurationDialog.tsx'
import { EditDialog } from '../fleet/units/EditDialog.tsx'
import { ResolutionDialog } from '../fleet/units/ResolutionDialog.tsx'
import { SpeedTestDialog } from '../fleet/units/SpeedTestDialog.tsx'
import { StopDialog } from '../fleet/units/StopDialog.tsx'
import { WhatsNewDialog } from '../platform/whats-new/WhatsNewDialog.tsx'
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
      <SharingDialog />
      <AiSessionDialog />
      <WhatsNewDialog />
      <AccountDialog opened={dialog === 'account'} onClose={closeDialog} />
      <PreferencesDialog opened={dialog === 'preferences'} onClose={closeDialog} />
      <AboutDialog opened={dialog === 'about'} onClose={closeDialog} />
    </>
  )
}
