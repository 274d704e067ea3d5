// All words of the interface, by key: one file a feature and language.
import { refusals } from '@backhaul/contract/define/refusals'
import { languages } from '@backhaul/contract/nouns/preference-defaults'
import type { Language } from '@backhaul/contract/nouns/preferences'
import i18next, { type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import app from './en/app.json' with { type: 'json' }
import type { english } from './en/en.ts'
import signIn from './en/sign-in.json' with { type: 'json' }
import ui from './en/ui.json' with { type: 'json' }
import { withMany } from './plurals.ts'

/** What a person reads before and while somebody signs in. */
const first = {
  app,
  ui,
  signIn,
  // The console does not call products of other makers by their names.
  refusals: { ...refusals, 'upgrade.h264': 'Upgrade not supported for this H264 unit.' },
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: typeof english
  }
}

/** The first English words come with the page; every other language is fetched when somebody reads it. */
const others: Record<Exclude<Language, 'en'>, () => Promise<ResourceLanguage>> = {
  es: async () => {
    const { refusals, spanish } = await import('./es/es.ts')
    return { ...withMany(spanish), refusals }
  },
}

/** The language of the texts that are shown now. */
export const languageNow = (): Language => languages.find((language) => language === i18next.language) ?? 'en'

export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: first },
    defaultNS: 'app',
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await speak(language)
}

/** The words of everything behind the sign-in; rejects with the failure to fetch them. */
export async function fetchTexts(): Promise<void> {
  const { english } = await import('./en/en.ts')
  for (const [namespace, words] of Object.entries(english)) i18next.addResourceBundle('en', namespace, words)
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
