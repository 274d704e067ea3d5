/** The preferences until the user changes them: plain values, which the console needs before any schema. */

/** Languages of the interface; core's answers keep the texts of the specification. */
export const languages = ['en', 'es'] as const

/** The most closed alerts that are kept; of more, the oldest are removed. */
export const CLOSED_ALERTS_MAX = 200

export const defaultPreferences = () => ({
  groupId: null,
  inventoryId: null,
  inventoryName: null,
  lastSelectedUnit: null,
  gridPrefs: {},
  filters: {},
  unitAlertsSettings: {
    offlineToOnline: true,
    startedStreaming: true,
    streamingToOnline: true,
    onlineToOffline: true,
    streamingToOffline: true,
    fileUploadStarted: true,
    fileUploadCompleted: true,
    newDeviceAdded: true,
  },
  unitAlertsSoundSettings: { critical: true, warning: false },
  alertsClosed: [] as string[],
  luSmartCountry: 'usa',
  currentRoute: null,
  leftPanelWidth: 320,
  unitListExpanded: true,
  zendeskChatHidden: false,
  mapData: { zoom: 3, lat: 0, lng: 0 },
  multiview: { tiles: 9, channels: [], audio: null },
  narrowMultiview: { tiles: 4, channels: [], audio: null },
  readMessages: {},
  whatsNewSeenOn: null,
  theme: 'dark' as const,
  characterKeys: true,
  language: null,
})

export const defaults = defaultPreferences()
