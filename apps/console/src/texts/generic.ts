// The generic texts of the contract, which core and console answer in English, in the language of the person.
import { fill, texts } from '@backhaul/contract/define/texts'
import i18next from 'i18next'

export type GenericText = keyof typeof texts

/** A generic text by its key; `params` fill its {0}. English, until the words of a language are there. */
export const generic = (key: GenericText, params: readonly (string | number)[] = []): string =>
  fill(i18next.isInitialized ? i18next.t(`generic:${key}`) : texts[key], params)

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

const patterns = Object.entries(texts).map(
  ([key, text]) => [key as GenericText, new RegExp(`^${escaped(text).replace(/\{\d\}/g, '(.+)')}$`)] as const,
)

/** What a refusal says; one that is no generic text stays as it came. */
export function translated(message: string): string {
  for (const [key, pattern] of patterns) {
    const found = pattern.exec(message)
    if (found) return generic(key, found.slice(1))
  }
  return message
}
