// The Go Live dialog: provider, profile and title are chosen, what goes out is seen unpublished, and then published.
import { socialMedia as calls } from '@backhaul/contract/api/social-media'
import {
  type SocialMediaDetails,
  SocialMediaStart,
  type SocialMediaStatus,
} from '@backhaul/contract/nouns/social-media'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Alert, Button, PasswordInput, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'

export type StreamingUnit = Pick<Unit, 'uid' | 'name' | 'transmission' | 'socialMediaStatus'>

interface GoLiveDialogProps {
  unit: StreamingUnit
  onClose: () => void
}

export function GoLiveDialog({ unit, onClose }: GoLiveDialogProps) {
  const { t } = useTranslation('goLive')
  const channelUid = unit.transmission?.channelId
  return (
    <Dialog onClose={onClose} title={t('title', { name: unit.name })} size={560}>
      {channelUid === undefined ? (
        <Alert color="yellow">{t('notTransmitting')}</Alert>
      ) : unit.socialMediaStatus ? (
        <Running unit={unit} channelUid={channelUid} now={unit.socialMediaStatus} onClose={onClose} />
      ) : (
        <Choosing key={channelUid} uid={unit.uid} channelUid={channelUid} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** The last choice, and the possible ones. */
const useDetails = (channelUid: string) =>
  useRead(calls.details, { query: { channelUid } }, { isStart: true })

function Choosing(props: { uid: string; channelUid: string; onClose: () => void }) {
  const { t } = useTranslation('goLive')
  const { data: details, errorText } = useDetails(props.channelUid)
  if (errorText !== undefined) return <Alert color="red">{errorText}</Alert>
  if (!details) return null
  if (details.providers.length === 0) return <Alert color="yellow">{t('noProviders')}</Alert>
  return <ChoiceForm uid={props.uid} details={details} onClose={props.onClose} />
}

interface Draft {
  provider: string
  profile: string
  mediaProfile: string | null
  title: string
  streamKey: string
  previewKey: string
}

/** The last choice, else the first provider with its main profile. */
function draftOf({ provider, profile, mediaProfile, title, providers }: SocialMediaDetails): Draft {
  const known = providers.find(({ id }) => id === provider) ?? providers[0]
  const isThere = known?.profiles.some(({ id }) => id === profile)
  return {
    provider: known?.id ?? '',
    profile: (isThere ? profile : known?.profiles[0]?.id) ?? '',
    mediaProfile: known?.id === provider ? mediaProfile : null,
    title,
    streamKey: '',
    previewKey: '',
  }
}

function ChoiceForm(props: { uid: string; details: SocialMediaDetails; onClose: () => void }) {
  const { details, uid } = props
  const { t } = useTranslation('goLive')
  const record = useRecordForm({
    start: () => draftOf(details),
    schema: SocialMediaStart,
    requestOf: ({ streamKey, previewKey, profile, ...rest }) => ({
      ...rest,
      status: 'preview' as const,
      // An empty field is kept as it was.
      ...(profile && { profile }),
      ...(streamKey && { streamKey }),
      ...(previewKey && { previewKey }),
    }),
    save: async (body) => void (await call(calls.go, { params: { id: uid }, query: {}, body })),
  })

  return (
    <RecordForm
      record={record}
      okLabel={t('preview')}
      done={(begun) => ({ title: t('previewStarted'), text: begun.title })}
      onSaved={() => {}}
      onClose={props.onClose}
    >
      <ChoiceFields details={details} record={record} />
    </RecordForm>
  )
}

function ChoiceFields({ details, record }: { details: SocialMediaDetails; record: FieldsOf<Draft> }) {
  const { values: draft, set, faults } = record
  const { t } = useTranslation('goLive')
  const provider = details.providers.find(({ id }) => id === draft.provider)
  const isKept = draft.provider === details.provider
  const named = (all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="form-fields">
      <p className="quiet">{t('intro')}</p>
      <Select
        label={t('provider')}
        data={named(details.providers)}
        value={draft.provider}
        allowDeselect={false}
        error={faults.provider}
        onChange={(id) =>
          set({ ...draftOf({ ...details, provider: id, profile: null }), title: draft.title })
        }
      />
      <Select
        label={t('profile')}
        data={provider?.profiles.map(({ id, name, main }) => ({
          value: id,
          label: main ? t('main', { name }) : name,
        }))}
        value={draft.profile}
        allowDeselect={false}
        error={faults.profile}
        onChange={(profile) => set({ profile: profile ?? draft.profile })}
      />
      {provider && provider.mediaProfiles.length > 0 ? (
        <Select
          label={t('mediaProfile')}
          placeholder={t('asProfile')}
          data={named(provider.mediaProfiles)}
          value={draft.mediaProfile}
          clearable
          onChange={(mediaProfile) => set({ mediaProfile })}
        />
      ) : null}
      <TextField record={record} name="title" label={t('name')} data-autofocus maxLength={100} />
      <PasswordInput
        label={t('streamKey')}
        placeholder={isKept && details.hasStreamKey ? t('kept') : undefined}
        autoComplete="off"
        value={draft.streamKey}
        error={faults.streamKey}
        onChange={(event) => set({ streamKey: event.currentTarget.value.trim() })}
      />
      <PasswordInput
        label={t('previewKey')}
        description={t('previewKeyHint')}
        placeholder={isKept && details.hasPreviewKey ? t('kept') : undefined}
        autoComplete="off"
        value={draft.previewKey}
        error={faults.previewKey}
        onChange={(event) => set({ previewKey: event.currentTarget.value.trim() })}
      />
    </div>
  )
}

interface RunningProps extends GoLiveDialogProps {
  channelUid: string
  now: SocialMediaStatus
}

function Running({ unit, channelUid, now, onClose }: RunningProps) {
  const { t } = useTranslation('goLive')
  const control = useAct()
  const { provider } = now
  const of = { params: { id: unit.uid }, query: {} }
  const publish = async (): Promise<undefined> => {
    await call(calls.go, { ...of, body: { status: 'live' } })
    toast({ title: t('published', { provider }), text: now.title, tone: 'good' })
  }
  const stop = async (): Promise<undefined> => {
    await call(calls.stop, of)
    toast({ title: t('stopped'), text: now.title, tone: 'good' })
    onClose()
  }
  return (
    <div className="form-fields">
      <ChannelPicture channelId={channelUid} live={false} />
      <div>
        <b>{t(`state.${now.status}`)}</b>: {now.title}
        <p className="quiet" role="status">
          {t(`delivery.${now.delivery}`, { provider })}
        </p>
      </div>
      {control.words ? <Alert color="red">{control.words}</Alert> : null}
      <DialogFooter>
        <Button variant="default" disabled={control.busy} onClick={() => void control.run(stop)}>
          {t('stop')}
        </Button>
        {now.status === 'preview' ? (
          <Button color="red" loading={control.busy} onClick={() => void control.run(publish)}>
            {t('publish')}
          </Button>
        ) : null}
      </DialogFooter>
    </div>
  )
}
