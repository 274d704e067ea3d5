import { type Look, StatusGlyph } from './StatusGlyph.tsx'

interface StatusWordsProps {
  look: Look
  words: string
}

/** A state in lists and facts: its shape, and next to it its words, which end in dots where they do not fit. */
export function StatusWords({ look, words }: StatusWordsProps) {
  return (
    <span className="status-words">
      <StatusGlyph {...look} />
      <span className="clip">{words}</span>
    </span>
  )
}
