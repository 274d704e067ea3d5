/** AI sessions of units. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { AiState } from '../nouns/ai.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const use = 'useAi' as const

const exampleState: z.input<typeof AiState> = {
  session: {
    id: 'as-1',
    profileName: 'Test marks',
    provider: 'local',
    startedBy: 'olivia',
    startedOn: '2026-11-21T10:00:00.000Z',
    endedOn: null,
    endedBy: null,
    marks: [{ ts: '2026-11-21T10:00:42.000Z', kind: 'sound', text: 'Loud moment' }],
  },
  profiles: [{ id: 'ai-1', name: 'Test marks', provider: 'local' }],
  refusal: null,
}

export const aiSessions = {
  one: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/ai/session',
    summary: 'The newest AI session of a unit with its marks, and the settings available for another',
    permission: use,
    params: id,
    response: AiState,
    errors: [404],
    example: exampleState,
    rows: ['SC-MODAL-08', 'GAP-AI-01'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/ai/session',
    summary: 'Starts an AI session on the running transmission of a unit; it ends with it',
    permission: use,
    params: id,
    body: z.strictObject({ profile: z.string().min(1).max(64) }),
    response: AiState,
    errors: [404, 409],
    example: exampleState,
    rows: ['SC-MODAL-08', 'ER-UNIT-36', 'RO-PERM-25', 'GAP-AI-01'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/ai/session',
    summary: 'Ends the AI session of a unit; its marks are kept',
    permission: use,
    params: id,
    response: AiState,
    errors: [404, 409],
    example: exampleState,
    rows: ['SC-MODAL-08', 'GAP-AI-01'],
  }),
}
