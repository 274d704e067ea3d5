// The addresses from which the server of an input channel fetches its picture.
import { channelSettings as calls } from '@backhaul/contract/api/channel-settings'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { INPUT_SOURCES_MAX, InputSourceRequest } from '@backhaul/contract/nouns/input-sources'
import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { TextField } from '../../kit/TextField.tsx'
import { givenReason } from '../../texts/generic.ts'
import styles from './channel-administration.module.css'
import { administeredChannels } from './channel-administration.ts'

export function SourcesPart({ channel }: { channel: AdministeredChannel }) {
  const { t } = useTranslation('channels')
  const { uniqueId: id, inputSources, inputFailure } = channel
  const params = { id }
  const removal = useAct()
  const record = useRecordForm({
    start: () => ({ name: '', url: '' }),
    schema: InputSourceRequest,
    save: (body) => administeredChannels.change(() => call(calls.addSource, { params, body })),
  })

  async function add(): Promise<void> {
    if ((await record.save()) !== undefined) record.restart({ name: '', url: '' })
  }
  const remove = (source: string) =>
    removal.run(() =>
      administeredChannels.change(() => call(calls.removeSource, { params, query: { source } })),
    )

  const fault = removal.words ?? record.unplaced
  return (
    <fieldset className={styles.inputAccess}>
      <legend>{t('sources.title')}</legend>
      <p className="quiet">{t('sources.hint')}</p>
      {fault === undefined ? null : <Alert color="red">{fault}</Alert>}
      <ol className={styles.sources}>
        {inputSources.map(({ id: source, name, url }) => (
          <li key={source}>
            <strong className="clip">{name}</strong>
            <span className="quiet clip">{url}</span>
            <button type="button" className="plain-button" onClick={() => void remove(source)}>
              {t('sources.remove', { name })}
            </button>
            {inputFailure?.sourceId === source ? (
              <p className={styles.sourceFailure}>{givenReason(inputFailure)}</p>
            ) : null}
          </li>
        ))}
      </ol>
      {inputSources.length < INPUT_SOURCES_MAX ? (
        <div className={styles.sourceForm}>
          <TextField record={record} name="name" label={t('sources.name')} />
          <TextField record={record} name="url" label={t('sources.url')} />
          <Button variant="default" loading={record.busy} onClick={() => void add()}>
            {t('sources.add')}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
