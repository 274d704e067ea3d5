import { p2p as calls } from '@backhaul/contract/api/p2p'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { destinationRefusal, pointToPointRefusal } from '@backhaul/contract/nouns/p2p'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { toast } from '../../ui/toasts.tsx'
import { byChannelName, channelStore } from '../channels/channels.ts'

interface DestinationPickerProps {
  unit: Pick<Unit, 'uid' | 'name' | 'type' | 'transmission' | 'destinationChannelUid' | 'selectedChannelName'>
}

/** The channel that a point-to-point unit transmits to alone; for administrators, and nothing for other units. */
export function DestinationPicker({ unit }: DestinationPickerProps) {
  const { t } = useTranslation('p2p')
  const act = useAct()
  useListVersion(channelStore)
  if (pointToPointRefusal(unit) !== undefined) return null
  const now = unit.destinationChannelUid
  const params = { id: unit.uid }

  async function choose(destinationChannelUid: string | null): Promise<undefined> {
    if (destinationChannelUid === null) await call(calls.remove, { params })
    else await call(now === null ? calls.create : calls.change, { params, body: { destinationChannelUid } })
    toast({ title: t('saved'), text: unit.name, tone: 'good' })
  }

  const channels = channelStore
    .ids()
    .flatMap((id) => channelStore.get(id) ?? [])
    .filter((channel) => destinationRefusal(channel) === undefined)
    .sort(byChannelName)
    .map(({ uniqueId, name }) => ({ value: uniqueId, label: displayedChannelName(name) }))
  // Another administrator may have chosen a channel that the group does not have.
  const isElsewhere = now !== null && !channels.some(({ value }) => value === now)
  const closed = unit.transmission === null ? undefined : reasonText('unit.busy')
  return (
    <NativeSelect
      label={t('destination')}
      description={closed}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={act.words}
      {...disabledBecause(closed)}
      value={now ?? ''}
      onChange={({ currentTarget }) => void act.run(() => choose(currentTarget.value || null))}
      data={[
        { value: '', label: t('none') },
        ...(isElsewhere ? [{ value: now, label: displayedChannelName(unit.selectedChannelName) }] : []),
        ...channels,
      ]}
    />
  )
}
