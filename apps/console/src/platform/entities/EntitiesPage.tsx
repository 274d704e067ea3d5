// /contractor/entities and /psg/system_entities: the lists of an area below the names of all of them.
import { type ComponentType, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildPages } from '../../ui/ChildPages.tsx'
import { loaded } from '../../ui/loaded.ts'
import { type EntityArea, type EntityList, entityAreas } from './entities.ts'

const ServerRecords = loaded(
  async () => (await import('../../equipment/device-administration/ServerRecords.tsx')).ServerRecords,
)

const lists: Readonly<Record<EntityList, ComponentType>> = {
  inventories: loaded(async () => (await import('../inventories/InventoriesPage.tsx')).InventoriesPage),
  groups: loaded(async () => (await import('../../people/groups/GroupsPage.tsx')).GroupsPage),
  units: loaded(
    async () => (await import('../../equipment/device-administration/UnitRecords.tsx')).UnitRecords,
  ),
  mmhServers: () => <ServerRecords type="mmh_server" />,
  vrServers: () => <ServerRecords type="vr_server" />,
  ingestServers: () => <ServerRecords type="ingest_server" />,
  transceiverServers: () => <ServerRecords type="transceiver_server" />,
  users: loaded(async () => (await import('../../people/users/UsersPage.tsx')).UsersPage),
  channels: loaded(
    async () => (await import('../../equipment/channel-administration/ChannelsPage.tsx')).ChannelsPage,
  ),
  vrChannels: loaded(
    async () =>
      (await import('../../equipment/video-return-administration/VideoReturnPage.tsx')).VideoReturnPage,
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
