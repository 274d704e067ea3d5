// The share links of a video return channel, which show its picture without a sign-in, and their ends.
import { videoReturnLinks as calls } from '@backhaul/contract/api/video-return-links'
import {
  NewShareLink,
  SHARE_LINKS_AT_MOST,
  type ShareLink,
  type ShareLinkChange,
} from '@backhaul/contract/nouns/video-return-links'
import { Alert, Button, CopyButton, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { TextField } from '../../kit/TextField.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './video-return-links.module.css'

interface ShareLinksTabProps {
  channelId: string
  onClose: () => void
}

/** Viewers come and go, windows open. */
const refreshMs = 5000

export function ShareLinksTab({ channelId, onClose }: ShareLinksTabProps) {
  const { t } = useTranslation('videoReturn')
  const params = { id: channelId }
  const { data: links, errorText, again } = useRead(calls.list, { params }, { everyMs: refreshMs })
  const act = useAct()
  const run = (ask: () => Promise<unknown>) =>
    void act.run(async () => {
      await ask()
      await again()
      return undefined
    })
  const change = (linkId: string, body: ShareLinkChange) =>
    run(() => call(calls.change, { params: { ...params, linkId }, body }))
  const remove = (linkId: string) => run(() => call(calls.remove, { params: { ...params, linkId } }))
  const fault = act.words ?? errorText
  return (
    <>
      <div className="dialog-part" style={{ height: 400 }}>
        <p className="quiet">{t('links.hint', { most: SHARE_LINKS_AT_MOST })}</p>
        {links?.length === 0 ? <p className="quiet">{t('links.none')}</p> : null}
        <ul className={styles.links}>
          {links?.map((link) => (
            <Link key={link.id} link={link} busy={act.busy} onChange={change} onRemove={remove} />
          ))}
        </ul>
        {fault ? <Alert color="red">{fault}</Alert> : null}
        {links ? <NewLink channelId={channelId} links={links} onMade={() => void again()} /> : null}
      </div>
      <DialogFooter>
        <Button onClick={onClose}>{t('links.close')}</Button>
      </DialogFooter>
    </>
  )
}

interface LinkProps {
  link: ShareLink
  busy: boolean
  onChange: (id: string, change: ShareLinkChange) => void
  onRemove: (id: string) => void
}

function Link({ link, busy, onChange, onRemove }: LinkProps) {
  const { t } = useTranslation('videoReturn')
  const { id, description: name, state, url, viewers } = link
  const [from, to] = [link.startsAt, link.endsAt].map((time) => dateAndTime(new Date(time)))
  const named = (act: string) => t('links.of', { act, name })
  return (
    <li>
      <span className={styles.linkWords}>
        <strong className="clip">{name}</strong>
        <span className="quiet">{t('links.window', { from, to })}</span>
        <span className="quiet">
          {t(`links.state.${state}`)}
          {state === 'open' ? ` · ${t('links.viewers', { count: viewers })}` : null}
        </span>
        {navigator.clipboard ? null : <code>{url}</code>}
      </span>
      {navigator.clipboard && state !== 'expired' ? (
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" aria-label={named(t('links.copy'))} onClick={copy}>
              {t(copied ? 'links.copied' : 'links.copy')}
            </Button>
          )}
        </CopyButton>
      ) : null}
      {state === 'open' || state === 'waiting' ? (
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          aria-label={named(t('links.end'))}
          onClick={() => onChange(id, { active: false })}
        >
          {t('links.end')}
        </Button>
      ) : null}
      {state === 'ended' ? (
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          aria-label={named(t('links.resume'))}
          onClick={() => onChange(id, { active: true })}
        >
          {t('links.resume')}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="light"
        color="red"
        disabled={busy}
        aria-label={named(t('links.delete'))}
        onClick={() => onRemove(id)}
      >
        {t('links.delete')}
      </Button>
    </li>
  )
}

const durations = ['30', '60', '120', '240', '480', '1440', '4320', '10080', '43200'] as const

/** The next whole minute but one, as a field for a local time has it. */
function soon(): string {
  const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

interface NewLinkProps {
  channelId: string
  links: readonly ShareLink[]
  onMade: () => void
}

function NewLink({ channelId, links, onMade }: NewLinkProps) {
  const { t } = useTranslation('videoReturn')
  const start = () => ({ description: '', startsAt: soon(), duration: '60' as string })
  const record = useRecordForm({
    start,
    schema: NewShareLink,
    requestOf: ({ description, startsAt, duration }) => ({
      description,
      startsAt: startsAt === '' ? '' : new Date(startsAt).toISOString(),
      durationMinutes: Number(duration),
    }),
    fieldOf: (field) => (field === 'durationMinutes' ? 'duration' : field),
    save: async (body) => void (await call(calls.create, { params: { id: channelId }, body })),
  })
  const { values, set, faults, unplaced, busy } = record
  const isFull = links.filter(({ state }) => state !== 'expired').length >= SHARE_LINKS_AT_MOST
  async function make(): Promise<void> {
    const saved = await record.save()
    if (!saved) return
    record.restart(start())
    toast({ title: t('links.created'), text: saved.description, tone: 'good' })
    onMade()
  }
  return (
    <fieldset className="form-group">
      <legend>{t('links.add')}</legend>
      <div className={styles.newLink}>
        <TextField record={record} name="description" label={t('links.description')} maxLength={255} />
        <TextField record={record} name="startsAt" type="datetime-local" label={t('links.startsAt')} />
        <NativeSelect
          label={t('links.duration')}
          value={values.duration}
          error={faults.duration}
          onChange={({ currentTarget }) => set({ duration: currentTarget.value })}
          data={durations.map((value) => ({ value, label: t(`links.durations.${value}`) }))}
        />
      </div>
      {unplaced ? (
        <Alert color="red" mt="sm">
          {unplaced}
        </Alert>
      ) : null}
      <span data-tip={isFull ? t('links.full') : undefined}>
        <Button mt="sm" size="xs" loading={busy} disabled={isFull} onClick={() => void make()}>
          {t('links.create')}
        </Button>
      </span>
    </fieldset>
  )
}
