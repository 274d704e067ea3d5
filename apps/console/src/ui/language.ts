// The languages of the interface, and the choice of one.
import type { Language } from '@backhaul/contract/nouns/preferences'
import { speak } from '../texts/texts.ts'
import { keepLanguage } from './language-of-browser.ts'

/** Each in its own words, so that all users find theirs. */
export const languages: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

/** Kept for the next start too: the login page does not know whose preferences to read. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  keepLanguage(language)
}
