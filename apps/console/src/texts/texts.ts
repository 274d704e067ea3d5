// All words of the interface, by key: one file a feature and language.
import { atHand } from '@backhaul/contract/define/refusals/at-hand'
import { languages } from '@backhaul/contract/nouns/preference-defaults'
import type { Language } from '@backhaul/contract/nouns/preferences'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { english } from './en/en.ts'
import { first } from './en/first-texts.ts'
import { type Words, withMany } from './plurals.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: typeof english
  }
}

/** Words beyond those of every page: for the sign-in page, for the list of units, or for any other screen. */
type Need = 'signIn' | 'list' | 'all'

/** The first English words come with the page; every other language is fetched when a user reads it. */
const firstEnglish = { ...first, refusals: { ...atHand } }

/** All reasons in English, which the contract words too. */
async function fetchReasons(): Promise<Words> {
  const { refusals } = await import('./en/refusals-texts.ts')
  Object.assign(atHand, refusals)
  return refusals
}

const fetches: Record<Language, Record<'first' | Need, () => Promise<Words>>> = {
  en: {
    first: async () => firstEnglish,
    signIn: async () => (await import('./en/sign-in-texts.ts')).signIn,
    list: async () => (await import('./en/list-texts.ts')).list,
    all: async () => {
      const [{ english }, refusals] = await Promise.all([import('./en/en.ts'), fetchReasons()])
      return { ...english, refusals }
    },
  },
  es: {
    first: async () => {
      const { first, refusals } = await import('./es/first-texts.ts')
      return { ...withMany(first), refusals }
    },
    signIn: async () => withMany((await import('./es/sign-in-texts.ts')).signIn),
    list: async () => withMany((await import('./es/list-texts.ts')).list),
    all: async () => {
      const [{ spanish }] = await Promise.all([import('./es/es.ts'), fetchReasons()])
      return withMany(spanish)
    },
  },
}

/** The language of the texts that are shown now. */
export const languageNow = (): Language => languages.find((language) => language === i18next.language) ?? 'en'

/** Needs of this page so far; a language that is chosen later is fetched as far as that. */
const needed = new Set<'first' | Need>(['first'])
const fetched = new Map<string, Promise<void>>()

/** Each once, unless it failed. */
function fetchWords(language: Language, need: 'first' | Need): Promise<void> {
  const name = `${language} ${need}`
  const before = fetched.get(name)
  if (before) return before
  const all = fetches[language][need]().then((texts) => {
    for (const [namespace, words] of Object.entries(texts))
      i18next.addResourceBundle(language, namespace, words)
  })
  fetched.set(name, all)
  all.catch(() => fetched.delete(name))
  return all
}

export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: firstEnglish },
    defaultNS: 'app',
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await speak(language)
}

/** The words of a page, or of all screens; rejects with the failure to fetch them. */
export function needWords(need: Need): Promise<void> {
  needed.add(need)
  return fetchWords(languageNow(), need)
}

/** Rejects with the failure to fetch the language; the one before is then kept. */
export async function speak(language: Language): Promise<void> {
  await Promise.all([...needed].map((need) => fetchWords(language, need)))
  // Needs that came up meanwhile.
  for (const need of needed) await fetchWords(language, need)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
