import type { Look } from '../StatusGlyph.tsx'
import { StatusWords } from '../StatusWords.tsx'
import { textColumn } from './columns.ts'
import type { GridColumn } from './grid-columns.ts'

/** A state by shape and word, so that one that fails is found at a glance. */
export function statusColumn<T>(
  id: string,
  title: string,
  width: number,
  words: (item: T) => string,
  look: (item: T) => Look,
): GridColumn<T> {
  return textColumn(id, title, width, words, {
    render: (item) => <StatusWords look={look(item)} words={words(item)} />,
  })
}
