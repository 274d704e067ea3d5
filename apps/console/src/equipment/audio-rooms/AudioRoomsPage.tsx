// /manage/audio_rooms: the audio rooms of a customer, and the way into them.
import type { AudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import { Alert } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useValue } from '../../ui/value.ts'
import { AudioRoomDialog } from './AudioRoomDialog.tsx'
import styles from './audio-rooms.module.css'
import { type AudioConnect, audioConnect, join, leave, removeRoom, rooms } from './audio-rooms.ts'

export function AudioRoomsPage() {
  const { t } = useTranslation('audioRooms')
  const { choice, inventory, ...list } = useCustomerList(rooms)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const filter = useMemo(() => textFilter(text, searched), [text])
  const now = useValue(audioConnect)
  const columns = useMemo(() => columnsOf(t, now), [t, now])
  const addButton = <AddButton label={t('add')} waits={list.state === 'loading'} onClick={add} />
  const enter = (id: string, echo: boolean) => {
    const room = list.store.get(id)
    if (room) void join(room, echo)
  }
  return (
    <ListScreen
      {...list}
      gridId="audioRooms"
      exportName="audio-rooms"
      label={t('title')}
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          {choice}
          <span className="quiet">{t('count', { count: list.items.length })}</span>
          {addButton}
        </>
      }
      notice={now.fault === undefined ? null : <Alert color="red">{now.fault}</Alert>}
      columns={columns}
      defaultCompare={byName}
      filter={filter}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        ...(now.room?.id === id
          ? [{ id: 'leave', label: t('state.leave'), run: () => void leave() }]
          : [
              { id: 'join', label: t('state.join'), run: () => enter(id, false) },
              { id: 'echo', label: t('echo'), run: () => enter(id, true) },
            ]),
        { id: 'edit', label: t('edit'), run: () => open('edit', id) },
        { id: 'delete', label: t('delete'), run: () => open('delete', id), danger: true },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
    >
      {over?.kind === 'edit' ? (
        <AudioRoomDialog
          key={over.item?.id}
          room={over.item}
          inventory={inventory}
          onDelete={() => over.item && open('delete', over.item.id)}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle', { name: over.item.name })}
          text={t('deleteText')}
          okLabel={t('delete')}
          run={() => removeRoom(over.item)}
          done={{ title: t('deleted'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: AudioRoom, b: AudioRoom): number => compareTexts(a.name, b.name)

const searched = ({ name, description }: AudioRoom) => [name, description]

function columnsOf(
  t: TFunction<'audioRooms'>,
  { room, state }: AudioConnect,
): readonly GridColumn<AudioRoom>[] {
  return [
    textColumn('name', t('column.name'), 220, ({ name }) => name, { required: true }),
    textColumn(
      'connect',
      t('column.connect'),
      160,
      ({ id }) => (id === room?.id ? t(`state.${state}`) : ''),
      {
        render: (one) => <JoinButton room={one} now={one.id === room?.id ? state : 'join'} />,
      },
    ),
    textColumn('participants', t('column.participants'), 220, ({ participants }) => participants.join(', ')),
    textColumn('description', t('column.description'), 240, ({ description }) => description),
    figureColumn('units', t('column.units'), 90, ({ units }) => units.length),
    figureColumn('channels', t('column.channels'), 100, ({ channels }) => channels.length),
    figureColumn('interfaces', t('column.interfaces'), 120, ({ interfaces }) => interfaces.length),
  ]
}

function JoinButton({ room, now }: { room: AudioRoom; now: AudioConnect['state'] }) {
  const { t } = useTranslation('audioRooms')
  const { state } = useValue(audioConnect)
  const isElsewhere = now === 'join' && state !== 'join'
  return (
    <button
      type="button"
      className={`plain-button tool-button ${styles.audioJoin}`}
      aria-label={t(`stateOf.${now}`, { name: room.name })}
      disabled={isElsewhere || now === 'connecting' || now === 'disconnecting'}
      onClick={(event) => {
        event.stopPropagation()
        void (now === 'leave' ? leave() : join(room, false))
      }}
    >
      {t(`state.${now}`)}
    </button>
  )
}
