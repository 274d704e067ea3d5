// Which graphic lies over what the channel sends on, and where.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { OverlayPlace } from '@backhaul/contract/nouns/overlays'
import { Alert, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { useList } from '../../kit/lists.ts'
import { closedBy } from '../../ui/closed.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { graphics as graphicList, graphicsServices, layOver } from '../overlays/overlays.ts'
import { StoredGraphic } from '../overlays/StoredGraphic.tsx'
import type { ChannelTabProps } from './ChannelDialog.tsx'
import { administeredChannels } from './channel-administration.ts'

/** What keeps graphics from the channel; nothing is known of services yet where there are none. */
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
  const [overlay, setOverlay] = useState(channel.overlay?.id ?? '')
  const [place, setPlace] = useState<OverlayPlace>(channel.overlay?.place ?? 'topLeft')
  const saving = useSaving()

  async function save(then?: () => void): Promise<void> {
    const choice = overlay === '' ? null : { overlay, place }
    if (!(await saving.run(() => administeredChannels.change(() => layOver(uniqueId, choice))))) return
    toast({ title: t('chosen'), text: channel.name, tone: 'good' })
    then?.()
  }

  const closed = closedFor(channel, services)
  // What lies there may be taken away whatever has closed it since.
  const offered = graphics.filter(({ id }) => closed === undefined || id === channel.overlay?.id)
  const isShut = closed !== undefined && channel.overlay === null
  const shut = closedBy(isShut ? t(`closed.${closed}`) : undefined)
  return (
    <DialogForm
      mayWrite={!isShut}
      fault={saving.words ?? unread ?? unreadServices}
      busy={saving.busy}
      onCancel={onClose}
      onApply={() => void save()}
      onOk={() => void save(onClose)}
    >
      <div className="dialog-part">
        <p className="quiet">{t('tabHint')}</p>
        {closed === undefined ? null : <Alert color="yellow">{t(`closed.${closed}`)}</Alert>}
        {closed === undefined && state === 'ready' && services && graphics.length === 0 ? (
          <Alert color="blue">{t('noGraphics')}</Alert>
        ) : null}
        <div className="graphic-choices">
          <NativeSelect
            label={t('graphic')}
            value={overlay}
            data={[
              { value: '', label: t('none') },
              ...offered.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...shut}
            onChange={(event) => setOverlay(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('place')}
            description={t('placeHint')}
            value={place}
            data={OverlayPlace.options.map((value) => ({ value, label: t(`places.${value}`) }))}
            {...shut}
            onChange={(event) => setPlace(event.currentTarget.value as OverlayPlace)}
          />
        </div>
        <StoredGraphic
          label={t('preview')}
          place={place}
          graphic={graphics.find(({ id }) => id === overlay)}
        />
      </div>
    </DialogForm>
  )
}
