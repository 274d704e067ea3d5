// Arrivals of devices in groups or inventories, and departures: read-only, filtered and exported.
import {
  type DeviceHistory,
  HistoryAction,
  type HistoryKind,
} from '@backhaul/contract/nouns/device-histories'
import { NativeSelect } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useFoundList } from '../../kit/lists.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { SettingPages } from '../system-settings/SettingPages.tsx'
import { histories } from './device-histories.ts'

export function HistoryPage({ kind }: { kind: HistoryKind }) {
  const { t } = useTranslation('deviceHistories')
  const [text, setText] = useState('')
  const [action, setAction] = useState<HistoryAction>()
  const list = useFoundList(histories[kind], text, [action, 1])
  const columns = useMemo(() => columnsOf(t, kind), [t, kind])
  const isNarrowed = text !== '' || action !== undefined
  return (
    <SettingPages shown={`history_device_${kind}`}>
      <ListScreen
        {...list}
        gridId={`history.${kind}`}
        label={t(`title.${kind}`)}
        exportName={`history-device-${kind}`}
        search={{ label: t('search'), text, onText: setText }}
        actions={
          <NativeSelect
            size="xs"
            aria-label={t('column.action')}
            value={action ?? ''}
            onChange={({ currentTarget }) => setAction(HistoryAction.safeParse(currentTarget.value).data)}
            data={[
              { value: '', label: t('anyAction') },
              ...HistoryAction.options.map((value) => ({ value, label: t(`action.${value}`) })),
            ]}
          />
        }
        columns={columns}
        defaultCompare={byNewest}
        asked={list.answer}
        empty={t(isNarrowed ? 'noMatch' : 'empty', { returnObjects: true })}
        noMatch={t('noMatch', { returnObjects: true })}
      />
    </SettingPages>
  )
}

const byNewest = (a: DeviceHistory, b: DeviceHistory): number =>
  Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1)

const columnsOf = (
  t: TFunction<'deviceHistories'>,
  kind: HistoryKind,
): readonly GridColumn<DeviceHistory>[] => [
  timeColumn('at', t('column.at'), 190, ({ at }) => at, { required: true }),
  textColumn('device', t('column.device'), 240, ({ deviceName }) => deviceName),
  textColumn('action', t('column.action'), 120, ({ action }) => t(`action.${action}`)),
  textColumn('target', t(`column.${kind}`), 260, ({ targetName }) => targetName),
  textColumn('by', t('column.by'), 200, ({ by }) => by ?? t('byCore')),
]
