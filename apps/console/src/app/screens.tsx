// Every screen inside the shell: its path, its guard, its place in the menu, and what shows it.
import {
  IconAdjustments,
  IconAntenna,
  IconChartBar,
  IconDatabase,
  IconDeviceTv,
  IconEar,
  IconFiles,
  IconFolderShare,
  IconGauge,
  IconHeadset,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconLicense,
  IconMail,
  IconMicrophone,
  IconNews,
  IconPackage,
  IconPackages,
  IconPhoto,
  IconPlugConnected,
  IconRobot,
  IconScreenShare,
  IconServer2,
  IconShare,
  IconSparkles,
  IconSpeakerphone,
  IconUpload,
  IconUsers,
  IconUsersGroup,
  IconVersions,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type EntityArea, entityAreas } from '../platform/entities/entities.ts'
import {
  type SettingChildName,
  settingChildNames,
  settingsPath,
} from '../platform/system-settings/system-settings.ts'
import type { english } from '../texts/en/en.ts'
import { loaded } from '../ui/loaded.ts'
import type { Guard } from './routes.ts'

/** Its key goes to the screen after G. */
export interface MenuItem {
  label: keyof typeof english.app.menu
  icon: ComponentType<{ size?: number }>
  key?: string
}

export interface Screen {
  path: string
  guard: Guard
  component: ComponentType
  /** Only screens that exist have a menu item. */
  menu?: MenuItem
  /** By which item it is reached, where it has none. */
  under?: MenuItem['label']
}

const UnitsPage = loaded(async () => (await import('../fleet/units/UnitsPage.tsx')).UnitsPage)
const UnitPage = loaded(async () => (await import('../fleet/units/UnitPage.tsx')).UnitPage)
const MultiviewPage = loaded(async () => (await import('../fleet/multiview/MultiviewPage.tsx')).MultiviewPage)
const StoriesPage = loaded(async () => (await import('../fleet/stories/StoriesPage.tsx')).StoriesPage)
const UnitFilesPage = loaded(
  async () => (await import('../fleet/unit-files/UnitFilesPage.tsx')).UnitFilesPage,
)
const FilesPage = loaded(async () => (await import('../fleet/files/FilesPage.tsx')).FilesPage)
const DevicesPage = loaded(
  async () => (await import('../equipment/device-administration/DevicesPage.tsx')).DevicesPage,
)
const UsersPage = loaded(async () => (await import('../people/users/UsersPage.tsx')).UsersPage)
const ChannelsPage = loaded(
  async () => (await import('../equipment/channel-administration/ChannelsPage.tsx')).ChannelsPage,
)
const GroupsPage = loaded(async () => (await import('../people/groups/GroupsPage.tsx')).GroupsPage)
const OutboxPage = loaded(async () => (await import('../platform/outbox/OutboxPage.tsx')).OutboxPage)
const RemoteActionsPage = loaded(
  async () => (await import('../fleet/remote-actions/RemoteActionsPage.tsx')).RemoteActionsPage,
)
const WhatsNewPage = loaded(async () => (await import('../platform/whats-new/WhatsNewPage.tsx')).WhatsNewPage)
const AccessApprovalsPage = loaded(
  async () => (await import('../fleet/access-approvals/AccessApprovalsPage.tsx')).AccessApprovalsPage,
)
const ApiKeysPage = loaded(async () => (await import('../people/api-keys/ApiKeysPage.tsx')).ApiKeysPage)
const InventoryServicesPage = loaded(
  async () => (await import('../usage/services/InventoryServicesPage.tsx')).InventoryServicesPage,
)
const ActivationPage = loaded(
  async () => (await import('../usage/licences/ActivationPage.tsx')).ActivationPage,
)
const AiSettingsPage = loaded(
  async () => (await import('../platform/ai-settings/AiSettingsPage.tsx')).AiSettingsPage,
)
const CustomerServicesPage = loaded(
  async () => (await import('../usage/services/CustomerServicesPage.tsx')).CustomerServicesPage,
)
const ReportsPage = loaded(async () => (await import('../usage/reports/ReportsPage.tsx')).ReportsPage)
const AuditPage = loaded(async () => (await import('../platform/audit/AuditPage.tsx')).AuditPage)
const UsageProfilesPage = loaded(
  async () => (await import('../usage/usage-profiles/UsageProfilesPage.tsx')).UsageProfilesPage,
)
const SystemMessagesPage = loaded(
  async () => (await import('../platform/notifications/SystemMessagesPage.tsx')).SystemMessagesPage,
)
const AudioRoomsPage = loaded(
  async () => (await import('../equipment/audio-rooms/AudioRoomsPage.tsx')).AudioRoomsPage,
)
const OverlaysPage = loaded(async () => (await import('../equipment/overlays/OverlaysPage.tsx')).OverlaysPage)
const PublishersPage = loaded(async () => (await import('../fleet/shares/PublishersPage.tsx')).PublishersPage)
const SubscribersPage = loaded(
  async () => (await import('../fleet/shares/SubscribersPage.tsx')).SubscribersPage,
)
const SettingsPage = loaded(
  async () => (await import('../platform/system-settings/SettingsPage.tsx')).SettingsPage,
)
const SoftwareVersionsPage = loaded(
  async () => (await import('../platform/software-versions/SoftwareVersionsPage.tsx')).SoftwareVersionsPage,
)
const EntitiesPage = loaded(async () => (await import('../platform/entities/EntitiesPage.tsx')).EntitiesPage)
const settingsPageOf = (child: SettingChildName) => () => <SettingsPage key={child} child={child} />

