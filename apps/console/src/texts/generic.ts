// What core says in English, in the language of the person: generic texts of the contract by key, refusals as they are.
import { fill, texts } from '@backhaul/contract/define/texts'
import i18next from 'i18next'
import { finderOf } from './templates.ts'

export type GenericText = keyof typeof texts

/** A generic text by its key; `params` fill its {0}. English, until the words of a language are there. */
export const generic = (key: GenericText, params: readonly (string | number)[] = []): string =>
  fill(i18next.isInitialized ? i18next.t(`generic:${key}`) : texts[key], params)

/** A language's words for what core says, by the English template; `things` are what a {thing 0} names. */
export interface Refusals {
  readonly texts: Readonly<Record<string, string>>
  readonly things: Readonly<Record<string, string>>
}

const keyOf = new Map(Object.entries(texts).map(([key, text]) => [text, key as GenericText]))
const findGeneric = finderOf([...keyOf.keys()])

const readers = new WeakMap<Refusals, (message: string) => string | undefined>()

/** What a language says for a message of core; nothing for one that it does not know. */
export function readerOf(refusals: Refusals): (message: string) => string | undefined {
  const known = readers.get(refusals)
  if (known) return known
  const find = finderOf(Object.keys(refusals.texts))
  const read = (message: string) => {
    const made = find(message)
    if (!made) return undefined
    const words = refusals.texts[made.template] ?? message
    return fill(
      words.replace(/\{thing (\d)\}/g, (_, at) => thingsIn(refusals, made.params[Number(at)] ?? '')),
      made.params,
    )
  }
  readers.set(refusals, read)
  return read
}

/** One thing that core names, or several with their counts: "2 channels, 1 group". */
const thingsIn = ({ things }: Refusals, named: string): string =>
  named
    .split(', ')
    .map((one) => one.replace(/^(\d+ )?(.*)$/, (_, count = '', thing) => `${count}${things[thing] ?? thing}`))
    .join(', ')

/** What core or the contract says, in the language of the person; words that no language knows stay as they came. */
export function translated(message: string): string {
  const made = findGeneric(message)
  const key = made && keyOf.get(made.template)
  if (made && key !== undefined) return generic(key, made.params)
  // Before a language is there everything stays as it came.
  if (!i18next.isInitialized) return message
  const refusals: Refusals | undefined = i18next.getResourceBundle(i18next.language, 'refusals')
  return (refusals && readerOf(refusals)(message)) ?? message
}
