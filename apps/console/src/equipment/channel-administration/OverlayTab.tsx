// The graphic drawn over what the channel sends on, and its place.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { OverlayPlace } from '@backhaul/contract/nouns/overlays'
import { Alert, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { useList } from '../../kit/lists.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { graphics as graphicList, graphicsServices, layOver } from '../overlays/overlays.ts'
import { StoredGraphic } from '../overlays/StoredGraphic.tsx'
import styles from './channel-administration.module.css'
import { administeredChannels, type ChannelTabProps } from './channel-administration.ts'

/** Reason why the channel cannot have graphics; nothing is known of services yet where there are none. */
function closedFor(
  { liveuVersion: serverVersion, capabilities }: AdministeredChannel,
  services: readonly string[] | undefined,
): 'version' | 'server' | 'service' | undefined {
  if (gate('overlay', { serverVersion, services: ['graphics'] }) !== undefined) return 'version'
  if (!capabilities.overlay) return 'server'
  return services && gate('overlay', { serverVersion, services }) !== undefined ? 'service' : undefined
}

export function OverlayTab({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('overlays')
  const { inventoryId, uniqueId } = channel
  const { items: graphics, state, errorText: unread } = useList(graphicList, [inventoryId])
  const { data: services, errorText: unreadServices } = useAnswer(['graphicsServices', inventoryId], () =>
    graphicsServices(inventoryId),
  )
  const record = useRecordForm({
    start: () => ({
      overlay: channel.overlay?.id ?? '',
      place: channel.overlay?.place ?? ('topLeft' as OverlayPlace),
    }),
    save: (choice) =>
      administeredChannels.change(() => layOver(uniqueId, choice.overlay === '' ? null : choice)),
  })
  const { overlay, place } = record.values

  const closed = closedFor(channel, services)
  // A graphic that is on the channel may be removed regardless of what has closed it since.
  const offered = graphics.filter(({ id }) => closed === undefined || id === channel.overlay?.id)
  const isShut = closed !== undefined && channel.overlay === null
  const shut = disabledBecause(isShut ? t(`closed.${closed}`) : undefined)
  return (
    <RecordForm
      record={record}
      fault={unread ?? unreadServices}
      inParts
      mayWrite={!isShut}
      mayApply
      done={() => ({ title: t('chosen'), text: channel.name })}
      onClose={onClose}
    >
      <div className="dialog-part">
        <p className="quiet">{t('tabHint')}</p>
        {closed === undefined ? null : <Alert color="yellow">{t(`closed.${closed}`)}</Alert>}
        {closed === undefined && state === 'ready' && services && graphics.length === 0 ? (
          <Alert color="blue">{t('noGraphics')}</Alert>
        ) : null}
        <div className={styles.graphicChoices}>
          <NativeSelect
            label={t('graphic')}
            value={overlay}
            data={[
              { value: '', label: t('none') },
              ...offered.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...shut}
            onChange={(event) => record.set({ overlay: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('place')}
            description={t('placeHint')}
            value={place}
            data={OverlayPlace.options.map((value) => ({ value, label: t(`places.${value}`) }))}
            {...shut}
            onChange={(event) => record.set({ place: event.currentTarget.value as OverlayPlace })}
          />
        </div>
        <StoredGraphic
          label={t('preview')}
          place={place}
          graphic={graphics.find(({ id }) => id === overlay)}
        />
      </div>
    </RecordForm>
  )
}
