// Checks of ingest: who may use it, the owners of servers and channels, the content of a mapping file, the switch of the sync.
import { type Rule, rules } from './mutant-rules.ts'

const ingest = rules(/^programme\/ingest\//, ['programme/ingest'])
const newsroom = rules(/^programme\/ingest\//, ['footage/newsroom'])

export const ingestMutants: readonly Rule[] = [
  ingest('if (reason !== undefined) throw new Conflict(reason)'),
  ingest("if (!server) throw new NotFound('ingest')"),
  ingest("if (!known.has(channelId)) throw new NotFound('channel')"),
  ingest('requireCapacity(scope, inventoryId, next)\n'),
  ingest("if (type !== 'ingest_server') throw new NotFound('ingest')"),
  ingest('inventoryId !== undefined && server.inventoryId !== inventoryId', 'false'),
  ingest('right === undefined || !isSecretOf(hashSecret(right), given)', 'false'),
  ingest("if (fault !== undefined) throw InvalidRequest.at('content', fault)"),
  ingest('sealing.seal(password, inventoryId)', 'password'),
  newsroom('if (isOther) await requireConfirmation({ stored, inventoryId, address }, change)\n'),
  newsroom('if (next.sync) requireSyncable(next, stored)\n'),
  newsroom("if (before.configuration.sync) throw new Conflict('ingest.mappingInUse')\n"),
  ingest("return readsOthers ? 'ingest.readsOthers' : undefined", 'return undefined'),
]
