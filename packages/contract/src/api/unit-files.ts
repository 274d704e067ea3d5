/** Files on units: listing their storages, uploads to the server of the selected channel, deletion on the unit. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { Metadata } from '../nouns/names.ts'
import { FileUpload, Folder, PATHS_AT_MOST, StoragePath, UPLOADS_KEPT } from '../nouns/unit-files.ts'
import { Storage } from '../nouns/units.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const paths = (most: number) => z.array(StoragePath).min(1).max(most)
const path = '/media/internal/2026-11-21/Harbour.mp4'

const exampleUpload: FileUpload = {
  id: 'ul-1',
  path,
  name: 'Harbour.mp4',
  metadata: null,
  state: 'uploading',
  sizeBytes: 184_320_000,
  sentBytes: 61_440_000,
  channelId: 'ch-lon-1',
  channelName: 'London-1',
  by: 'olivia',
  startedAt: 1_795_255_268_000,
  endedAt: null,
  reason: null,
}

export const unitFiles = {
  storages: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/storages',
    summary: 'Storages of a unit, as the unit reports them',
    permission: 'uploadFiles',
    params: id,
    response: z.array(Storage),
    errors: [404],
    example: [{ path: '/media/internal', totalBytes: 64_000_000_000, freeBytes: 41_000_000_000 }],
    rows: ['EP-UFILE-01'],
  }),
  folder: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/storages/files',
    summary: 'The present content of a folder on a storage of a unit, requested from the unit',
    permission: 'uploadFiles',
    params: id,
    query: z.object({ path: StoragePath }),
    response: Folder,
    errors: [404, 409],
    example: {
      path: '/media/internal/2026-11-21',
      entries: [
        { name: 'Harbour.mp4', isFolder: false, sizeBytes: 184_320_000, modifiedMs: 1_795_255_268_000 },
      ],
      isCut: false,
    },
    rows: ['EP-UFILE-02'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/storages/files/upload',
    summary:
      'Requests uploads of files from a unit, one after the other, to the server of its selected channel',
    permission: 'uploadFiles',
    params: id,
    body: z.strictObject({
      paths: paths(UPLOADS_KEPT),
      metadata: Metadata.optional().describe(
        'Of these files, in place of that of the unit; required where the unit has promptMetadata',
      ),
    }),
    response: z.object({ uploads: z.array(FileUpload) }),
    errors: [404, 409],
    example: { uploads: [exampleUpload] },
    rows: ['EP-UFILE-03', 'EN-UPLOAD-01', 'ST-UPL-*', 'ST-FT-*', 'CO-UNIT-52', 'GAP-STORY-03'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/storages/files/deletion',
    summary: 'Deletes files on a unit permanently',
    permission: 'deleteFiles',
    params: id,
    body: z.strictObject({ paths: paths(PATHS_AT_MOST) }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-UFILE-04', 'RO-PERM-24', 'RO-PERM-27', 'GAP-FILE-05'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/cancel_file_upload',
    summary: 'Cancels the uploads of the listed files',
    permission: 'uploadFiles',
    params: id,
    body: z.strictObject({ files: paths(UPLOADS_KEPT) }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-UCMD-29'],
  }),
}
