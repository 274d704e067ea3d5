import { useEffect, useRef } from 'react'

const typingMs = 250

/** Asks for what is searched once somebody has typed it, where not the whole list is here to be searched. */
export function useAskedSearch(text: string, isWhole: boolean, ask: (search: string) => void): void {
  const asked = useRef('')
  const wanted = text.trim()
  useEffect(() => {
    if (isWhole || wanted === asked.current) return
    const typing = setTimeout(() => {
      asked.current = wanted
      ask(wanted)
    }, typingMs)
    return () => clearTimeout(typing)
  }, [wanted, isWhole, ask])
}
