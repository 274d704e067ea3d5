// The keys of a unit, and those that open its pickers.
import { useEffect, useRef } from 'react'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { useHotKey } from '../../ui/use-hot-key.ts'
import { createValue, useValue } from '../../ui/value.ts'
import { askToEdit } from './asked.ts'
import { pressStart } from './StartButton.tsx'
import { unitKeys } from './units.ts'
import type { LiveUnit } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

type Picker = 'channel' | 'delay'

interface Choice {
  uid: string
  picker: Picker
  /** The element that had the focus, and gets it back. */
  from: Element | null
}

const wanted = createValue<Choice | null>(null)

/** `actedOn` is called at each key; undefined: there is nothing that a key could mean. `onChoose` brings the picker into sight. */
export function useUnitKeys(actedOn: () => LiveUnit | undefined, onChoose: () => void): void {
  const mayOperate = useMay('operateUnits')
  const { start } = useUnitActions()
  const edit = (field: 'name' | 'comment') => {
    const unit = actedOn()
    if (unit && mayOperate) askToEdit(unit.uid, field)
  }
  const choose = (picker: Picker) => {
    const unit = actedOn()
    if (!unit) return
    onChoose()
    wanted.set({ uid: unit.uid, picker, from: document.activeElement })
  }
  useHotKey(unitKeys.startStop, () => {
    const unit = actedOn()
    if (unit) pressStart(unit, mayOperate, start)
  })
  useHotKey(unitKeys.channel, () => choose('channel'))
  useHotKey(unitKeys.delay, () => choose('delay'))
  useHotKey(unitKeys.rename, () => edit('name'))
  useHotKey(unitKeys.comment, () => edit('comment'))
}

/** Calls `open` when the key of this picker was pressed; the returned function gives the keyboard back after the choice. */
export function usePickerKey(uid: string, picker: Picker, open: () => void): () => void {
  const choice = useValue(wanted)
  const from = useRef<Element | null>(null)
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    if (choice?.uid !== uid || choice.picker !== picker) return
    wanted.set(null)
    from.current = choice.from
    latest.current()
  }, [choice, uid, picker])
  return () => {
    const back = from.current
    from.current = null
    if (back === null) return
    const field = document.activeElement
    if (back instanceof HTMLElement && back !== document.body) back.focus()
    else if (field instanceof HTMLElement) field.blur()
  }
}
