/** FTP, SFTP and S3 targets of a customer, and sending files there. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { FileSending, FileTarget, FileTargetChange, NewFileTarget } from '../nouns/file-targets.ts'
import { FileId } from '../nouns/files.ts'

const Id = z.string().min(1).max(64)
const inventory = z.object({ id: Id })
const one = inventory.extend({ targetId: Id })
const administer = 'administerDevices' as const

const example: FileTarget = {
  id: 'ft-newsroom',
  inventoryId: 'inv-north',
  name: 'Newsroom',
  kind: 'ftp',
  address: 'ftps://files.newsroom.example/incoming',
  username: 'backhaul',
  region: '',
  hostKey: '',
  sentMetadata: 'xml',
  sendsAll: false,
  hasSecret: true,
}

const fileId = 'ch-lon-1/u-lon-03/2026-11-21T10-15-00Z.mp4'

const exampleSending: FileSending = {
  id: 'fs-1',
  fileId,
  targetId: 'ft-newsroom',
  targetName: 'Newsroom',
  state: 'sending',
  sizeBytes: 184_320_000,
  sentBytes: 61_440_000,
  tries: 0,
  nextTryAt: null,
  by: 'olivia',
  startedAt: '2026-11-21T10:22:00.000Z',
  endedAt: null,
  reason: null,
}

export const fileTargets = {
  list: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/ftpTargets',
    summary: 'Targets to which the customer sends files, by name, without their secrets',
    permission: administer,
    params: inventory,
    response: z.array(FileTarget),
    errors: [404],
    example: [example],
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/ftpTargets',
    summary: 'Adds a target; its secret is stored encrypted and never shown again',
    permission: administer,
    params: inventory,
    body: NewFileTarget,
    response: FileTarget,
    errors: [404, 409],
    example,
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/ftpTargets/{targetId}',
    summary: 'Changes a target; what is not sent yet goes where it leads then',
    permission: administer,
    params: one,
    body: FileTargetChange,
    response: FileTarget,
    errors: [404, 409],
    example,
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/ftpTargets/{targetId}',
    summary: 'Deletes a target with its sendings; files that it received are kept there',
    permission: administer,
    params: one,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/ftpTargets/{targetId}/check',
    summary: 'Signs in at a target and opens its folder; refused with the reason why files cannot be sent',
    takesLong: true,
    permission: administer,
    audited: false,
    params: one,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/v2/channelfiles/ftp',
    summary: 'Sends a finished file to a target; continues over restarts, and retries for two hours',
    permission: 'operateUnits',
    body: z.strictObject({ fileId: FileId, targetId: Id }),
    response: FileSending,
    errors: [404, 409],
    example: { ...exampleSending, state: 'waiting', sentBytes: 0 },
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  sendings: endpoint({
    method: 'GET',
    path: '/v2/channelfiles/ftp',
    summary: 'The newest sendings of a file, and the targets that it can be sent to',
    permission: 'viewUnits',
    query: z.object({ fileId: FileId }),
    response: z.object({
      sendings: z.array(FileSending),
      targets: z.array(FileTarget.pick({ id: true, name: true, kind: true })),
    }),
    errors: [404],
    example: {
      sendings: [exampleSending],
      targets: [{ id: 'ft-newsroom', name: 'Newsroom', kind: 'ftp' }],
    },
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/v2/channelfiles/ftp/{sendingId}',
    summary: 'Cancels a sending that is not over',
    permission: 'operateUnits',
    params: z.object({ sendingId: Id }),
    response: FileSending,
    errors: [404, 409],
    example: { ...exampleSending, state: 'cancelled', endedAt: '2026-11-21T10:23:00.000Z' },
    rows: ['GAP-FILE-02', 'SC-FTAB-03'],
  }),
}
