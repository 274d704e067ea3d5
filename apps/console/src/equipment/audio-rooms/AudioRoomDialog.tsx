// An audio room in parts: its name and interfaces, and the units and channels that belong to it.
import { interfaces } from '@backhaul/contract/api/interfaces'
import { type AudioRoom, NewAudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { MemberPicker } from '../../people/groups/MemberPicker.tsx'
import { saveRoom } from './audio-rooms.ts'

interface AudioRoomDialogProps extends ItemEnds {
  /** null: a new one. */
  room: AudioRoom | null
  inventory: string
}

export function AudioRoomDialog({ room, inventory, ...ends }: AudioRoomDialogProps) {
  const { t } = useTranslation('audioRooms')
  const record = useRecordForm({
    start: (): NewAudioRoom => ({
      name: room?.name ?? '',
      description: room?.description ?? '',
      interfaces: room?.interfaces ?? [],
      units: room?.units ?? [],
      channels: room?.channels ?? [],
    }),
    schema: NewAudioRoom,
    title: t('incomplete'),
    save: (request) => saveRoom(inventory, room, request),
  })
  const { values: form, set } = record

  return (
    <TabbedRecord
      title={room ? t('editTitle', { name: room.name }) : t('addTitle')}
      size={680}
      height={430}
      label={t('tabs.label')}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.name })}
      tabs={[
        {
          id: 'general',
          label: t('tabs.general'),
          fields: (
            <>
              <TextField record={record} name="name" label={t('column.name')} required data-autofocus />
              <TextField record={record} name="description" label={t('column.description')} />
              <InterfaceChoice
                inventory={inventory}
                chosen={form.interfaces}
                onChosen={(interfaces) => set({ interfaces })}
              />
            </>
          ),
        },
        ...(['unit', 'channel'] as const).map((kind) => ({
          id: `${kind}s`,
          label: t(`column.${kind}s`),
          count: form[`${kind}s`].length,
          fields: (
            <MemberPicker
              kind={kind}
              inventoryId={inventory}
              label={t(`column.${kind}s`)}
              chosen={form[`${kind}s`]}
              readOnly={false}
              onChosen={(ids) => set({ [`${kind}s`]: ids })}
            />
          ),
        })),
      ]}
      {...ends}
    />
  )
}

interface InterfaceChoiceProps {
  inventory: string
  chosen: string[]
  onChosen: (ids: string[]) => void
}

function InterfaceChoice({ inventory, chosen, onChosen }: InterfaceChoiceProps) {
  const { t } = useTranslation('audioRooms')
  const { data: ifbs = [] } = useRead(interfaces.ifbs, { params: { id: inventory } })
  return (
    <MultiSelect
      label={t('column.interfaces')}
      description={t('interfacesHint')}
      data={ifbs.map(({ id, name, serverName }) => ({ value: id, label: `${name} · ${serverName}` }))}
      value={chosen}
      searchable
      onChange={onChosen}
    />
  )
}
