// Keys of input channels: what a standard encoder sends to its server; stored sealed, sent only to the server and to administrators.
import { randomInt } from 'node:crypto'
import { NotFound } from '@backhaul/contract/define/errors'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { AdministeredChannel, InputAccess } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { type ChannelFacts, holdChannel, saveSettings } from './channel-table.ts'
import { takesNothing } from './feeds.ts'

/** The characters of a key, without letters and digits that look alike. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 24

const newInputKey = (): string =>
  Array.from({ length: LENGTH }, () => signs[randomInt(signs.length)]).join('')

export const needsInputKey = ({ inputType }: Pick<ChannelFacts, 'inputType'>): boolean =>
  encoderInputs.some((one) => one === inputType)

const ownerOf = (channelId: string): string => `input of ${channelId}`

export const sealedInputKey = (sealing: Sealing, channelId: string): string =>
  sealing.seal(newInputKey(), ownerOf(channelId))

interface Needs extends Pick<ChannelChanges, 'factsOf' | 'changeOf' | 'adopt'> {
  db: Database
  sealing: Sealing
  /** Throws NotFound for a channel that the caller does not administer. */
  administration: { one(scope: Scope, id: string): Promise<AdministeredChannel> }
}

export interface InputKeys {
  /** Throws NotFound for a channel that no encoder sends to. */
  get(scope: Scope, id: string): Promise<InputAccess>
  /** An encoder that sends with the old key is disconnected. */
  renew(scope: Scope, id: string): Promise<InputAccess>
}

export function createInputKeys({ db, sealing, administration, factsOf, changeOf, adopt }: Needs): InputKeys {
  async function get(scope: Scope, id: string): Promise<InputAccess> {
    const { inputAddress } = await administration.one(scope, id)
    const facts = factsOf(id)
    const key = facts && inputKeyOf(sealing, facts)
    if (!facts || key === undefined) throw new NotFound('channel')
    const url = inputAddress === null ? null : wholeAddress(facts.inputType, inputAddress, key)
    return { address: inputAddress, key, url }
  }

  return {
    get,
    async renew(scope, id) {
      await get(scope, id)
      const change = await db.transaction().execute((transaction) => renewed(transaction, id))
      adopt([change])
      return await get(scope, id)
    },
  }

  async function renewed(transaction: DatabaseTransaction, id: string): Promise<ChannelChange | undefined> {
    const facts = await holdChannel(transaction, id)
    const inputKey = sealedInputKey(sealing, id)
    return await changeOf(transaction, facts && (await saveSettings(transaction, facts, { inputKey })))
  }
}

/** Null where the key is sent apart from the address. */
function wholeAddress(inputType: ChannelFacts['inputType'], address: string, key: string): string | null {
  switch (inputType) {
    case 'webrtc':
      return null
    case 'srt':
      return `${address}?passphrase=${key}`
    case 'rist':
      return `${address}?aes-type=128&secret=${key}`
    default:
      return `${address}/${key}`
  }
}

const inputKeyOf = (sealing: Sealing, { id, settings }: ChannelFacts): string | undefined =>
  settings.inputKey === undefined ? undefined : sealing.open(settings.inputKey, ownerOf(id))

/** Adds the keys for the server: the stored wanted state has none. Without one a stopped channel admits no sender. */
export function withInputKeys(
  sealing: Sealing,
  factsOf: ChannelChanges['factsOf'],
  state: ServerWanted,
): ServerWanted {
  const channels = state.channels.map((wanted) => {
    const facts = factsOf(wanted.channelId)
    const inputKey = facts && !takesNothing(facts.settings) ? inputKeyOf(sealing, facts) : undefined
    return inputKey === undefined ? wanted : { ...wanted, inputKey }
  })
  return { ...state, channels }
}
