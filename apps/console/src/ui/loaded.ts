import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { needWords } from '../texts/texts.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

/** The component, the words of all screens, and the styles of the component kit. */
async function withAll<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  const [component] = await Promise.all([load(), needWords('all'), import('./kit-styles.ts')])
  return { default: component }
}

/** A component whose module is loaded when it is first shown; `load` imports it. Its words may be any. */
export function loaded<Props>(load: Load<Props>) {
  return lazy(() => withAll(load))
}

/** A component that may be loaded before it is rendered. */
export interface Preloadable {
  preload?: () => Promise<void>
}

interface Kept<Props> {
  /** undefined until it is loaded. */
  there: ComponentType<Props> | undefined
  readonly later: ComponentType<Props>
}

function OnTheWay<Props extends object>({ kept, given }: { kept: Kept<Props>; given: Props }) {
  // Chosen once: the other one would begin again, without its state.
  const [Shown] = useState(() => kept.there ?? kept.later)
  return createElement(Shown, given)
}

/**
 * A component that needs no further words, and has the styles that it needs: the way to the first screen waits for no
 * others. The router calls `preload` before it shows a page, which is then drawn at once: each wait in the page itself would
 * be one more pass over all of it.
 */
export function loadedOnTheWay<Props extends object>(load: Load<Props>) {
  const get = async () => {
    kept.there ??= await load()
    return { default: kept.there }
  }
  const kept: Kept<Props> = { there: undefined, later: lazy(get) as unknown as ComponentType<Props> }
  return Object.assign((given: Props) => createElement(OnTheWay<Props>, { kept, given }), {
    preload: async () => {
      await get()
    },
  })
}

let noteScreen: () => void
const screenIsThere = new Promise<void>((resolve) => {
  noteScreen = resolve
})

/** The reads of a screen may take longer than this; the frame around it is not held back for them any longer. */
const longestReadMs = 8000

/** Next to a screen, and mounted after it: the screen is there once what it reads is answered. */
export function ScreenIsThere({ answered }: { answered: () => Promise<void> }): null {
  useEffect(() => {
    const timer = setTimeout(noteScreen, longestReadMs)
    // Its reads begin in this turn, and rows are drawn a turn after their answer.
    setTimeout(() => void answered().then(() => setTimeout(noteScreen)))
    return () => clearTimeout(timer)
  }, [answered])
  return null
}

/** Loads something once the first screen is there, which has the connection until then. */
export async function afterScreen<T>(load: () => Promise<T>): Promise<T> {
  await screenIsThere
  return await load()
}

/** Loads a component once the first screen is there. */
export function loadedBehind<Props>(load: Load<Props>) {
  return lazy(() => afterScreen(() => withAll(load)))
}
