// The usual columns of a list: words, figures and moments, each shown, exported and ordered the same way everywhere.
import { compareTexts, dateAndTime, shortDate } from '../locale.ts'
import type { GridColumn } from './grid-columns.ts'

/** Shown where there is no value. */
const absent = '—'
/** px; a column of words is given this width or more where their length is open: names, descriptions. */
const openTextWidth = 160
const roomyFactor = 1.5

type More<T> = Partial<Pick<GridColumn<T>, 'required' | 'hiddenAtFirst' | 'pinned' | 'render' | 'compare'>>

/** Words whose length is open take up spare room of the screen. */
export function textColumn<T>(
  id: string,
  title: string,
  width: number,
  text: (item: T) => string,
  more: More<T> = {},
): GridColumn<T> {
  const compare = (a: T, b: T) => compareTexts(text(a), text(b))
  const roomyWidth = width < openTextWidth ? undefined : width * roomyFactor
  return { id, title, width, roomyWidth, text, render: (item) => text(item) || absent, compare, ...more }
}

/** Without a figure there is a dash; such items come first, or where `compare` puts them. */
export function figureColumn<T>(
  id: string,
  title: string,
  width: number,
  value: (item: T) => number | null | undefined,
  { text = (item) => String(value(item) ?? ''), ...more }: More<T> & { text?: (item: T) => string } = {},
): GridColumn<T> {
  const compare = (a: T, b: T) => (value(a) ?? -1) - (value(b) ?? -1)
  return { id, title, width, align: 'end', text, render: (item) => text(item) || absent, compare, ...more }
}

/** `at` is the moment as core writes it, which the export repeats. */
export function timeColumn<T>(
  id: string,
  title: string,
  width: number,
  at: (item: T) => string | null,
  more: More<T> = {},
): GridColumn<T> {
  const text = (item: T) => at(item) ?? ''
  const render = (item: T) => (text(item) === '' ? absent : dateAndTime(new Date(text(item))))
  const compare = (a: T, b: T) => compareTexts(text(a), text(b))
  return { id, title, width, text, render, compare, ...more }
}

/** A column of days, without the time. */
export function dayColumn<T>(
  id: string,
  title: string,
  width: number,
  at: (item: T) => string | null,
  more: More<T> = {},
): GridColumn<T> {
  const render = (item: T) => {
    const time = at(item)
    return time === null ? absent : shortDate(new Date(time))
  }
  return timeColumn(id, title, width, at, { render, ...more })
}
