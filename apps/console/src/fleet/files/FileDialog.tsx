import { channelFiles as calls } from '@backhaul/contract/api/files'
import type { ResponseOf } from '@backhaul/contract/define/endpoint'
import { type ChannelFile, type FileMetadata, SEND_METADATA } from '@backhaul/contract/nouns/files'
import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { dateAndTime, decimal, mbpsText, sizeText } from '../../ui/locale.ts'
import { SharingTab } from '../file-targets/SharingTab.tsx'
import styles from './files.module.css'
import { PlayoutTab } from './PlayoutTab.tsx'

/** All about one file: where it is played out, what is known of it, its parts. */
export function FileDialog({ file, onClose }: { file: ChannelFile; onClose: () => void }) {
  const { t } = useTranslation('files')
  return (
    <Dialog onClose={onClose} title={file.fileName} size={680}>
      <Tabs defaultValue="playout" keepMounted={false} className={`dialog-tabs ${styles.fileTabs}`}>
        <Tabs.List aria-label={t('tabs.label')}>
          <Tabs.Tab value="playout">{t('tabs.playout')}</Tabs.Tab>
          <Tabs.Tab value="metadata">{t('tabs.metadata')}</Tabs.Tab>
          <Tabs.Tab value="sharing">{t('tabs.sharing')}</Tabs.Tab>
          <Tabs.Tab value="chunks">{t('tabs.chunks')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="playout">
          <PlayoutTab file={file} />
        </Tabs.Panel>
        <Tabs.Panel value="metadata">
          <MetadataTab file={file} />
        </Tabs.Panel>
        <Tabs.Panel value="sharing">
          <SharingTab file={file} />
        </Tabs.Panel>
        <Tabs.Panel value="chunks">
          <ChunksTab file={file} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  )
}

function MetadataTab({ file: { fileId, mmhId } }: { file: ChannelFile }) {
  const { t } = useTranslation('files')
  const documentWords = ({ document, sendMetadata }: ResponseOf<typeof calls.metadata>): string => {
    if (document !== null) return t('metadata.documentOf', { format: document.toUpperCase() })
    return sendMetadata ? '—' : t('metadata.noDocument')
  }
  const query = { channelId: mmhId, filePath: fileId.slice(mmhId.length + 1) }
  const { data, error } = useRead(calls.metadata, { query })
  if (error) return <p role="alert">{t('metadata.failed')}</p>
  if (!data) return null
  return (
    <Facts
      facts={[
        ...factsOf(data).map(([name, value]) => [t(`metadata.${name}`), value || '—'] as const),
        [t('metadata.document'), documentWords(data)],
        ...Object.entries(data.story).filter(([name]) => name !== SEND_METADATA),
      ]}
    />
  )
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
const lengthText = (ms: number): string =>
  `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`

const factsOf = (data: FileMetadata) =>
  [
    ['dateTime', dateAndTime(new Date(data.dateTime))],
    ['size', sizeText(data.sizeBytes)],
    ['resolution', data.resolution],
    ['length', data.lengthMs === null ? null : lengthText(data.lengthMs)],
    ['bitrate', data.bitrateKbps === null ? null : mbpsText(data.bitrateKbps)],
    ['codec', data.codec],
    ['quality', data.quality?.toUpperCase()],
    ['gps', data.gps && `${decimal(data.gps.lat, 4)}, ${decimal(data.gps.lng, 4)}`],
    ['unitName', data.unitName],
    ['unitType', data.unitType],
  ] as const

function ChunksTab({ file: { fileId } }: { file: ChannelFile }) {
  const { t } = useTranslation('files')
  const { data, error } = useRead(calls.chunks, { body: { fileId } })
  if (error) return <p role="alert">{t('chunks.failed')}</p>
  return (
    <ul className={styles.fileRows}>
      {data?.map(({ index, sizeBytes, state }) => (
        <li key={index}>
          <span>{t('chunks.part', { index })}</span>
          <span className="quiet">
            {sizeText(sizeBytes)} · {t(`state.${state}`)}
          </span>
        </li>
      ))}
    </ul>
  )
}
