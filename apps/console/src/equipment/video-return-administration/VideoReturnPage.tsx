// /manage/video_return: the channels that bring the studio's picture to crews, with their inputs.
import type { AdministeredVrChannel } from '@backhaul/contract/nouns/video-return'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { inputName, returnGlyph } from '../../fleet/video-return/video-return.ts'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { ReturnChannelDialog } from './ReturnChannelDialog.tsx'
import { byServer, removeChannel, returnChannels } from './video-return-administration.ts'

export function VideoReturnPage() {
  const { t } = useTranslation('videoReturn')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedListScreen
      list={returnChannels}
      gridId="videoReturn"
      exportName="video-return"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byServer}
      searched={searched}
      idOf={({ uniqueId }) => uniqueId}
      form={(channel, more) => <ReturnChannelDialog key={channel?.uniqueId} channel={channel} {...more} />}
      question={({ uniqueId, name, serverName }) => ({
        title: t('removeTitle', { name }),
        text: t('removeText', { server: serverName }),
        run: () => removeChannel(uniqueId),
        done: { title: t('removed'), text: name },
      })}
    />
  )
}

const searched = ({ name, description, serverName, inventoryName, unitName }: AdministeredVrChannel) => [
  name,
  description,
  serverName,
  inventoryName,
  unitName,
]

function columnsOf(t: TFunction<'videoReturn'>): readonly GridColumn<AdministeredVrChannel>[] {
  const statusOf = ({ status }: AdministeredVrChannel) => t(`status.${status}`)
  const inputOf = ({ input, inputs, inputStandard }: AdministeredVrChannel) =>
    input === null ? '' : `${inputName(input, inputs)} · ${inputStandard}`
  return [
    textColumn('name', t('field.name'), 220, ({ name }) => name, { required: true }),
    statusColumn('status', t('column.status'), 190, statusOf, ({ status }) => returnGlyph(status)),
    textColumn('unit', t('column.unit'), 170, ({ unitName }) => unitName ?? ''),
    textColumn('input', t('column.input'), 150, inputOf),
    textColumn('mode', t('field.feedSelectionMode'), 170, ({ feedSelectionMode }) =>
      t(`mode.${feedSelectionMode}`),
    ),
    textColumn('codec', t('field.codec'), 90, ({ settings }) => settings.video.codec),
    figureColumn('bitrate', t('field.bitrateKbps'), 120, ({ settings }) => settings.video.bitrateKbps),
    textColumn('server', t('column.server'), 170, ({ serverName }) => serverName),
    textColumn('inventory', t('field.inventory'), 190, ({ inventoryName }) => inventoryName),
    textColumn('addresses', t('column.addresses'), 220, ({ urlData }) => urlData.join(', '), {
      hiddenAtFirst: true,
    }),
    textColumn('description', t('field.description'), 220, ({ description }) => description, {
      hiddenAtFirst: true,
    }),
  ]
}
