// The frame of both forms of SMPTE 2110: the state of the output, when it was set last, and why it cannot be set.

import { Alert, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { type RecordSchema, useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { dateAndTime } from '../../ui/locale.ts'

/** State that the fields of a form show and change. */
export interface SmpteFields<Draft> {
  draft: Draft
  set: (changes: Partial<Draft>) => void
  /** The faults by field of the configuration. */
  fault: (field: string) => string | undefined
  /** Props that disable a control and show the reason. */
  shut: ReturnType<typeof disabledBecause>
}

interface State<Configuration> {
  lastUpdate: string | null
  configuration: Configuration | null
}

interface SmpteFormProps<Configuration extends object, Draft extends object> {
  /** Id of the server or the channel. */
  id: string
  name: string
  hint: string
  /** True if the server can put anything out. */
  isAble: boolean
  schema: RecordSchema<{ configuration: Configuration | null }>
  draftOf: (configuration: Configuration | null) => Draft
  configurationOf: (draft: Draft) => unknown
  read: () => Promise<State<Configuration>>
  save: (request: { configuration: Configuration | null }) => Promise<Fault | undefined>
  fields: (form: SmpteFields<Draft>) => ReactNode
  onClose: () => void
}

export function SmpteForm<Configuration extends object, Draft extends object>(
  props: SmpteFormProps<Configuration, Draft>,
) {
  const { id, name, hint, isAble, schema, draftOf, configurationOf, read, save, fields, onClose } = props
  const { t } = useTranslation('smpte')
  const { data: known, errorText, again } = useAnswer(['smpteForm', id], read, { isStart: true })
  const before = {
    isOn: known !== undefined && known.configuration !== null,
    draft: draftOf(known?.configuration ?? null),
  }
  const record = useRecordForm({
    start: (): { isOn?: boolean; draft?: Draft } => ({}),
    schema,
    requestOf(touched) {
      const { isOn, draft } = { ...before, ...touched }
      return { configuration: isOn ? configurationOf(draft) : null }
    },
    async save(request) {
      const fault = await save(request)
      // Reads since when it is set; the user may continue to type.
      if (!fault) await again()
      return fault
    },
  })
  const { isOn, draft } = { ...before, ...record.values }

  // A configuration that is set can be removed, regardless of what the server supports now.
  const isShut = known === undefined || (!isAble && known.configuration === null)
  const closed = isAble ? undefined : reasonText('server.noSmpte')
  return (
    <RecordForm
      record={record}
      fault={errorText}
      mayWrite={!isShut}
      mayApply
      done={() => ({ title: t('saved'), text: name })}
      onClose={onClose}
    >
      <div className="dialog-part">
        <p className="quiet">{hint}</p>
        {closed === undefined ? null : <Alert color="yellow">{closed}</Alert>}
        <Switch
          label={t('on')}
          description={known?.lastUpdate && t('since', { time: dateAndTime(new Date(known.lastUpdate)) })}
          checked={isOn}
          disabled={known === undefined}
          {...disabledBecause(isShut ? closed : undefined)}
          onChange={(event) => record.set({ isOn: event.currentTarget.checked })}
        />
        {isOn
          ? fields({
              draft,
              set: (changes) => record.set({ draft: { ...draft, ...changes } }),
              fault: (field) => record.faults[`configuration.${field}`],
              shut: disabledBecause(closed),
            })
          : null}
      </div>
    </RecordForm>
  )
}
