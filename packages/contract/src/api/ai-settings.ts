/** The options for starting AI sessions, set up by vendor staff. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { AiSettings, AiSettingsChange, NewAiSettings } from '../nouns/ai.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const administer = 'administerSystem' as const

const example: AiSettings = {
  id: 'ai-1',
  name: 'Test marks',
  provider: 'local',
  endpoint: '',
  model: '',
  hasSecret: false,
}

export const aiSettings = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/settings/ai_settings',
    summary: 'Settings with which AI sessions can be started, without their secrets',
    permission: administer,
    query: PageQuery,
    response: page(AiSettings),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/settings/ai_settings',
    summary: 'Adds AI settings; the secret is stored encrypted and never shown again',
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
    summary: 'Changes AI settings; running sessions keep their settings',
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
    summary: 'Deletes AI settings; running sessions continue',
    permission: administer,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['RT-PSG-16', 'GAP-AI-02', 'GAP-SCR-11'],
  }),
}
