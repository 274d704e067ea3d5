// The language that this browser prefers, before it is known whose preferences count; without any words.
import { languages } from '@backhaul/contract/nouns/preference-defaults'
import type { Language } from '@backhaul/contract/nouns/preferences'

const key = 'language'

/** @param preferred as navigator.languages: the best first, "es-MX" counts as Spanish. */
export function firstLanguage(kept: string | null, preferred: readonly string[]): Language {
  const candidates = [kept ?? '', ...preferred].map((tag) => tag.split('-')[0]?.toLowerCase())
  for (const candidate of candidates) {
    const language = languages.find((one) => one === candidate)
    if (language !== undefined) return language
  }
  return 'en'
}

export const languageOfBrowser = (): Language => firstLanguage(localStorage.getItem(key), navigator.languages)

/** For the next start in this browser. */
export const keepLanguage = (language: Language): void => localStorage.setItem(key, language)
