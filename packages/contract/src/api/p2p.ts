/** Point-to-point units: their destination, their stream and their groups. */
import { z } from 'zod'
import { accepted, Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { Destination, PointToPointUnit } from '../nouns/p2p.ts'

const Id = z.string().min(1).max(64)
const params = z.object({ id: Id })
const path = '/v2/p2p/{id}'
const permission = 'administerDevices' as const

const example: PointToPointUnit = {
  uid: 'u-lon-07',
  name: 'P2P-LON-07',
  destinationChannelUid: 'ch-lon-1',
  destinationChannelName: 'London-1',
  streaming: false,
}
const Groups = z.array(z.object({ uid: z.string(), name: z.string() }))
const exampleGroups = [{ uid: 'london', name: 'London-News' }]

export const p2p = {
  one: endpoint({
    method: 'GET',
    path,
    summary: 'A point-to-point unit and its destination',
    permission: 'viewUnits',
    params,
    response: PointToPointUnit,
    errors: [404],
    example,
    rows: ['EP-P2P-01'],
  }),
  create: endpoint({
    method: 'POST',
    path,
    summary: 'Gives a unit of the product P2P its destination, to which it transmits alone from now on',
    permission,
    params,
    body: Destination,
    response: PointToPointUnit,
    errors: [404, 409],
    example,
    rows: ['EP-P2P-02'],
  }),
  change: endpoint({
    method: 'PUT',
    path,
    summary: 'Sets another destination; a stream that runs moves there on air',
    permission,
    params,
    body: Destination,
    response: PointToPointUnit,
    errors: [404, 409],
    example,
    rows: ['EP-P2P-03'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    summary: 'Removes the destination of a unit that does not transmit; any channel can be selected again',
    permission,
    params,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-P2P-04'],
  }),
  start: endpoint({
    method: 'POST',
    path: `${path}/stream`,
    summary: 'Starts the stream to the destination',
    permission: 'transmit',
    params,
    ...accepted,
    rows: ['EP-P2P-05'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: `${path}/stream`,
    summary: 'Stops the stream to the destination',
    permission: 'transmit',
    params,
    ...accepted,
    rows: ['EP-P2P-06'],
  }),
  groups: endpoint({
    method: 'GET',
    path: `${path}/groups`,
    summary: "Groups that the point-to-point unit can be in: those of its customer in the caller's scope",
    permission,
    params,
    response: Groups,
    errors: [404],
    example: exampleGroups,
    rows: ['EP-P2P-07'],
  }),
  setGroups: endpoint({
    method: 'PUT',
    path: `${path}/groups`,
    summary: 'Sets in which of these groups the point-to-point unit is; answers them',
    permission,
    params,
    body: z.strictObject({ groups: z.array(Id).max(200) }),
    response: Groups,
    errors: [404],
    example: exampleGroups,
    rows: ['EP-P2P-08'],
  }),
  selectedGroups: endpoint({
    method: 'GET',
    path: `${path}/groups/selected`,
    summary: 'Groups that the point-to-point unit is in',
    permission: 'viewUnits',
    params,
    response: Groups,
    errors: [404],
    example: exampleGroups,
    rows: ['EP-P2P-09'],
  }),
}
