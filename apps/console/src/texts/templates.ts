// Texts of reasons, found again by what they were made into.
import { type Cause, isRefusalCode } from '@backhaul/contract/define/refusals'

const place = /\{\{(\w+)\}\}/
const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')

/** Finds the code that a message was made of: of several that fit, the one whose text says most by itself. */
export function finderOf(texts: Readonly<Record<string, string>>): (message: string) => Cause | undefined {
  const plain = new Map(Object.entries(texts).map(([code, text]) => [text, code]))
  const patterns = Object.entries(texts)
    .filter(([, text]) => place.test(text) && text.replace(/\{\{\w+\}\}/g, '').trim().length > 4)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([code, text]) => {
      const parts = text.split(place)
      const shape = parts.map((part, at) => (at % 2 === 1 ? `(?<${part}>.+)` : escaped(part))).join('')
      return { code, shape: new RegExp(`^${shape}$`, 's') }
    })
  return (message) => {
    const code = plain.get(message)
    if (code !== undefined && isRefusalCode(code)) return { code, params: {} }
    for (const { code, shape } of patterns) {
      const found = shape.exec(message)
      if (found && isRefusalCode(code)) return { code, params: { ...found.groups } }
    }
    return undefined
  }
}
