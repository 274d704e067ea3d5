import { useCallback, useEffect, useRef, useState } from 'react'

/** For this long after a key in the list, the user is aiming at a row. */
const lateMs = 10_000

/** Returns whether something was done lately, and the function that notes it. */
export function useLately(): [boolean, () => void] {
  const [lately, setLately] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const act = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setLately(false), lateMs)
    setLately(true)
  }, [])
  return [lately, act]
}
