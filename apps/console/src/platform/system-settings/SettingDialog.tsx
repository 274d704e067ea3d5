// One of a child of the system settings, its fields as the table of children has them.
import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { localTime } from '../../ui/local-time.ts'
import type { Choices, EditedSetting, Setting, SettingField, Value } from './system-settings.ts'

interface SettingDialogProps extends ItemEnds {
  child: EditedSetting
  title: string
  /** null: a new one. */
  item: Setting | null
  mayWrite?: boolean
  choices: Choices
}

export function SettingDialog(props: SettingDialogProps) {
  const { child, title, item, mayWrite = true, choices, ...ends } = props
  const { t } = useTranslation('systemSettings')
  const record = useRecordForm({
    start: (): Record<string, Value> =>
      Object.fromEntries(child.fields.map((field) => [field.name, item?.[field.name] ?? startOf(field)])),
    schema: child.schema,
    title: t('incomplete'),
    save: (request) => child.save(item?.id ?? null, request),
  })

  return (
    <RecordDialog
      title={title}
      size={480}
      record={record}
      done={() => ({ title: t('saved'), text: title })}
      mayWrite={mayWrite}
      {...ends}
    >
      <div className="form-fields">
        {child.fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={record.values[field.name] ?? null}
            choices={choices[field.name] ?? []}
            fault={record.faults[field.name]}
            readOnly={!mayWrite}
            onValue={(value) => record.set({ [field.name]: value })}
          />
        ))}
      </div>
    </RecordDialog>
  )
}

const startOf = ({ kind, initial, isOptional }: SettingField): Value =>
  initial ?? (isOptional || kind === 'choice' ? null : '')

interface FreeListProps {
  label: string
  error: string | undefined
  readOnly: boolean
  description: string | undefined
  isOfFigures: boolean
  value: string[]
  onValue: (value: Value) => void
}

/** Figures may be equal: each is known by its place. */
function FreeList({ isOfFigures, onValue, ...words }: FreeListProps) {
  return (
    <TagsInput
      {...words}
      allowDuplicates={isOfFigures}
      acceptValueOnBlur
      splitChars={isOfFigures ? [',', ';', ' '] : [' ']}
      onChange={(next) => onValue(isOfFigures ? next.map(figureOf) : next)}
    />
  )
}

interface TimeFieldProps extends Omit<FreeListProps, 'isOfFigures' | 'value'> {
  value: Value
}

/** Kept as core writes it, and shown in the user's own time. */
function TimeField({ value, onValue, ...words }: TimeFieldProps) {
  return (
    <TextInput
      {...words}
      type="datetime-local"
      value={typeof value === 'string' && value !== '' ? localTime(Date.parse(value)) : ''}
      onChange={({ currentTarget }) =>
        onValue(currentTarget.value === '' ? null : new Date(currentTarget.value).toISOString())
      }
    />
  )
}

const listOf = (value: Value): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Text that is not a figure is kept as it was typed, and is refused as such. */
const figureOf = (text: string): string | number => (Number.isFinite(Number(text)) ? Number(text) : text)

/** The search finds the others of a long list, such as that of all devices. */
const choicesAtMost = 200

interface FieldProps {
  field: SettingField
  value: Value
  choices: Choices[string]
  fault: string | undefined
  readOnly: boolean
  onValue: (value: Value) => void
}

function Field({ field, value, choices, fault, readOnly, onValue }: FieldProps) {
  const { name, kind, isOptional = false, initial } = field
  const { t, i18n } = useTranslation('systemSettings')
  const hint = `hint.${field.hint ?? name}` as 'hint.domain'
  const words = {
    label: t(`field.${field.calledAs ?? name}` as 'field.name'),
    error: fault,
    readOnly,
    description: i18n.exists(`systemSettings:${hint}`) ? t(hint) : undefined,
  }
  switch (kind) {
    case 'switch':
      return (
        <Switch
          {...words}
          checked={value === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...words}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onValue(next === '' ? null : Number(next))}
        />
      )
    case 'choice':
      return (
        <Select
          {...words}
          data={[...choices]}
          value={value === null ? null : String(value)}
          searchable
          limit={choicesAtMost}
          clearable={isOptional}
          allowDeselect={isOptional}
          onChange={(next) => onValue(next !== null && typeof initial === 'number' ? Number(next) : next)}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          {...words}
          data={[...choices]}
          value={listOf(value)}
          searchable
          clearable={!readOnly}
          onChange={onValue}
        />
      )
    case 'texts':
    case 'figures':
      return <FreeList {...words} isOfFigures={kind === 'figures'} value={listOf(value)} onValue={onValue} />
    case 'paragraph':
      return (
        <Textarea
          {...words}
          autosize
          minRows={2}
          maxRows={6}
          value={String(value ?? '')}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )
    case 'time':
      return <TimeField {...words} value={value} onValue={onValue} />
    case 'text':
      return (
        <TextInput
          {...words}
          value={String(value ?? '')}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )
  }
}
