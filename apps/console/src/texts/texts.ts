// All words of the interface, by key: one file a feature and language.
import { texts as generic } from '@backhaul/contract/define/texts'
import { Language } from '@backhaul/contract/nouns/preferences'
import i18next, { type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import accessApprovals from './en/access-approvals.json' with { type: 'json' }
import account from './en/account.json' with { type: 'json' }
import ai from './en/ai.json' with { type: 'json' }
import alerts from './en/alerts.json' with { type: 'json' }
import apiKeys from './en/api-keys.json' with { type: 'json' }
import app from './en/app.json' with { type: 'json' }
import audioRooms from './en/audio-rooms.json' with { type: 'json' }
import audit from './en/audit.json' with { type: 'json' }
import cameras from './en/cameras.json' with { type: 'json' }
import channels from './en/channels.json' with { type: 'json' }
import destinations from './en/destinations.json' with { type: 'json' }
import deviceAdministration from './en/device-administration.json' with { type: 'json' }
import deviceLogs from './en/device-logs.json' with { type: 'json' }
import entities from './en/entities.json' with { type: 'json' }
import files from './en/files.json' with { type: 'json' }
import goLive from './en/go-live.json' with { type: 'json' }
import groups from './en/groups.json' with { type: 'json' }
import ingest from './en/ingest.json' with { type: 'json' }
import intercom from './en/intercom.json' with { type: 'json' }
import inventories from './en/inventories.json' with { type: 'json' }
import invitations from './en/invitations.json' with { type: 'json' }
import licences from './en/licences.json' with { type: 'json' }
import multiview from './en/multiview.json' with { type: 'json' }
import outbox from './en/outbox.json' with { type: 'json' }
import overlays from './en/overlays.json' with { type: 'json' }
import previews from './en/previews.json' with { type: 'json' }
import refusals from './en/refusals.json' with { type: 'json' }
import remoteActions from './en/remote-actions.json' with { type: 'json' }
import reports from './en/reports.json' with { type: 'json' }
import servers from './en/servers.json' with { type: 'json' }
import services from './en/services.json' with { type: 'json' }
import shares from './en/shares.json' with { type: 'json' }
import signIn from './en/sign-in.json' with { type: 'json' }
import smpte from './en/smpte.json' with { type: 'json' }
import softwareVersions from './en/software-versions.json' with { type: 'json' }
import stories from './en/stories.json' with { type: 'json' }
import systemMessages from './en/system-messages.json' with { type: 'json' }
import systemSettings from './en/system-settings.json' with { type: 'json' }
import ui from './en/ui.json' with { type: 'json' }
import unitFiles from './en/unit-files.json' with { type: 'json' }
import unitSettings from './en/unit-settings.json' with { type: 'json' }
import units from './en/units.json' with { type: 'json' }
import upgrades from './en/upgrades.json' with { type: 'json' }
import usageProfiles from './en/usage-profiles.json' with { type: 'json' }
import users from './en/users.json' with { type: 'json' }
import videoReturn from './en/video-return.json' with { type: 'json' }
import whatsNew from './en/whats-new.json' with { type: 'json' }
import { withMany } from './plurals.ts'

export const english = {
  app,
  ui,
  generic,
  account,
  signIn,
  files,
  groups,
  ingest,
  inventories,
  invitations,
  alerts,
  cameras,
  intercom,
  channels,
  destinations,
  overlays,
  smpte,
  servers,
  previews,
  units,
  unitFiles,
  unitSettings,
  deviceLogs,
  users,
  multiview,
  softwareVersions,
  stories,
  ai,
  outbox,
  audit,
  accessApprovals,
  apiKeys,
  reports,
  upgrades,
  usageProfiles,
  services,
  licences,
  shares,
  audioRooms,
  systemMessages,
  videoReturn,
  systemSettings,
  goLive,
  whatsNew,
  remoteActions,
  deviceAdministration,
  entities,
} as const

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: typeof english
  }
}

/** The keys of one language held against those of another: one too many has to be of a type that no text has. */
export type SameKeys<Theirs, Ours> = {
  readonly [K in keyof Ours | keyof Theirs]: K extends keyof Ours
    ? Ours[K] extends string
      ? string
      : SameKeys<K extends keyof Theirs ? Theirs[K] : unknown, Ours[K]>
    : never
}

/** English comes with the page; every other language is fetched when somebody reads it. */
const others: Record<Exclude<Language, 'en'>, () => Promise<ResourceLanguage>> = {
  es: async () => {
    const { refusals, spanish } = await import('./es/es.ts')
    return { ...withMany(spanish), refusals }
  },
}

/** The language of the texts that are shown now. */
export function languageNow(): Language {
  const { data } = Language.safeParse(i18next.language)
  return data ?? 'en'
}

export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { ...english, refusals } },
    defaultNS: 'app',
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await speak(language)
}

/** Rejects with the failure to fetch the language; the one before then stays. */
export async function speak(language: Language): Promise<void> {
  if (language !== 'en' && !i18next.hasResourceBundle(language, 'app')) {
    const texts = await others[language]()
    for (const [namespace, words] of Object.entries(texts))
      i18next.addResourceBundle(language, namespace, words)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
