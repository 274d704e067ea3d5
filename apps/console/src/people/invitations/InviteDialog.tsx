// Invites a unit into a group: by a link with its QR code, or by e-mail or SMS to those who have the units.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import { INVITATION_TEXT_AT_MOST, InvitationPeriod } from '@backhaul/contract/nouns/invitations'
import { Alert, Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { QrCode } from '../../ui/QrCode.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CodeToEnter } from './CodeToEnter.tsx'
import styles from './invitations.module.css'
import { type Draft, emptyDraft, type Invited, invite, type Way, ways } from './invitations.ts'
import { Pairing } from './Pairing.tsx'
import { Recipients } from './Recipients.tsx'

interface InviteDialogProps {
  group: { uid: string; name: string }
  onClose: () => void
}

/** Reads first how the group invites, or that it does not. */
export function InviteDialog({ group, onClose }: InviteDialogProps) {
  const { t } = useTranslation('invitations')
  const params = { currentGroup: group.uid }
  const { data, errorText } = useRead(calls.adhoc, { params, query: {} }, { isStart: true })
  const mode = data?.mode
  return (
    <Dialog onClose={onClose} title={t('title', { group: group.name })} size={560}>
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
      {mode === 'off' ? <Alert color="yellow">{t('isOff')}</Alert> : null}
      {mode === undefined || mode === 'off' ? null : <Invite group={group} first={mode} onClose={onClose} />}
    </Dialog>
  )
}

function Invite({ group, first, onClose }: InviteDialogProps & { first: Way }) {
  const { t } = useTranslation('invitations')
  const [made, setMade] = useState<Extract<Invited, { kind: 'link' }>>()
  const record = useRecordForm({
    start: (): Draft => ({ ...emptyDraft, way: first }),
    async save(draft) {
      const invited = await invite(group.uid, draft)
      if (invited.kind === 'link') return void setMade(invited)
      const { count, isConnected } = invited
      const { way } = draft
      if (isConnected || way === 'link') toast({ title: t('sent', { count }), text: '', tone: 'good' })
      else toast({ title: t('waiting', { count }), text: t(`waits.${way}`), tone: 'warning' })
      onClose()
      return undefined
    },
  })
  const { values: draft, faults } = record

  if (made) return <Made made={made} onAgain={() => setMade(undefined)} />
  return (
    <RecordForm
      record={record}
      fault={isAtField(faults) ? undefined : record.words}
      okLabel={t(`do.${draft.way}`)}
      done={() => undefined}
      onSaved={() => {}}
      onClose={onClose}
    >
      <DraftFields draft={draft} onDraft={record.set} faults={faults} />
    </RecordForm>
  )
}

/** A fault that its field shows already is not shown twice. */
const isAtField = (faults: Faults) => Object.keys(faults).some((name) => /^(recipients|text)/.test(name))

type Faults = Readonly<Record<string, string>>

interface DraftFieldsProps {
  draft: Draft
  onDraft: (draft: Draft) => void
  faults: Faults
}

function DraftFields({ draft, onDraft, faults }: DraftFieldsProps) {
  const { t } = useTranslation('invitations')
  return (
    <div className="form-fields">
      <SegmentedControl
        aria-label={t('how')}
        fullWidth
        data={ways.map((way) => ({ value: way, label: t(`ways.${way}`) }))}
        value={draft.way}
        onChange={(way) => onDraft({ ...draft, way: way as Way })}
      />
      <Select
        label={t('period')}
        data={InvitationPeriod.options.map((period) => ({ value: period, label: t(`periods.${period}`) }))}
        value={draft.period}
        allowDeselect={false}
        onChange={(period) => onDraft({ ...draft, period: period ?? draft.period })}
      />
      {draft.way === 'link' ? (
        <p className="quiet">{t('linkHint')}</p>
      ) : (
        <>
          <Recipients
            way={draft.way}
            lines={draft.recipients}
            faults={faults}
            onLines={(recipients) => onDraft({ ...draft, recipients })}
          />
          <Textarea
            label={t('text')}
            description={t('textHint')}
            autosize
            minRows={2}
            maxRows={5}
            maxLength={INVITATION_TEXT_AT_MOST}
            value={draft.text}
            error={faults.text}
            onChange={(event) => onDraft({ ...draft, text: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  )
}

function Made({ made, onAgain }: { made: Extract<Invited, { kind: 'link' }>; onAgain: () => void }) {
  const { t } = useTranslation('invitations')
  const until = dateAndTime(new Date(made.expiresAt))
  return (
    <Pairing>
      <QrCode text={made.link} label={t('qr')} />
      <div className={styles.invitationLink}>
        <TextInput
          label={t('link')}
          value={made.link}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={made.link} />
      </div>
      <CodeToEnter code={made.code}>
        <p role="status">{t('made', { until })}</p>
      </CodeToEnter>
      <Button variant="default" onClick={onAgain}>
        {t('another')}
      </Button>
    </Pairing>
  )
}
