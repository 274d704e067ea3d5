/** Intercom of a unit: its lines and audio jacks, sessions on the lines, and its account at an intercom server. */
import { z } from 'zod'
import { accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  AudioJacks,
  IntercomLine,
  IntercomNumber,
  IntercomOptions,
  NewSipAccount,
  SipAccount,
} from '../nouns/intercom.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const none = z.union([z.strictObject({}), z.undefined()])
const operateUnits = 'operateUnits' as const
const administerDevices = 'administerDevices' as const
const exampleAccount: SipAccount = { server: 'sip.north.example', account: 'van-3' }

/** The number is text in a path, and is converted here. */
const session = id.extend({
  session: z.coerce.number().pipe(IntercomNumber).describe('The number of the intercom'),
})

const command = { permission: operateUnits, ...accepted }
const account = {
  params: id,
  response: z.object({ sipAccount: SipAccount.nullable() }),
  errors: [404] as number[],
  example: { sipAccount: exampleAccount },
}
const administeredPath = '/v2/admin/units/{id}/sipAccount'

export const intercom = {
  options: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/intercom',
    summary: 'Choices for the intercom of a unit, and why it is closed',
    permission: 'viewUnits',
    params: id,
    response: IntercomOptions,
    errors: [404],
    example: {
      closed: [null, 'The unit has no such intercom.'],
      closedCauses: [null, { code: 'intercom.notBuiltIn', params: {} }],
      server: 'sip.north.example',
      sipAccount: null,
      rooms: [{ id: 'ar-studio', name: 'Studio 1 talkback' }],
      jacks: [{ jack: 1, use: 'intercom1' }],
      channelRoom: null,
      ifb: { delay: 700, alwaysOn: false },
    },
    rows: ['RO-PERM-39', 'GAP-AUDIO-02'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/intercom',
    summary: 'Sets the destination of a line of the intercom; not while it runs',
    params: id,
    body: z.strictObject({
      intercom: IntercomNumber,
      mode: IntercomLine.shape.mode,
      destinationAccount: IntercomLine.shape.destinationAccount.default(''),
    }),
    ...command,
    rows: ['EP-USET-35', 'EN-MISC-07', 'ST-ICOM-07', 'ST-ICOM-08', 'ER-UNIT-25'],
  }),
  setJacks: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/intercom/audiojacks',
    summary: 'Sets the line of each audio jack; jacks that are not named are not changed',
    params: id,
    body: z.strictObject({ jacks: AudioJacks.min(1) }),
    ...command,
    rows: ['EP-USET-36'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/intercom/session/{session}',
    summary: 'Starts a session on a line of the intercom',
    params: session,
    body: none,
    ...command,
    rows: ['EP-STRM-13', 'ST-ICOM-01', 'ST-ICOM-02', 'ER-UNIT-24', 'ER-UNIT-25', 'ER-UNIT-26', 'EN-MISC-06'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/intercom/session/{session}',
    summary: 'Ends the session on a line of the intercom',
    params: session,
    ...command,
    rows: ['EP-STRM-14', 'ST-ICOM-04', 'ST-ICOM-09'],
  }),
  sipAccount: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/sipAccount',
    summary: 'The account of a unit at an intercom server; null without one of its own',
    permission: 'viewUnits',
    ...account,
    rows: ['EP-USET-48'],
  }),
  administeredSipAccount: endpoint({
    method: 'GET',
    path: administeredPath,
    summary: 'The account of a unit at an intercom server, for its administrators',
    permission: administerDevices,
    ...account,
    rows: ['EP-ADMU-21'],
  }),
  setSipAccount: endpoint({
    method: 'PUT',
    path: administeredPath,
    summary: 'Sets the account of a unit at an intercom server; null removes it',
    permission: administerDevices,
    body: z.strictObject({ sipAccount: NewSipAccount.nullable() }),
    ...account,
    rows: ['EP-ADMU-21'],
  }),
}
