/** The preferences of a user in the console (EN-PREF rows). */
import { z } from 'zod'
import { CLOSED_ALERTS_MAX, defaults, languages } from './preference-defaults.ts'

export const GridPrefs = z.strictObject({
  version: z.literal(1).default(1),
  visibleColumns: z.array(z.strictObject({ key: z.string(), width: z.number() })),
  sortState: z.strictObject({ key: z.string(), dir: z.enum(['asc', 'desc']) }).nullable(),
})
export type GridPrefs = z.infer<typeof GridPrefs>

/** A filter panel: whether it is open, and what is chosen in it. */
export const FilterState = z.strictObject({
  open: z.boolean(),
  text: z.string().max(255).default(''),
  chosen: z.record(z.string(), z.array(z.string())).default({}),
})
export type FilterState = z.infer<typeof FilterState>

export const AlertSettingName = z.enum([
  'offlineToOnline',
  'startedStreaming',
  'streamingToOnline',
  'onlineToOffline',
  'streamingToOffline',
  'fileUploadStarted',
  'fileUploadCompleted',
  'newDeviceAdded',
])
export type AlertSettingName = z.infer<typeof AlertSettingName>

export const FilterPlace = z.enum([
  'device',
  'multiView',
  'manageChannels',
  'manageDevice',
  'files',
  'videoReturn',
])

export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>

/** `system` follows the setting of the machine. */
export const Theme = z.enum(['dark', 'light', 'system'])
export type Theme = z.infer<typeof Theme>

/** The channels on the tiles of the wall, and the one whose sound is on. */
const WallLayout = z.strictObject({
  tiles: z.number().int().min(1).max(64),
  channels: z.array(z.string().nullable()),
  audio: z.string().nullable(),
})

export const UserPreferences = z.object({
  groupId: z.string().nullable().default(defaults.groupId),
  inventoryId: z.string().nullable().default(defaults.inventoryId),
  inventoryName: z.string().nullable().default(defaults.inventoryName),
  lastSelectedUnit: z.string().nullable().default(defaults.lastSelectedUnit),
  gridPrefs: z.record(z.string().max(64), GridPrefs).default(defaults.gridPrefs),
  filters: z.partialRecord(FilterPlace, FilterState).default(defaults.filters),
  unitAlertsSettings: z.record(AlertSettingName, z.boolean()).default(defaults.unitAlertsSettings),
  unitAlertsSoundSettings: z
    .strictObject({ critical: z.boolean(), warning: z.boolean() })
    .default(defaults.unitAlertsSoundSettings),
  /** Alerts that the user has closed for themselves, by id; one that is raised again has another id (GAP-ALERT-06). */
  alertsClosed: z.array(z.string().max(64)).max(CLOSED_ALERTS_MAX).default(defaults.alertsClosed),
  luSmartCountry: z.string().default(defaults.luSmartCountry),
  currentRoute: z.string().max(1024).nullable().default(defaults.currentRoute),
  leftPanelWidth: z.number().min(0).max(10_000).default(defaults.leftPanelWidth),
  unitListExpanded: z.boolean().default(defaults.unitListExpanded),
  zendeskChatHidden: z.boolean().default(defaults.zendeskChatHidden),
  mapData: z.strictObject({ zoom: z.number(), lat: z.number(), lng: z.number() }).default(defaults.mapData),
  multiview: WallLayout.default(defaults.multiview),
  /** The wall of a narrow screen (a phone, a zoomed page): arranging it does not change the wall of the desktop. */
  narrowMultiview: WallLayout.default(defaults.narrowMultiview),
  /** System messages that were read: by id, the number of times that each had been shown. */
  readMessages: z.record(z.string().max(64), z.number().int()).default(defaults.readMessages),
  /** Publication time of the newest note of what's new that the user has seen. */
  whatsNewSeenOn: z.iso.datetime().nullable().default(defaults.whatsNewSeenOn),
  theme: Theme.default(defaults.theme),
  /** Keys of a single character; speech input and tremor can press them unintentionally (WCAG 2.1.4). */
  characterKeys: z.boolean().default(defaults.characterKeys),
  /** The language of the console; null is the browser's own. */
  language: Language.nullable().default(defaults.language),
})
export type UserPreferences = z.infer<typeof UserPreferences>

type WithoutDefault<Field> = Field extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : Field
type Changes = {
  [Name in keyof typeof UserPreferences.shape]: z.ZodOptional<
    WithoutDefault<(typeof UserPreferences.shape)[Name]>
  >
}

/** Some preferences, without defaults: a default would reset every preference that is not named. */
export const PreferenceChanges = z.strictObject(
  Object.fromEntries(
    Object.entries(UserPreferences.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ) as unknown as Changes,
)
export type PreferenceChanges = z.infer<typeof PreferenceChanges>
