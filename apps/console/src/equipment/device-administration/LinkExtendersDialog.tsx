// The link extenders of a field unit: which are paired and reached; paired by serial number, removed one by one.
import type { AdministeredUnit } from '@backhaul/contract/nouns/device-administration'
import {
  LINK_EXTENDERS_MAX,
  type LinkExtender,
  NewLinkExtender,
} from '@backhaul/contract/nouns/link-extenders'
import { Alert, Button, CloseButton, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { useList } from '../../kit/lists.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './device-administration.module.css'
import { extenderRefreshMs, extenders, pairExtender, removeExtender } from './device-administration.ts'

interface LinkExtendersDialogProps {
  unit: Pick<AdministeredUnit, 'uid' | 'name'>
  onClose: () => void
}

export function LinkExtendersDialog({ unit: { uid, name }, onClose }: LinkExtendersDialogProps) {
  const { t } = useTranslation('deviceAdministration')
  const { items: paired, state, errorText } = useList(extenders, [uid], { everyMs: extenderRefreshMs })
  const removal = useAct()

  async function remove(serialNumber: string): Promise<void> {
    if (!(await removal.run(() => removeExtender(uid, serialNumber)))) return
    toast({ title: t('extenders.removed'), text: serialNumber, tone: 'good' })
  }

  return (
    <Dialog onClose={onClose} size={760} title={t('extenders.title', { name })}>
      <p className={`quiet ${styles.extendersLead}`}>{t('extenders.lead')}</p>
      {state === 'error' ? <Alert color="red">{errorText}</Alert> : null}
      {state === 'loading' ? <p className="quiet">{t('extenders.loading')}</p> : null}
      {state === 'ready' && paired.length === 0 ? <p className="quiet">{t('extenders.none')}</p> : null}
      {paired.length > 0 ? (
        <ul className={styles.extenders}>
          {paired.map((one) => (
            <Extender
              key={one.serialNumber}
              extender={one}
              busy={removal.busy}
              onRemove={() => void remove(one.serialNumber)}
            />
          ))}
        </ul>
      ) : null}
      {removal.words ? <Alert color="red">{removal.words}</Alert> : null}
      {paired.length < LINK_EXTENDERS_MAX ? <Pairing unitId={uid} /> : null}
    </Dialog>
  )
}

interface ExtenderProps {
  extender: LinkExtender
  busy: boolean
  onRemove: () => void
}

function Extender({ extender: { serialNumber, state, pairedAt, pairedBy }, busy, onRemove }: ExtenderProps) {
  const { t } = useTranslation('deviceAdministration')
  return (
    <li>
      <span className="clip" data-tip={serialNumber}>
        {serialNumber}
      </span>
      <span className={state === 'connected' ? styles.extenderConnected : 'quiet'}>
        {t(`extenders.state.${state}`)}
      </span>
      <span className="quiet">
        {t('extenders.paired', { at: dateAndTime(new Date(pairedAt)), by: pairedBy })}
      </span>
      <CloseButton
        size="sm"
        disabled={busy}
        aria-label={t('extenders.remove', { serialNumber })}
        onClick={onRemove}
      />
    </li>
  )
}

function Pairing({ unitId }: { unitId: string }) {
  const { t } = useTranslation('deviceAdministration')
  const record = useRecordForm({
    start: () => ({ serialNumber: '' }),
    schema: NewLinkExtender,
    save: (made) => pairExtender(unitId, made.serialNumber),
  })

  async function pair(): Promise<void> {
    const saved = await record.save()
    if (!saved) return
    toast({ title: t('extenders.added'), text: saved.serialNumber, tone: 'good' })
    record.restart({ serialNumber: '' })
  }

  return (
    <Form className={styles.extenderPairing} onSubmit={() => void pair()}>
      <TextInput
        label={t('extenders.serialNumber')}
        value={record.values.serialNumber}
        error={record.faults.serialNumber ?? record.unplaced}
        data-autofocus
        onChange={(event) => record.set({ serialNumber: event.currentTarget.value })}
      />
      <Button type="submit" loading={record.busy}>
        {t('extenders.add')}
      </Button>
    </Form>
  )
}
