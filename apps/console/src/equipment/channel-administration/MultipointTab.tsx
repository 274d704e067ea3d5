// Which units send to a point-to-multipoint channel beside their own one: each is added or taken away by a tick.
import { channelAdministration as administration } from '@backhaul/contract/api/channel-administration'
import { channels as calls } from '@backhaul/contract/api/channels'
import { Alert, Checkbox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import type { ChannelTabProps } from './ChannelDialog.tsx'

interface Sender {
  uid: string
  name: string
  selected: boolean
}

export function MultipointTab({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('channels')
  const [units, setUnits] = useState<readonly Sender[]>()
  const [fault, setFault] = useState<Fault>()
  const { uniqueId } = channel

  const read = async () => setUnits(await call(administration.multipoint, { params: { id: uniqueId } }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each channel
  useEffect(() => void read().catch((error) => setFault(describeFault(error))), [uniqueId])

  async function toggle({ uid, selected }: Sender): Promise<void> {
    try {
      const known = await call(calls.multipoint, { query: { uniqueID: uid } })
      const others = known.filter((one) => one.selected && one.uid !== uniqueId)
      const machines = [...others.map((one) => one.uid), ...(selected ? [] : [uniqueId])]
      const body = { uniqueID: uid, machines: machines.map((one) => ({ uid: one })) }
      await call(calls.updateMultipoint, { body })
      setFault(undefined)
      await read()
    } catch (error) {
      setFault(describeFault(error))
    }
  }

  return (
    <>
      <div className="dialog-part">
        <p className="quiet">{t('multipointHint')}</p>
        {fault ? <Alert color="red">{faultWords(fault)}</Alert> : null}
        <fieldset className="channel-groups">
          <legend className="visually-hidden">{t('tabs.multipoint')}</legend>
          {units?.map((unit) => (
            <Checkbox
              key={unit.uid}
              label={unit.name}
              checked={unit.selected}
              onChange={() => void toggle(unit)}
            />
          ))}
          {units?.length === 0 ? <p className="quiet">{t('noUnits')}</p> : null}
        </fieldset>
      </div>
      <ModalFooter mayWrite onCancel={onClose} />
    </>
  )
}
