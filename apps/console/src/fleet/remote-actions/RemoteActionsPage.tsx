// /psg, /contractor and /support/remote_actions: a device is picked by serial number or name, then acted on from afar.

import { shortProductName } from '@backhaul/contract/nouns/products'
import type { RemoteAction, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useFoundList } from '../../kit/lists.ts'
import { givenReason } from '../../texts/generic.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridMenuItem } from '../../ui/grid/GridMenu.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts, dateAndTime } from '../../ui/locale.ts'
import { presenceLook } from '../../ui/StatusGlyph.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useAccessNews } from '../access-approvals/access-approvals.ts'
import { RemoteLogsDialog } from './RemoteLogsDialog.tsx'
import { actOn, devices, shownAtMost } from './remote-actions.ts'
import { TargetVersionDialog } from './TargetVersionDialog.tsx'

/** Devices come and go by themselves. */
const refreshMs = 10_000

/** Actions that only need a confirmation. */
type Confirmed = Exclude<RemoteAction, 'checkAccess' | 'sendLogs' | 'setTargetVersion'>

const harmless: readonly RemoteAction[] = [
  'checkAccess',
  'sendLogs',
  'setTargetVersion',
  'clearTargetVersion',
]

export function RemoteActionsPage() {
  const { t } = useTranslation('remoteActions')
  const [text, setText] = useState('')
  const list = useFoundList(devices, text, [], { everyMs: refreshMs })
  useAccessNews(
    list.items.map(({ device }) => device),
    devices.refresh,
  )
  const { total = 0, search } = list.answer ?? {}
  const { over, open, close } = useListDialog<RemoteDevice, RemoteAction>(list.store)
  const columns = useMemo(() => columnsOf(t), [t])

  const menuOf = (id: string): GridMenuItem[] =>
    (list.store.get(id)?.actions ?? []).map(({ name, refusal, cause }) => ({
      id: name,
      label: t(`action.${name}.label`),
      // Received logs can be saved at any time.
      refusal: name === 'sendLogs' && !isWithoutAccess(cause) ? undefined : reasonOf({ refusal, cause }),
      danger: !harmless.includes(name),
      run: () => (name === 'checkAccess' ? void checkAccess(id) : open(name, id)),
    }))

  async function checkAccess(id: string): Promise<void> {
    const device = list.store.get(id)
    if (!device) return
    const fault = await actOn(device, 'checkAccess')
    const until = list.store.get(id)?.accessUntil ?? device.accessUntil
    if (fault) toast({ ...fault, tone: 'warning' })
    else
      toast({
        title: t('action.checkAccess.done', { name: device.name }),
        text: until === null ? '' : t('granted', { time: dateAndTime(new Date(until)) }),
        tone: 'good',
      })
  }

  return (
    <ListScreen
      {...list}
      gridId="remoteActions"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost, total })}</span> : null
      }
      label={t('title')}
      columns={columns}
      defaultCompare={byName}
      asked={search}
      onOpen={(id) => void checkAccess(id)}
      rowMenu={menuOf}
      empty={t(text.trim() === '' ? 'empty' : 'noMatch', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="remote-actions"
    >
      {over !== null && over.kind !== 'edit' ? (
        <ActionDialog device={over.item} action={over.kind} onClose={close} />
      ) : null}
    </ListScreen>
  )
}

interface ActionDialogProps {
  device: RemoteDevice
  action: RemoteAction
  onClose: () => void
}

function ActionDialog({ device, action, onClose }: ActionDialogProps) {
  if (action === 'sendLogs') return <RemoteLogsDialog device={device} onClose={onClose} />
  if (action === 'setTargetVersion') return <TargetVersionDialog device={device} onClose={onClose} />
  if (action === 'checkAccess') return null
  return <Confirmation device={device} action={action} onClose={onClose} />
}

function Confirmation({ device, action, onClose }: ActionDialogProps & { action: Confirmed }) {
  const { t } = useTranslation('remoteActions')
  const { name, inventoryName: customer } = device
  const interrupts = device.busy && (action === 'reboot' || action === 'restart')
  return (
    <ConfirmDialog
      title={t(`action.${action}.title`, { name })}
      text={t(`action.${action}.text`, { name, customer })}
      okLabel={t(`action.${action}.ok`)}
      second={interrupts ? { text: t('busy', { name }), okLabel: t(`action.${action}.anyway`) } : undefined}
      isHarmless={harmless.includes(action)}
      run={() => actOn(device, action)}
      done={{ title: t(`action.${action}.done`), text: name }}
      onClose={onClose}
    />
  )
}

type Possibility = Pick<RemoteDevice['actions'][number], 'refusal' | 'cause'>

const reasonOf = ({ refusal, cause }: Possibility): string | undefined =>
  givenReason({ reason: refusal, cause }) || undefined

const isWithoutAccess = (cause: Possibility['cause']): boolean => cause?.code === 'access.missing'

const byName = (a: RemoteDevice, b: RemoteDevice): number =>
  compareTexts(a.name, b.name) || compareTexts(a.device, b.device)

function columnsOf(t: TFunction<'remoteActions'>): readonly GridColumn<RemoteDevice>[] {
  /** The possible actions now; without the access of the customer, that it is missing. */
  const possible = ({ actions }: RemoteDevice) => {
    const closed = actions.find(({ cause }) => isWithoutAccess(cause))
    if (closed) return reasonOf(closed) ?? ''
    const open = actions.filter(({ name, refusal }) => name !== 'checkAccess' && refusal === null)
    return open.map(({ name }) => t(`action.${name}.label`)).join(', ')
  }
  return [
    textColumn('name', t('column.name'), 200, ({ name }) => name, { required: true }),
    textColumn('serialNumber', t('column.serialNumber'), 170, ({ serialNumber }) => serialNumber),
    textColumn('inventory', t('column.inventory'), 220, ({ inventoryName }) => inventoryName),
    textColumn('type', t('column.type'), 130, ({ type }) => shortProductName(type)),
    statusColumn(
      'state',
      t('column.state'),
      110,
      ({ offline }) => t(offline ? 'offline' : 'online'),
      ({ offline }) => presenceLook(!offline),
    ),
    textColumn('swVersion', t('column.swVersion'), 100, ({ swVersion }) => swVersion),
    timeColumn('accessUntil', t('column.accessUntil'), 190, ({ accessUntil }) => accessUntil),
    textColumn('actions', t('column.actions'), 330, possible),
  ]
}
