/** System messages for their authors (appendix B: the settings' child client_notification). */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { NewNotification, NotificationChange, WrittenNotification } from '../nouns/notifications.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const path = '/v2/admin/settings/client_notification'
const permission = 'administerSystem' as const

const example: WrittenNotification = {
  id: 'cn-1',
  body: 'Maintenance tonight from 02:00 to 03:00 UTC',
  expiration: '2026-11-22T03:00:00.000Z',
  global: true,
  intervals: [24, 2],
  expiresWithin2Hours: false,
  expiresWithin24Hours: true,
  inventory: null,
  inventoryName: null,
  createdOn: '2026-11-21T09:00:00.000Z',
}

export const notifications = {
  list: endpoint({
    method: 'GET',
    path,
    summary: 'All system messages, including expired ones',
    permission,
    query: PageQuery,
    response: page(WrittenNotification),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-PSG-30', 'EN-CNOT-01', 'EN-CNOT-02', 'EN-CNOT-03', 'EN-CNOT-04', 'EN-CNOT-05', 'EN-CNOT-06'],
  }),
  create: endpoint({
    method: 'POST',
    path,
    summary: 'Writes a system message for all users, or for those of one inventory',
    permission,
    body: NewNotification,
    response: WrittenNotification,
    errors: [404],
    example,
  }),
  change: endpoint({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Changes a system message',
    permission,
    params: id,
    body: NotificationChange,
    response: WrittenNotification,
    errors: [404],
    example,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Removes a system message',
    permission,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
  }),
}
