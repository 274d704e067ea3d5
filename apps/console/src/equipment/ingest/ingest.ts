// The ingest account of a customer: its name for the newsroom, and how its stories are read.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import type { IngestAccount, IngestAccountChange } from '@backhaul/contract/nouns/ingest'
import { call } from '../../doors/api.ts'

export const changeAccount = (id: string, body: IngestAccountChange): Promise<IngestAccount> =>
  call(calls.changeAccount, { params: { id }, body })
