/** The preferences of a user in the console (EN-PREF rows). */
import { z } from 'zod'

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

const defaultAlertSettings = Object.fromEntries(
  AlertSettingName.options.map((name) => [name, true]),
) as Record<AlertSettingName, boolean>

export const FilterPlace = z.enum([
  'device',
  'multiView',
  'manageChannels',
  'manageDevice',
  'files',
  'videoReturn',
])

/** Languages of the interface; core's answers keep the texts of the specification. */
export const Language = z.enum(['en', 'es'])
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
  groupId: z.string().nullable().default(null),
  inventoryId: z.string().nullable().default(null),
  inventoryName: z.string().nullable().default(null),
  lastSelectedUnit: z.string().nullable().default(null),
  gridPrefs: z.record(z.string().max(64), GridPrefs).default({}),
  filters: z.partialRecord(FilterPlace, FilterState).default({}),
  unitAlertsSettings: z.record(AlertSettingName, z.boolean()).default(defaultAlertSettings),
  unitAlertsSoundSettings: z
    .strictObject({ critical: z.boolean(), warning: z.boolean() })
    .default({ critical: true, warning: false }),
  luSmartCountry: z.string().default('usa'),
  currentRoute: z.string().max(1024).nullable().default(null),
  leftPanelWidth: z.number().min(0).max(10_000).default(320),
  unitListExpanded: z.boolean().default(true),
  zendeskChatHidden: z.boolean().default(false),
  mapData: z
    .strictObject({ zoom: z.number(), lat: z.number(), lng: z.number() })
    .default({ zoom: 3, lat: 0, lng: 0 }),
  multiview: WallLayout.default({ tiles: 9, channels: [], audio: null }),
  /** The wall of a narrow screen (a phone, a zoomed page): arranging it does not change the wall of the desktop. */
  narrowMultiview: WallLayout.default({ tiles: 4, channels: [], audio: null }),
  /** Which system messages were read: by id, how often each had been shown then. */
  readMessages: z.record(z.string().max(64), z.number().int()).default({}),
  /** Publication time of the newest note of what's new that the user has seen. */
  whatsNewSeenOn: z.iso.datetime().nullable().default(null),
  theme: Theme.default('dark'),
  /** Keys of a single character; speech input and tremor can press them unintentionally (WCAG 2.1.4). */
  characterKeys: z.boolean().default(true),
  /** Without one the browser's own is used. */
  language: Language.nullable().default(null),
})
export type UserPreferences = z.infer<typeof UserPreferences>

export const defaultPreferences = (): UserPreferences => UserPreferences.parse({})

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
