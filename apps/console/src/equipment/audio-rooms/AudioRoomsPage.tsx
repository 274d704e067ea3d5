// /manage/audio_rooms: the audio rooms of a customer, and the way into them.
import type { AudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import { Alert } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { useValue } from '../../ui/value.ts'
import { AudioRoomDialog } from './AudioRoomDialog.tsx'
import styles from './audio-rooms.module.css'
import { type AudioConnect, audioConnect, join, leave, removeRoom, rooms } from './audio-rooms.ts'

export function AudioRoomsPage() {
  const { t } = useTranslation('audioRooms')
  const { choice, inventory, ...list } = useCustomerList(rooms)
  const now = useValue(audioConnect)
  const columns = useMemo(() => columnsOf(t, now), [t, now])
  return (
    <EditedItems
      list={list}
      gridId="audioRooms"
      exportName="audio-rooms"
      words={t('list', { returnObjects: true })}
      actions={
        <>
          {choice}
          <span className="quiet">{t('count', { count: list.items.length })}</span>
        </>
      }
      notice={now.fault === undefined ? null : <Alert color="red">{now.fault}</Alert>}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      actsOf={(room) =>
        now.room?.id === room.id
          ? [{ id: 'leave', label: t('state.leave'), run: () => void leave() }]
          : [
              { id: 'join', label: t('state.join'), run: () => void join(room, false) },
              { id: 'echo', label: t('echo'), run: () => void join(room, true) },
            ]
      }
      form={(room, more) => <AudioRoomDialog key={room?.id} room={room} inventory={inventory} {...more} />}
      question={(room) => ({
        title: t('deleteTitle', { name: room.name }),
        text: t('deleteText'),
        run: () => removeRoom(room),
        done: { title: t('deleted'), text: room.name },
      })}
    />
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
