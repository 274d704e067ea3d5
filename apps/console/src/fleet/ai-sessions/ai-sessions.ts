// AI sessions of units: the unit of the open dialog, and the calls.
import { aiSessions as calls } from '@backhaul/contract/api/ai-sessions'
import type { AiState } from '@backhaul/contract/nouns/ai'
import { call } from '../../doors/api.ts'
import { createValue } from '../../ui/value.ts'

interface NamedUnit {
  uid: string
  name: string
}

/** Unit whose AI session is shown. */
export const askedAi = createValue<NamedUnit | null>(null)

export const askForAi = ({ uid, name }: NamedUnit): void => askedAi.set({ uid, name })

/** This and the next throw. */
export const startAi = (id: string, profile: string): Promise<AiState> =>
  call(calls.start, { params: { id }, body: { profile } })

export const stopAi = (id: string): Promise<AiState> => call(calls.stop, { params: { id } })
