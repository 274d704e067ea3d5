import { type Channel, sessionRefusal } from '@backhaul/contract/nouns/channels'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'

/** Reason why the user cannot record the channel or switch its tally now; undefined if they can. */
export function useClosedActs(channel: Pick<Channel, 'privateSession'> | undefined): string | undefined {
  const mayOperate = useMay('operateUnits')
  const mayAdminister = useMay('administerDevices')
  if (!mayOperate) return reasonText('role.notAllowed')
  if (channel && sessionRefusal(channel, mayAdminister)) return reasonText('channel.private')
  return undefined
}
