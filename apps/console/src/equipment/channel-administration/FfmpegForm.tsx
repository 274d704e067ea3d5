// Options of ffmpeg for all that a channel sends on, as text: one option in each line, and its value after it.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { ChannelFfmpeg, ffmpegOptions } from '@backhaul/contract/nouns/ffmpeg-settings'
import { Switch, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import styles from './channel-administration.module.css'
import { saveFfmpeg } from './channel-settings.ts'

/** `-b:v 2500k`, `b:v 2500k` and `b:v=2500k` are the same. */
function settingsIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => line.trim())
  return Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const [, option = '', value = ''] = /^-?([^\s=]*)\s*=?\s*(.*)$/.exec(line) ?? []
      return [option, value]
    }),
  )
}

const textOf = (settings: ChannelFfmpeg['ffmpegSettings']): string =>
  Object.entries(settings)
    .map(([option, value]) => `${option} ${value}`)
    .join('\n')

export function FfmpegForm({ channel, onDone }: { channel: AdministeredChannel; onDone: () => void }) {
  const { t } = useTranslation('channels')
  const record = useRecordForm({
    start: () => ({ options: textOf(channel.ffmpegSettings), ffmpegOverride: channel.ffmpegOverride }),
    schema: ChannelFfmpeg,
    requestOf: ({ options, ffmpegOverride }) => ({ ffmpegSettings: settingsIn(options), ffmpegOverride }),
    fieldOf: () => 'options',
    save: (request) => saveFfmpeg(channel.uniqueId, request),
  })
  const { values, set, faults } = record
  return (
    <RecordForm
      record={record}
      done={() => ({ title: t('ffmpeg.saved'), text: channel.name })}
      onClose={onDone}
    >
      <div className="dialog-part">
        <p className="quiet">{t('ffmpeg.hint')}</p>
        <Switch
          label={t('ffmpeg.override')}
          checked={values.ffmpegOverride}
          onChange={(event) => set({ ffmpegOverride: event.currentTarget.checked })}
        />
        <Textarea
          label={t('ffmpeg.options')}
          description={t('ffmpeg.form')}
          value={values.options}
          error={faults.options}
          autosize
          minRows={6}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: styles.options ?? '' }}
          data-autofocus
          onChange={(event) => set({ options: event.currentTarget.value })}
        />
        <details className={styles.optionList}>
          <summary>{t('ffmpeg.allowed')}</summary>
          <dl>
            {Object.entries(ffmpegOptions).map(([option, { values: allowed }]) => (
              <div key={option}>
                <dt>{option}</dt>
                <dd>{allowed}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </RecordForm>
  )
}
