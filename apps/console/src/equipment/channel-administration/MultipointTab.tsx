// Units that send to a point-to-multipoint channel as well as to their own one, each added or removed by a tick; for any other
// channel, the point-to-multipoint channels that its picture goes to now.
import { channelAdministration as administration } from '@backhaul/contract/api/channel-administration'
import { channels as calls } from '@backhaul/contract/api/channels'
import { isMultipointName } from '@backhaul/contract/nouns/channels'
import { Alert, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { reread, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import styles from './channel-administration.module.css'
import { type ChannelTabProps, channelStore } from './channel-administration.ts'

interface Sender {
  uid: string
  name: string
  selected: boolean
}

export function MultipointTab(props: ChannelTabProps) {
  return isMultipointName(props.channel.name) ? <Senders {...props} /> : <Receivers {...props} />
}

function Receivers({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('channels')
  const names = channel.multipointMachines.map(({ uid }) => channelStore.get(uid)?.name ?? uid)
  return (
    <>
      <div className="dialog-part">
        <p className="quiet">{t('receiversHint')}</p>
        {names.length === 0 ? (
          <p>{t('noReceivers')}</p>
        ) : (
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
      </div>
      <ModalFooter mayWrite onCancel={onClose} />
    </>
  )
}

function Senders({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('channels')
  const { uniqueId } = channel
  const { data: units, errorText } = useRead(administration.multipoint, { params: { id: uniqueId } })
  const change = useAct()

  async function toggle({ uid, selected }: Sender): Promise<void> {
    const isDone = await change.run(async () => {
      const known = await call(calls.multipoint, { query: { uniqueID: uid } })
      const others = known.filter((one) => one.selected && one.uid !== uniqueId)
      const machines = [...others.map((one) => one.uid), ...(selected ? [] : [uniqueId])]
      const body = { uniqueID: uid, machines: machines.map((one) => ({ uid: one })) }
      await call(calls.updateMultipoint, { body })
      return undefined
    })
    if (isDone) await reread(administration.multipoint, { params: { id: uniqueId } })
  }

  const fault = change.words ?? errorText
  return (
    <>
      <div className="dialog-part">
        <p className="quiet">{t('multipointHint')}</p>
        {fault === undefined ? null : <Alert color="red">{fault}</Alert>}
        <fieldset className={styles.channelGroups}>
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
