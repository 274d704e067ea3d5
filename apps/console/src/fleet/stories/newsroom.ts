// The newsroom of a customer: where it lists its stories, how they are read, and what the mapping file makes of them.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import type {
  IngestAccount,
  IngestAccountChange,
  MappedStories,
  NewMappingFile,
} from '@backhaul/contract/nouns/ingest'
import { call } from '../../doors/api.ts'

export const changeNewsroom = (id: string, body: IngestAccountChange): Promise<IngestAccount> =>
  call(calls.changeAccount, { params: { id }, body })

export const uploadMapping = (id: string, body: NewMappingFile): Promise<IngestAccount> =>
  call(calls.uploadMapping, { params: { id }, body })

export const removeMapping = (id: string): Promise<IngestAccount> =>
  call(calls.removeMapping, { params: { id } })

export const testMapping = (id: string, content: string): Promise<MappedStories> =>
  call(calls.testMapping, { params: { id }, body: { content } })
