// Dates, figures and order of names by the language of the interface; nothing else names a locale.
import { formatDelay, formatMbps } from '@backhaul/contract/nouns/formats'
import type { Language } from '@backhaul/contract/nouns/preferences'
import { languageNow } from '../texts/texts.ts'

const locales: Record<Language, string> = { en: 'en-GB', es: 'es-ES' }

/** Creates a formatter of Intl once per language; they are expensive to create and cheap to use. */
export function byLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<Language, T>()
  return () => {
    const language = languageNow()
    const known = made.get(language)
    if (known !== undefined) return known
    const next = make(locales[language])
    made.set(language, next)
    return next
  }
}

export function dateFormat(options: Intl.DateTimeFormatOptions): (when: Date | number) => string {
  const format = byLanguage((locale) => new Intl.DateTimeFormat(locale, options))
  return (when) => format().format(when)
}

export const clockTime = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The month in letters: it cannot be taken for the day, regardless of the local order. */
export const shortDate = dateFormat({ dateStyle: 'medium' })

export const longDate = dateFormat({ dateStyle: 'long' })

export const dateAndTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

const collator = byLanguage((locale) => new Intl.Collator(locale, { numeric: true }))

/** The order of names: Camera-9 comes before Camera-10. */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b)

const decimalMarks: Record<Language, string> = { en: '.', es: ',' }

/**
 * A number with exactly this many decimals, halves away from zero. A first formatter of Intl takes a slow machine 80 ms, in the
 * first row of the first list.
 */
export const decimal = (value: number, digits: number): string =>
  // 0.0225 is stored as a little less than that, which `toFixed` alone would round down.
  (value * (1 + Number.EPSILON)).toFixed(digits).replace('.', decimalMarks[languageNow()])

export const mbpsText = (kbps: number): string => formatMbps(kbps, decimal)

export const delayWords = (delayMs: number): string => formatDelay(delayMs, decimal)

/** Bytes as a disk counts them: 640 B, 1.5 MB, 2.31 GB. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const digits = [0, 0, 1, 2, 2][power] ?? 0
  return `${decimal(bytes / 1000 ** power, digits)} ${units[power]}`
}
