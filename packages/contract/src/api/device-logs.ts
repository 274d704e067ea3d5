/** Sending logs of units and channels, and reading what came. */

import { z } from 'zod'
import { accepted, Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { rule } from '../define/refusals.ts'
import { DESCRIPTION_MAX, DeviceLog } from '../nouns/device-logs.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const exampleLog: DeviceLog = {
  id: 'lo-1',
  source: 'unit',
  name: 'LU600-LON-03',
  description: 'Picture froze at the stadium',
  by: 'olivia',
  startedAt: '2026-11-21T10:00:00.000Z',
  state: 'complete',
  bytes: 48_112,
}
const Description = z.string().trim().min(1, rule('field.required')).max(DESCRIPTION_MAX)

export const deviceLogs = {
  sendOfUnit: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/fetchlogs/enhanced',
    summary: 'Requests the logs of a unit, and optionally those of its selected channel',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ description: Description, includeChannel: z.boolean().default(false) }),
    ...accepted,
    rows: ['EP-USET-41'],
  }),
  stopOfUnit: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/stream/fetchlogs',
    summary: 'Cancels the sending of logs, including those of the channel',
    permission: 'operateUnits',
    params: id,
    ...accepted,
    rows: ['EP-STRM-08'],
  }),
  sendOfChannel: endpoint({
    method: 'POST',
    path: '/v2/channels/{id}/fetchlogs',
    summary: 'Requests the logs of a channel from its server',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ description: Description }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-CHAN-44'],
  }),
  stopOfChannel: endpoint({
    method: 'DELETE',
    path: '/v2/channels/{id}/fetchlogs',
    summary: 'Cancels the sending of a channel’s logs',
    permission: 'operateUnits',
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-CHAN-45'],
  }),
  ofUnit: endpoint({
    method: 'GET',
    path: '/v2/admin/units/{id}/logs',
    summary: 'Received logs of a unit, and of a channel together with it, newest first',
    permission: 'administerDevices',
    params: id,
    response: z.array(DeviceLog),
    errors: [404],
    example: [exampleLog],
  }),
  ofChannel: endpoint({
    method: 'GET',
    path: '/v2/admin/channels/{id}/logs',
    summary: 'Received logs of a channel of an own server, alone or together with a unit, newest first',
    permission: 'administerDevices',
    params: id,
    response: z.array(DeviceLog),
    errors: [404],
    example: [{ ...exampleLog, source: 'channel', name: 'MCR-1' }],
    rows: ['EP-CHAN-44', 'EP-CHAN-45'],
  }),
  text: endpoint({
    method: 'GET',
    path: '/v2/admin/logs/{id}',
    summary: 'The text of a received log',
    permission: 'administerDevices',
    params: id,
    response: z.object({ fileName: z.string(), text: z.string() }),
    errors: [404],
    example: {
      fileName: 'LU600-LON-03-2026-11-21T10-00-00.log',
      text: '10:00:01 agent info  unit started\n',
    },
  }),
}