const VideoReturnPage = loaded(
  async () => (await import('../equipment/video-return-administration/VideoReturnPage.tsx')).VideoReturnPage,
)

/** The address of an area opens its first child (RT-CONTR-02, RT-PSG-01); IFB servers have an item of their own (GAP-SCR-01). */
function entityScreens(area: EntityArea, guard: Guard, menu: MenuItem): Screen[] {
  const { path: parent, children } = entityAreas[area]
  return [
    { path: parent, guard, menu, component: () => <EntitiesPage area={area} list={children[0].list} /> },
    ...children.map(
      ({ path, list }): Screen => ({
        path: `${parent}/${path}`,
        guard,
        component: () => <EntitiesPage key={list} area={area} list={list} />,
        ...(list === 'ifbServers' ? { menu: { label: 'ifbServers', icon: IconEar } } : { under: menu.label }),
      }),
    ),
  ]
}

export const screens: readonly Screen[] = [
  {
    path: '/unit/list',
    guard: 'everyone',
    component: UnitsPage,
    menu: { label: 'units', icon: IconDeviceTv, key: 'u' },
  },
  {
    path: '/unit/multiview',
    guard: 'everyone',
    component: MultiviewPage,
    menu: { label: 'multiview', icon: IconLayoutGrid, key: 'm' },
  },
  {
    path: '/unit/file_upload',
    guard: 'adminGroup',
    component: UnitFilesPage,
    menu: { label: 'fileUpload', icon: IconUpload },
  },
  {
    path: '/unit/stories',
    guard: 'everyone',
    component: StoriesPage,
    menu: { label: 'stories', icon: IconNews, key: 's' },
  },
  {
    path: '/unit/files',
    guard: 'everyone',
    component: FilesPage,
    menu: { label: 'files', icon: IconFiles, key: 'f' },
  },
  {
    path: '/manage/devices',
    guard: 'adminGroup',
    component: DevicesPage,
    menu: { label: 'devices', icon: IconServer2, key: 'd' },
  },
  {
    path: '/manage/users',
    guard: 'adminSet',
    component: UsersPage,
    menu: { label: 'users', icon: IconUsers, key: 'p' },
  },
  {
    path: '/manage/groups',
    guard: 'adminSet',
    component: GroupsPage,
    menu: { label: 'groups', icon: IconUsersGroup, key: 'g' },
  },
  {
    path: '/manage/shares/publishers',
    guard: 'shares',
    component: PublishersPage,
    menu: { label: 'publishers', icon: IconShare },
  },
  {
    path: '/manage/shares/subscribers',
    guard: 'shares',
    component: SubscribersPage,
    menu: { label: 'subscribers', icon: IconFolderShare },
  },
  {
    path: '/manage/channels',
    guard: 'adminGroup',
    component: ChannelsPage,
    menu: { label: 'channels', icon: IconAntenna, key: 'c' },
  },
  {
    path: '/manage/video_return',
    guard: 'adminGroup',
    component: VideoReturnPage,
    menu: { label: 'videoReturn', icon: IconScreenShare },
  },
  {
    path: '/manage/graphics',
    guard: 'adminGroup',
    component: OverlaysPage,
    menu: { label: 'graphics', icon: IconPhoto },
  },
  {
    path: '/manage/usage_profiles',
    guard: 'adminSet',
    component: UsageProfilesPage,
    menu: { label: 'usageProfiles', icon: IconGauge },
  },
  {
    path: '/manage/sw_version',
    guard: 'adminSet',
    component: SoftwareVersionsPage,
    menu: { label: 'softwareVersions', icon: IconVersions },
  },
  {
    path: '/manage/audio_rooms',
    guard: 'adminSet',
    component: AudioRoomsPage,
    menu: { label: 'audioRooms', icon: IconMicrophone },
  },
  {
    path: '/manage/outbox',
    guard: 'adminGroup',
    component: OutboxPage,
    menu: { label: 'outbox', icon: IconMail, key: 'o' },
  },
  {
    path: '/manage/api_keys',
    guard: 'adminGroup',
    component: ApiKeysPage,
    menu: { label: 'apiKeys', icon: IconKey },
  },
  {
    path: '/manage/audit',
    guard: 'adminSet',
    component: AuditPage,
    menu: { label: 'audit', icon: IconHistory, key: 'a' },
  },
  ...entityScreens('system', 'psg', { label: 'systemEntities', icon: IconDatabase, key: 'i' }),
  {
    path: '/psg/system_settings/inventory_service',
    guard: 'psg',
    component: CustomerServicesPage,
    menu: { label: 'customerServices', icon: IconPackages },
  },
  {
    path: '/psg/system_settings/ai_settings',
    guard: 'psg',
    component: AiSettingsPage,
    menu: { label: 'aiSettings', icon: IconRobot },
  },
  {
    path: '/services/inventory_services',
    guard: 'services',
    component: InventoryServicesPage,
    menu: { label: 'inventoryServices', icon: IconPackage },
  },
  {
    path: '/services/unit_license_activation',
    guard: 'services',
    component: ActivationPage,
    menu: { label: 'activation', icon: IconLicense },
  },
  {
    path: '/services/reports',
    guard: 'services',
    component: ReportsPage,
    menu: { label: 'reports', icon: IconChartBar, key: 'r' },
  },
  {
    path: '/contractor/remote_actions',
    guard: 'contractor',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected },
  },
  ...entityScreens('contractor', 'contractor', { label: 'contractorEntities', icon: IconDatabase }),
  {
    path: '/support/remote_actions',
    guard: 'support',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected },
  },
  {
    path: '/psg/remote_actions',
    guard: 'psg',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected },
  },
  {
    path: '/psg/access_approvals',
    guard: 'psg',
    component: AccessApprovalsPage,
    menu: { label: 'accessApprovals', icon: IconHeadset },
  },
  {
    path: '/psg/whats_new',
    guard: 'psg',
    component: WhatsNewPage,
    menu: { label: 'whatsNew', icon: IconSparkles },
  },
  {
    path: '/psg/system_settings/client_notification',
    guard: 'psg',
    component: SystemMessagesPage,
    menu: { label: 'systemMessages', icon: IconSpeakerphone },
  },
  {
    path: settingsPath,
    guard: 'psg',
    component: settingsPageOf(settingChildNames[0] ?? 'stream_providers'),
    menu: { label: 'systemSettings', icon: IconAdjustments },
  },
  ...settingChildNames.map(
    (child): Screen => ({
      path: `${settingsPath}/${child}`,
      guard: 'psg',
      component: settingsPageOf(child),
      under: 'systemSettings',
    }),
  ),
  { path: '/unit/$uid', guard: 'everyone', component: UnitPage },
]
