// /contractor/entities and /psg/system_entities: the lists of an area below the names of all of them.
import { type ComponentType, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildPages } from '../../ui/ChildPages.tsx'
import { type EntityArea, type EntityList, entityAreas } from './entities.ts'

const ServerRecords = lazy(() =>
  import('../device-administration/ServerRecords.tsx').then((all) => ({ default: all.ServerRecords })),
)

const lists: Readonly<Record<EntityList, ComponentType>> = {
  inventories: lazy(() =>
    import('../inventories/InventoriesPage.tsx').then((all) => ({ default: all.InventoriesPage })),
  ),
  groups: lazy(() => import('../groups/GroupsPage.tsx').then((all) => ({ default: all.GroupsPage }))),
  units: lazy(() =>
    import('../device-administration/UnitRecords.tsx').then((all) => ({ default: all.UnitRecords })),
  ),
  mmhServers: () => <ServerRecords type="mmh_server" />,
  vrServers: () => <ServerRecords type="vr_server" />,
  ingestServers: () => <ServerRecords type="ingest_server" />,
  transceiverServers: () => <ServerRecords type="transceiver_server" />,
  users: lazy(() => import('../users/UsersPage.tsx').then((all) => ({ default: all.UsersPage }))),
  channels: lazy(() =>
    import('../channel-administration/ChannelsPage.tsx').then((all) => ({ default: all.ChannelsPage })),
  ),
  vrChannels: lazy(() =>
    import('../video-return-administration/VideoReturnPage.tsx').then((all) => ({
      default: all.VideoReturnPage,
    })),
  ),
  dbGateways: () => <ServerRecords type="db_gateway" />,
  ifbServers: () => <ServerRecords withIfb />,
}

export function EntitiesPage({ area, list }: { area: EntityArea; list: EntityList }) {
  const { t } = useTranslation('entities')
  const { path, children } = entityAreas[area]
  const List = lists[list]
  const pages = children.map((child) => ({
    path: `${path}/${child.path}`,
    title: t(`list.${child.list}`),
    isShown: child.list === list,
  }))
  return (
    <ChildPages label={t(`area.${area}`)} pages={pages}>
      <Suspense>
        <List />
      </Suspense>
    </ChildPages>
  )
}
