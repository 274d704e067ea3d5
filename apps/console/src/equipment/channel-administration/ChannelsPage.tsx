// /manage/channels: the channels of an administrator's customers, with their kinds and servers.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { IconArrowsExchange, IconDatabaseImport } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channelGlyph } from '../../fleet/channels/channels.ts'
import { askForChannelLogs } from '../../fleet/device-logs/device-logs.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { LendChannelsDialog } from '../../people/channel-lending/LendChannelsDialog.tsx'
import { useGroups } from '../../people/groups/groups.ts'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { reasonText } from '../../texts/generic.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { useListVersion } from '../../ui/keyed-store.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useValue } from '../../ui/value.ts'
import { IngestAccountDialog } from '../ingest/IngestAccountDialog.tsx'
import { AllocationDialog } from './AllocationDialog.tsx'
import { type AllocationKind, allocationKinds, tallyClosed } from './allocations.ts'
import { ChannelDialog } from './ChannelDialog.tsx'
import { administeredChannels, byServer, removeChannel } from './channel-administration.ts'
import { destinationsColumn, useLiveDestinations } from './destination-states.tsx'
import { NewChannelDialog } from './NewChannelDialog.tsx'

export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { t: words } = useTranslation('multiview')
  const { t: destinations } = useTranslation('destinations')
  const list = useList(administeredChannels, [])
  useListVersion(list.store)
  useLiveDestinations(list.store.ids())
  const { over, add, open, close } = useListDialog<AdministeredChannel, 'delete' | AllocationKind>(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t, words, destinations), [t, words, destinations])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const addButton = <AddButton label={t('add')} waits={list.state === 'loading'} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="manageChannels"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          <IngestAccountButton />
          <LendButton />
          {addButton}
        </>
      }
      label={t('title')}
      columns={columns}
      defaultCompare={byServer}
      filter={matches}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => open('edit', id) },
        ...allocationKinds.map((kind) => ({
          id: kind,
          label: t(`allocation.${kind}.menu`),
          refusal: kind === 'tally' ? refusalOfTally() : undefined,
          run: () => open(kind, id),
        })),
        { id: 'logs', label: t('logs'), run: () => askForLogs(list.store.get(id)) },
        { id: 'delete', label: t('delete'), run: () => open('delete', id), danger: true },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="channels"
    >
      {over?.kind === 'edit' && over.item === null ? (
        <NewChannelDialog onMade={(id) => open('edit', id)} onClose={close} />
      ) : null}
      {over?.kind === 'edit' && over.item ? (
        <ChannelDialog
          key={over.item.uniqueId}
          channel={over.item}
          onDelete={() => open('delete', over.item?.uniqueId ?? '')}
          onClose={close}
        />
      ) : null}
      {over && isAllocation(over) ? (
        <AllocationDialog kind={over.kind} channel={over.item} onClose={close} />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('removeTitle', { name: over.item.name })}
          text={t('removeText', { server: over.item.serverName })}
          okLabel={t('delete')}
          run={() => removeChannel(over.item.uniqueId)}
          done={{ title: t('removed'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

/** The account at an ingest server, of the customer of the present group. */
function IngestAccountButton() {
  const { t } = useTranslation('channels')
  const inventory = useGroups().current
  const [isOpen, setOpen] = useState(false)
  if (!inventory) return null
  return (
    <>
      <button type="button" className="plain-button tool-button" onClick={() => setOpen(true)}>
        <IconDatabaseImport size={16} aria-hidden />
        <span>{t('ingestAccount')}</span>
      </button>
      {isOpen ? (
        <IngestAccountDialog
          inventory={{ id: inventory.inventoryId, name: inventory.inventoryName }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

/** The button that lends channels, for users who administer several customers. */
function LendButton() {
  const { t } = useTranslation('channels')
  const inventories = useValue(inventoryChoices)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {inventories.length > 1 ? (
        <button type="button" className="plain-button tool-button" onClick={() => setOpen(true)}>
          <IconArrowsExchange size={16} aria-hidden />
          <span>{t('lend.open')}</span>
        </button>
      ) : null}
      {isOpen ? <LendChannelsDialog inventories={inventories} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function askForLogs(channel: AdministeredChannel | undefined): void {
  if (!channel) return
  const { uniqueId: uid, name, serverId } = channel
  askForChannelLogs({ uid, name: displayedChannelName(name), serverId })
}

function refusalOfTally(): string | undefined {
  const closed = tallyClosed()
  return closed && reasonText(closed)
}

const isAllocation = <T extends { kind: string }>(
  over: T,
): over is T & { kind: AllocationKind; item: AdministeredChannel } =>
  (allocationKinds as readonly string[]).includes(over.kind)

const searched = ({ name, serverName, inventoryName, allocatedTo }: AdministeredChannel) => [
  name,
  serverName,
  inventoryName,
  allocatedTo,
]

function columnsOf(
  t: TFunction<'channels'>,
  words: TFunction<'multiview'>,
  destinations: TFunction<'destinations'>,
): readonly GridColumn<AdministeredChannel>[] {
  const statusOf = ({ status }: AdministeredChannel) => words(`status.${status}`)
  return [
    textColumn('name', t('field.name'), 240, ({ name }) => displayedChannelName(name), { required: true }),
    textColumn('kind', t('field.kind'), 120, ({ kind, inputType }) => words(`kind.${inputType ?? kind}`)),
    statusColumn('status', t('field.status'), 150, statusOf, channelGlyph),
    destinationsColumn(t('field.destinations'), destinations),
    textColumn('allocatedTo', t('field.allocatedTo'), 180, ({ allocatedTo }) => allocatedTo ?? ''),
    textColumn('server', t('field.server'), 200, ({ serverName }) => serverName),
    figureColumn('sdi', t('field.sdi'), 80, ({ sdiNo }) => sdiNo),
    textColumn('inventory', t('field.inventory'), 200, ({ inventoryName }) => inventoryName),
    textColumn('version', t('field.version'), 100, ({ liveuVersion }) => liveuVersion, {
      hiddenAtFirst: true,
    }),
  ]
}
