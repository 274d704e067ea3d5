// The ingest account of a customer: what the newsroom knows it by, and how its stories are read.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import type { IngestAccount, IngestAccountChange, NewMappingFile } from '@backhaul/contract/nouns/ingest'
import { call } from '../../doors/api.ts'

export const changeAccount = (id: string, body: IngestAccountChange): Promise<IngestAccount> =>
  call(calls.changeAccount, { params: { id }, body })

export const uploadMapping = (id: string, body: NewMappingFile): Promise<IngestAccount> =>
  call(calls.uploadMapping, { params: { id }, body })

export const removeMapping = (id: string): Promise<IngestAccount> =>
  call(calls.removeMapping, { params: { id } })
