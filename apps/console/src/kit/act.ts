// Runs the action of a button, other than saving a form, and holds its refusal.
import { useState } from 'react'
import { describeFault, type Fault, faultWords } from '../doors/api.ts'

export function useAct() {
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    words: fault && faultWords(fault),
    /** `act` answers or throws what went wrong; true: nothing did. */
    async run(act: () => Promise<Fault | undefined>): Promise<boolean> {
      setBusy(true)
      const refused = await act().catch(describeFault)
      setBusy(false)
      setFault(refused)
      return refused === undefined
    },
  }
}
