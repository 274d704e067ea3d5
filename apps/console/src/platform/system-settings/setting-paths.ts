// Addresses of the children of the system settings; their contents are loaded with their page.

export const settingsPath = '/psg/system_settings'

/** The first is what the address of the settings alone opens. */
export const settingChildNames = [
  'client_application',
  'modem_vendor',
  'stream_providers',
  'stream_profile',
  'stream_media_profile',
  'organization',
  'organization_inventory',
  'software_version',
  'software_version_product',
  'geocoding_profile',
  'application_configuration',
  'device_service',
] as const
export type SettingChildName = (typeof settingChildNames)[number]

/** Settings that are the screens of other features. */
export const otherPageNames = ['ai_settings', 'inventory_service', 'client_notification'] as const
export type OtherPageName = (typeof otherPageNames)[number]

/** All pages below the settings, in the order in which they are shown; those that are no list to edit come last. */
export const settingPageNames = [
  ...settingChildNames,
  ...otherPageNames,
  'history_device_group',
  'history_device_inventory',
] as const
export type SettingPageName = (typeof settingPageNames)[number]
