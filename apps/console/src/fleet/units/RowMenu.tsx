// The menu of a row of the unit list: what can be done with the unit, or the server.
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { GridMenu, type GridMenuItem, type GridMenuPlace } from '../../ui/grid/GridMenu.tsx'
import { printed } from '../../ui/key-labels.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { askForAccess } from '../access-approvals/access-approvals.ts'
import { askForAi } from '../ai-sessions/ai-sessions.ts'
import { askForLogs } from '../device-logs/device-logs.ts'
import { liveServers, type ServerRow } from '../servers/servers.ts'
import { askForStories } from '../stories/stories.ts'
import { askForConfiguration } from '../unit-settings/unit-settings.ts'
import { askForSharing, askToEdit, askToTest } from './asked.ts'
import { pressStart } from './StartButton.tsx'
import { logsRefusal, startRefusal } from './unit-presentation.ts'
import { unitKeys } from './units.ts'
import { type LiveUnit, unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

interface RowMenuProps extends GridMenuPlace {
  id: string
  onOpen: (id: string) => void
}

export function RowMenu({ id, onOpen, ...place }: RowMenuProps) {
  const unit = useItem(unitStore, id)
  const server = useItem(liveServers, id)
  const ofServer = useServerItems(onOpen)
  const ofUnit = useUnitItems(onOpen)
  return <GridMenu {...place} items={unit ? ofUnit(unit) : server ? ofServer(server) : []} />
}

function useServerItems(onOpen: (id: string) => void): (server: ServerRow) => GridMenuItem[] {
  const { t } = useTranslation('units')
  const { t: serverWords } = useTranslation('servers')
  const navigate = useNavigate()
  const mayAdminister = useMay('administerDevices')
  const administer = {
    id: 'administer',
    label: serverWords('administer'),
    run: () => void navigate({ to: '/manage/devices' }),
  }
  return ({ deviceId }) => [
    { id: 'open', label: t('menu.open'), keys: 'Enter', run: () => onOpen(deviceId) },
    ...onlyIf(mayAdminister, administer),
  ]
}

function useUnitItems(onOpen: (id: string) => void): (unit: LiveUnit) => GridMenuItem[] {
  const { t } = useTranslation('units')
  const mayOperate = useMay('operateUnits')
  const mayGrant = useMay('grantSupportAccess')
  const mayUseAi = useMay('useAi')
  const mayShare = useMay('administerShares')
  const { start } = useUnitActions()

  function startItem(unit: LiveUnit): GridMenuItem {
    const refusal = startRefusal(unit, mayOperate)
    return {
      id: 'start',
      label: t(unit.transmission === null ? 'menu.start' : 'menu.stop'),
      keys: printed(unitKeys.startStop),
      refusal: refusal === undefined ? undefined : 'text' in refusal ? refusal.text : t(refusal.key),
      run: () => pressStart(unit, mayOperate, start),
    }
  }

  const operated = (unit: LiveUnit): GridMenuItem[] => [
    { id: 'logs', label: t('menu.logs'), refusal: logsRefusal(unit), run: () => askForLogs(unit) },
    {
      id: 'rename',
      label: t('menu.rename'),
      keys: printed(unitKeys.rename),
      run: () => askToEdit(unit.uid, 'name'),
    },
    {
      id: 'comment',
      label: t('menu.comment'),
      keys: printed(unitKeys.comment),
      run: () => askToEdit(unit.uid, 'comment'),
    },
    { id: 'speedTest', label: t('menu.speedTest'), run: () => askToTest(unit.uid) },
  ]

  return (unit) => [
    { id: 'open', label: t('menu.open'), keys: 'Enter', run: () => onOpen(unit.uid) },
    startItem(unit),
    { id: 'configure', label: t('menu.configure'), run: () => askForConfiguration(unit) },
    ...(mayOperate ? operated(unit) : []),
    { id: 'stories', label: t('menu.stories'), run: () => askForStories(unit) },
    ...onlyIf(mayUseAi, { id: 'ai', label: t('menu.ai'), run: () => askForAi(unit) }),
    ...onlyIf(mayShare, { id: 'sharing', label: t('menu.sharing'), run: () => askForSharing(unit.uid) }),
    ...onlyIf(mayGrant, { id: 'access', label: t('menu.access'), run: () => askForAccess(unit) }),
  ]
}

const onlyIf = (may: boolean, item: GridMenuItem): GridMenuItem[] => (may ? [item] : [])
