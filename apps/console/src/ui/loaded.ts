import { type ComponentType, lazy, useEffect } from 'react'
import { needWords } from '../texts/texts.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

/** The component, and the words of all screens. */
async function withWords<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  const [component] = await Promise.all([load(), needWords('all')])
  return { default: component }
}

/** A component whose module is loaded when it is first shown; `load` imports it. Its words may be any. */
export function loaded<Props>(load: Load<Props>) {
  return lazy(() => withWords(load))
}

/** Loads a component that needs no further words: the way to the first screen does not wait for the others. */
export function loadedOnTheWay<Props>(load: Load<Props>) {
  return lazy(async () => ({ default: await load() }))
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

/** Loads a component once the first screen is there, which has the connection until then. */
export function loadedBehind<Props>(load: Load<Props>) {
  return lazy(async () => {
    await screenIsThere
    return await withWords(load)
  })
}
