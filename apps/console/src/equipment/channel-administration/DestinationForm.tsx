// A streaming destination as a user writes it: only the fields of its type, each checked by the contract.
import {
  DestinationRequest,
  destinationFields,
  resolutions,
  type StreamingDestination,
  StreamType,
  srtModes,
  videoProfiles,
} from '@backhaul/contract/nouns/destinations'
import { Checkbox, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import styles from './channel-administration.module.css'
import { saveDestination } from './destinations.ts'

interface DestinationFormProps {
  channelId: string
  /** null: a new one. */
  destination: StreamingDestination | null
  onDone: () => void
}

type Switch = 'lowLatency' | 'onDemand'
type Entries = Record<Exclude<keyof DestinationRequest, 'streamType' | Switch>, string | number>
type Draft = Entries & { streamType: StreamType } & Record<Switch, boolean>

const blank = {
  ...(Object.fromEntries(Object.keys(DestinationRequest.shape).map((name) => [name, ''])) as Entries),
  streamType: 'RTMP' as const,
  lowLatency: false,
  onDemand: false,
}

const words = ['urlPrimary', 'urlSecondary', 'streamId', 'username', 'ip'] as const
const figures = [
  'port',
  'sourcePort',
  'latency',
  'maxReaders',
  'videoBitrate',
  'constantMuxRate',
  'maxFrameRate',
] as const
const secrets = { password: 'hasPassword', passphrase: 'hasPassphrase' } as const
const choices = { srtMode: srtModes, videoProfile: videoProfiles, resolution: resolutions } as const

export function DestinationForm({ channelId, destination, onDone }: DestinationFormProps) {
  const { t } = useTranslation('destinations')
  const record = useRecordForm({
    start: () => draftOf(destination),
    schema: DestinationRequest,
    requestOf,
    save: (request) => saveDestination(channelId, destination?.id, request),
  })
  const { values: draft, set, faults } = record
  const { must, may } = destinationFields[draft.streamType]
  // Only a listener has readers.
  const isMeant = (name: string) => name !== 'maxReaders' || draft.srtMode === 'listener'
  const has = (name: string) => isMeant(name) && ([...must, ...may] as readonly string[]).includes(name)
  const isRequired = (name: string) => (must as readonly string[]).includes(name)

  const text = (name: 'name' | 'provider' | (typeof words)[number]) => (
    <TextInput
      key={name}
      label={t(`field.${name}`)}
      value={draft[name]}
      error={faults[name]}
      required={name === 'name' || isRequired(name)}
      data-autofocus={name === 'name' || undefined}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const figure = (name: (typeof figures)[number] | 'bitRate') => (
    <NumberInput
      key={name}
      label={t(`field.${name}`)}
      value={draft[name]}
      error={faults[name]}
      required={isRequired(name)}
      hideControls
      size="xs"
      onChange={(value) => set({ [name]: value })}
    />
  )
  const choice = (name: keyof typeof choices) => (
    <NativeSelect
      key={name}
      label={t(`field.${name}`)}
      value={draft[name]}
      error={faults[name]}
      data={[
        { value: '', label: t(`none.${name}`) },
        ...choices[name].map((value) => ({ value, label: value })),
      ]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const secret = (name: keyof typeof secrets) => (
    <PasswordInput
      key={name}
      label={t(`field.${name}`)}
      placeholder={destination?.[secrets[name]] ? t('kept') : undefined}
      value={draft[name]}
      error={faults[name]}
      autoComplete="off"
      size="xs"
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const toggle = (name: Switch) => (
    <Checkbox
      label={t(`field.${name}`)}
      description={t(`${name}Hint`)}
      checked={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <RecordForm record={record} done={(saved) => ({ title: t('saved'), text: saved.name })} onClose={onDone}>
      <div className="dialog-part">
        <div className={styles.destinationFields}>
          {text('name')}
          <NativeSelect
            label={t('field.streamType')}
            value={draft.streamType}
            error={faults.streamType}
            data={StreamType.options}
            // Fields of another type mean nothing.
            onChange={(event) =>
              set({
                ...blank,
                name: draft.name,
                provider: draft.provider,
                streamType: event.currentTarget.value as StreamType,
              })
            }
          />
          {text('provider')}
          {has('srtMode') ? choice('srtMode') : null}
          {words.filter(has).map(text)}
          {figures.filter(has).map(figure)}
          {(Object.keys(secrets) as (keyof typeof secrets)[]).filter(has).map(secret)}
          {has('lowLatency') ? toggle('lowLatency') : null}
          {choice('videoProfile')}
          {choice('resolution')}
          {figure('bitRate')}
          {toggle('onDemand')}
        </div>
      </div>
    </RecordForm>
  )
}

function draftOf(destination: StreamingDestination | null): Draft {
  if (!destination) return blank
  const { id: _, hasPassword: __, hasPassphrase: ___, playUrl: ____, ...fields } = destination
  return { ...blank, ...fields }
}

/** Fields that are empty, or not chosen, are not sent. */
const requestOf = (draft: Draft): object =>
  Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== '' && value !== false && value !== undefined),
  )
