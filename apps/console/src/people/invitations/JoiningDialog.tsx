// Admission of units to a group: its way to invite, and its registration key with the schedule of new ones.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import { AdhocMode } from '@backhaul/contract/nouns/invitations'
import { KeySchedule, type RegistrationKey } from '@backhaul/contract/nouns/registration-keys'
import { Alert, Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './invitations.module.css'
import { PairingActs } from './Pairing.tsx'

interface JoiningDialogProps {
  group: { uid: string; name: string }
  onClose: () => void
}

interface Joining {
  mode: AdhocMode
  key: RegistrationKey
}

export function JoiningDialog({ group, onClose }: JoiningDialogProps) {
  const { t } = useTranslation('invitations')
  const { data: before, errorText } = useAnswer(['joining', group.uid], () => readJoining(group.uid), {
    isStart: true,
  })
  return (
    <Dialog onClose={onClose} title={t('joining.title', { group: group.name })} size={560}>
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
      {before ? <JoiningForm group={group} before={before} onClose={onClose} /> : null}
    </Dialog>
  )
}

async function readJoining(currentGroup: string): Promise<Joining> {
  const params = { currentGroup }
  const [{ mode }, key] = await Promise.all([
    call(calls.adhoc, { params, query: {} }),
    call(calls.permanent, { params, query: {} }),
  ])
  return { mode, key }
}

function JoiningForm({ group, before, onClose }: JoiningDialogProps & { before: Joining }) {
  const { t } = useTranslation('invitations')
  const [key, setKey] = useState(before.key)
  const renewal = useAct()
  const params = { currentGroup: group.uid }

  async function renew(): Promise<undefined> {
    setKey(await call(calls.setPermanent, { params, query: {}, body: { regenerate: true } }))
    toast({ title: t('joining.renewed'), text: group.name, tone: 'good' })
  }
  const record = useRecordForm({
    start: () => ({ mode: before.mode, schedule: before.key.regenerate }),
    async save({ mode, schedule }) {
      if (mode !== before.mode) await call(calls.setAdhoc, { params, query: {}, body: { mode } })
      if (schedule !== key.regenerate)
        await call(calls.setPermanent, { params, query: {}, body: { regenerate: schedule } })
      return undefined
    },
  })
  const { mode, schedule } = record.values

  return (
    <RecordForm
      record={record}
      fault={renewal.words}
      inParts
      done={() => ({ title: t('joining.saved'), text: group.name })}
      onClose={onClose}
    >
      <div className="form-fields">
        <Select
          label={t('joining.mode')}
          description={t(`joining.modeHints.${mode}`)}
          data={AdhocMode.options.map((value) => ({
            value,
            label: value === 'off' ? t('joining.off') : t(`ways.${value}`),
          }))}
          value={mode}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => record.set({ mode: value ?? mode })}
        />
        <KeyShown registrationKey={key} />
        <Select
          label={t('joining.schedule')}
          description={t('joining.scheduleHint')}
          data={KeySchedule.options.map((value) => ({ value, label: t(`joining.schedules.${value}`) }))}
          value={schedule}
          allowDeselect={false}
          onChange={(value) => record.set({ schedule: value ?? schedule })}
        />
        <RenewKey busy={renewal.busy} onRenew={() => void renewal.run(renew)} />
      </div>
    </RecordForm>
  )
}

function KeyShown({ registrationKey: { key, madeAt, endsAt } }: { registrationKey: RegistrationKey }) {
  const { t } = useTranslation('invitations')
  const at = (time: string) => dateAndTime(new Date(time))
  const made = t('joining.made', { at: at(madeAt) })
  return (
    <div className={styles.invitationLink}>
      <TextInput
        label={t('joining.key')}
        description={endsAt === null ? made : `${made} ${t('joining.ends', { at: at(endsAt) })}`}
        // The button is at the height of the field.
        inputWrapperOrder={['label', 'description', 'input']}
        value={key}
        readOnly
        classNames={{ input: 'mono' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={key} />
    </div>
  )
}

/** Confirmed, because the key that was given out before can no longer be used. */
function RenewKey({ busy, onRenew }: { busy: boolean; onRenew: () => void }) {
  const { t } = useTranslation('invitations')
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button variant="light" color="red" className={styles.renewKey} onClick={() => setAsking(true)}>
        {t('joining.renew')}
      </Button>
    )
  const renew = () => {
    setAsking(false)
    onRenew()
  }
  return (
    <fieldset className={styles.renewAsk} aria-label={t('joining.renew')}>
      <p>{t('joining.renewText')}</p>
      <PairingActs>
        <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
          {t('joining.keep')}
        </Button>
        <Button color="red" loading={busy} onClick={renew}>
          {t('joining.renewNow')}
        </Button>
      </PairingActs>
    </fieldset>
  )
}
