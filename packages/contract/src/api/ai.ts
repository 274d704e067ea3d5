/** AI sessions of units, and what vendor staff sets up for them. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { AiSettings, AiSettingsChange, AiState, NewAiSettings } from '../nouns/ai.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const administer = 'administerSystem' as const
const use = 'useAi' as const

const example: AiSettings = {
  id: 'ai-1',
  name: 'Test marks',
  provider: 'local',
  endpoint: '',
  model: '',
  hasSecret: false,
}

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

export const aiSettings = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/settings/ai_settings',
    summary: 'What AI sessions may be started with; no secret of any of them',
    permission: administer,
    query: PageQuery,
    response: page(AiSettings),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/settings/ai_settings',
    summary: 'Adds AI settings; the secret is kept sealed and never told again',
    permission: administer,
    body: NewAiSettings,
    response: AiSettings,
    errors: [409],
    example,
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/admin/settings/ai_settings/{id}',
    summary: 'Changes AI settings; sessions that run keep what they began with',
    permission: administer,
    params: id,
    body: AiSettingsChange,
    response: AiSettings,
    errors: [404, 409],
    example,
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/settings/ai_settings/{id}',
    summary: 'Deletes AI settings; sessions that run go on',
    permission: administer,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
}

export const aiSessions = {
  one: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/ai/session',
    summary: 'The newest AI session of a unit with its marks, and what another could be started with',
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
    summary: 'Ends the AI session of a unit; its marks stay',
    permission: use,
    params: id,
    response: AiState,
    errors: [404, 409],
    example: exampleState,
    rows: ['SC-MODAL-08', 'GAP-AI-01'],
  }),
}
