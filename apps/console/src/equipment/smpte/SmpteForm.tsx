// The frame of both forms of SMPTE 2110: whether anything is put out, when that was set last, and why it cannot be set.

import { Alert, Switch } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, type Fault } from '../../doors/api.ts'
import { type Checked, useSaving } from '../../doors/forms.ts'
import { reasonText } from '../../texts/generic.ts'
import { closedBy } from '../../ui/closed.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'

/** What the fields of a form show and change. */
export interface SmpteFields<Draft> {
  draft: Draft
  set: (changes: Partial<Draft>) => void
  /** By field of the configuration. */
  fault: (field: string) => string | undefined
  /** What closes a control, and says why. */
  shut: ReturnType<typeof closedBy>
}

interface SmpteFormProps<Configuration extends object, Draft extends object> {
  /** Of the server or the channel. */
  name: string
  hint: string
  /** Whether the server can put anything out. */
  isAble: boolean
  schema: Checked<{ configuration: Configuration | null }>['schema']
  draftOf: (configuration: Configuration | null) => Draft
  configurationOf: (draft: Draft) => unknown
  read: () => Promise<{ lastUpdate: string | null; configuration: Configuration | null }>
  save: (wish: { configuration: Configuration | null }) => Promise<Fault | undefined>
  fields: (form: SmpteFields<Draft>) => ReactNode
  onClose: () => void
}

export function SmpteForm<Configuration extends object, Draft extends object>(
  props: SmpteFormProps<Configuration, Draft>,
) {
  const { name, hint, isAble, schema, draftOf, configurationOf, read, save, fields, onClose } = props
  const { t } = useTranslation('smpte')
  const [known, setKnown] = useState<Awaited<ReturnType<typeof read>>>()
  const [isOn, setOn] = useState(false)
  const [draft, setDraft] = useState(() => draftOf(null))
  const saving = useSaving()

  async function load(): Promise<void> {
    const state = await read()
    setKnown(state)
    setOn(state.configuration !== null)
    setDraft(draftOf(state.configuration))
  }
  /** Since when it is set, while somebody may go on typing. */
  const loadTime = async () => setKnown(await read())
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => void load().catch((error) => saving.refuse(describeFault(error))), [])

  async function write(then: () => unknown): Promise<void> {
    const typed = { configuration: isOn ? configurationOf(draft) : null }
    if (!(await saving.runChecked({ schema, typed, title: '', ask: save }))) return
    toast({ title: t('saved'), text: name, tone: 'good' })
    await then()
  }

  // What was set can be taken back, whatever the server can by now.
  const isShut = known === undefined || (!isAble && known.configuration === null)
  const closed = isAble ? undefined : reasonText('server.noSmpte')
  return (
    <DialogForm
      mayWrite={!isShut}
      fault={known ? saving.unplaced : saving.words}
      busy={saving.busy}
      onCancel={onClose}
      onApply={() => void write(loadTime)}
      onOk={() => void write(onClose)}
    >
      <div className="dialog-part">
        <p className="quiet">{hint}</p>
        {closed === undefined ? null : <Alert color="yellow">{closed}</Alert>}
        <Switch
          label={t('on')}
          description={known?.lastUpdate && t('since', { time: dateAndTime(new Date(known.lastUpdate)) })}
          checked={isOn}
          disabled={known === undefined}
          {...closedBy(isShut ? closed : undefined)}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        {isOn
          ? fields({
              draft,
              set: (changes) => setDraft((now) => ({ ...now, ...changes })),
              fault: (field) => saving.faults[`configuration.${field}`],
              shut: closedBy(closed),
            })
          : null}
      </div>
    </DialogForm>
  )
}
