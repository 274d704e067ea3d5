// Selects the language of the interface: the user's, else the one chosen in this browser, else the browser's own.
import { languages as spoken } from '@backhaul/contract/nouns/preference-defaults'
import type { Language } from '@backhaul/contract/nouns/preferences'
import { speak } from '../texts/texts.ts'

/** Each in its own words, so that all users find theirs. */
export const languages: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const key = 'language'

/** @param preferred as navigator.languages: the best first, "es-MX" counts as Spanish. */
export function firstLanguage(kept: string | null, preferred: readonly string[]): Language {
  const candidates = [kept ?? '', ...preferred].map((tag) => tag.split('-')[0]?.toLowerCase())
  for (const candidate of candidates) {
    const language = spoken.find((one) => one === candidate)
    if (language !== undefined) return language
  }
  return 'en'
}

export const languageOfBrowser = (): Language => firstLanguage(localStorage.getItem(key), navigator.languages)

/** Kept for the next start too: the login page does not know whose preferences to read. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  localStorage.setItem(key, language)
}
