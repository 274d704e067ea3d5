// Playout of a file, current and possible; both that and a download require that its server gives it.
import { type Channel, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { type ChannelFile, downloadPath, playoutRefusal } from '@backhaul/contract/nouns/files'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { toast } from '../../ui/toasts.tsx'
import { byChannelName, channelStore, loadChannels, watchChannels } from '../channels/channels.ts'
import styles from './files.module.css'
import { playFile, probeDownload, stopFile } from './files.ts'

export function PlayoutTab({ file }: { file: ChannelFile }) {
  const { t } = useTranslation('files')
  const channels = useLiveChannels()
  const may = useMay('operateUnits')
  const [chosen, setChosen] = useState('')
  const playout = useAct()
  const unserved = useUnserved(file.fileId)
  const ask = async (run: () => Promise<unknown>, done: 'started' | 'stopped', channel: Channel) => {
    const isDone = await playout.run(async () => void (await run()))
    if (isDone) toast({ title: t(`playout.${done}`), text: displayedChannelName(channel.name), tone: 'good' })
  }

  const home = channels.find(({ uniqueId }) => uniqueId === file.mmhId)
  const refusalOf = (channel: Channel) => {
    const refusal = playoutRefusal({ ...file, serverId: home?.serverId ?? '' }, channel)
    return refusal && reasonText(refusal)
  }
  const isPlaying = (channel: Channel) => channel.playing.includes(file.fileId)
  const playing = channels.filter(isPlaying)
  const target = channels.find(({ uniqueId }) => uniqueId === chosen)
  const refusal = may ? target && refusalOf(target) : reasonText('role.notAllowed')
  return (
    <div className="form-fields">
      {playing.length === 0 ? <p className="quiet">{t('playout.nowhere')}</p> : null}
      <ul className={styles.fileRows}>
        {playing.map((channel) => (
          <li key={channel.uniqueId}>
            <span>
              {displayedChannelName(channel.name)} · {placeOf(channel, file)}
            </span>
            <Button
              size="xs"
              color="red"
              variant="light"
              disabled={!may || playout.busy}
              onClick={() => void ask(() => stopFile(file, channel.uniqueId), 'stopped', channel)}
            >
              {t('playout.stop')}
            </Button>
          </li>
        ))}
      </ul>
      <NativeSelect
        label={t('playout.channel')}
        value={chosen}
        disabled={!may}
        error={refusal}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: t('playout.choose') },
          ...channels.map((channel) => ({
            value: channel.uniqueId,
            label: displayedChannelName(channel.name),
          })),
        ]}
      />
      {playout.words === undefined ? null : <Alert color="red">{playout.words}</Alert>}
      <div className={styles.fileActs}>
        {/* A closed button is not reached by keys, and has no tooltip on a phone. */}
        <p className="quiet" role="status">
          {unserved}
        </p>
        <Download fileId={file.fileId} isClosed={unserved !== undefined} />
        <Button
          disabled={unserved !== undefined || !may || !target || isPlaying(target) || refusal !== undefined}
          loading={playout.busy}
          onClick={() => target && void ask(() => playFile(file, chosen), 'started', target)}
        >
          {t('playout.play')}
        </Button>
      </div>
    </div>
  )

  function placeOf(channel: Channel, { fileId }: ChannelFile): string {
    const place = channel.playing.indexOf(fileId)
    return place === 0 ? t('playout.playing') : t('playout.queued', { place })
  }
}

/** Why its server does not give the file; undefined once it has answered for it (GAP-SRV-12). */
function useUnserved(fileId: string): string | undefined {
  const { t } = useTranslation('files')
  const { data } = useAnswer(['file', fileId, 'probe'], () => probeDownload(fileId))
  if (data === undefined) return t('playout.probing')
  return data ? undefined : t('playout.unreachable')
}

function Download({ fileId, isClosed }: { fileId: string; isClosed: boolean }) {
  const { t } = useTranslation('files')
  if (isClosed)
    return (
      <Button variant="default" disabled>
        {t('playout.download')}
      </Button>
    )
  return (
    <Button component="a" variant="default" href={downloadPath(fileId)} download>
      {t('playout.download')}
    </Button>
  )
}

/** The channels of the group, live while the tab is shown. */
function useLiveChannels(): readonly Channel[] {
  const groupId = useGroups().current?.uid
  useListVersion(channelStore)
  const channels = channelStore.ids().flatMap((id) => channelStore.get(id) ?? [])
  const ids = channels.map(({ uniqueId }) => uniqueId).join()
  useEffect(() => {
    if (groupId !== undefined) void loadChannels(groupId)
  }, [groupId])
  useEffect(() => watchChannels(ids === '' ? [] : ids.split(',')), [ids])
  return channels.toSorted(byChannelName)
}
