// A system message: its text, its recipients, its end, and when it is brought up again.
import { NewNotification, type WrittenNotification } from '@backhaul/contract/nouns/notifications'
import { Select, Switch, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { localTime } from '../../ui/local-time.ts'
import { useValue } from '../../ui/value.ts'
import { saveMessage } from './notifications.ts'

interface MessageDialogProps extends ItemEnds {
  /** null: a new one. */
  message: WrittenNotification | null
}

type Form = {
  body: string
  /** As the field of the browser writes it, in the user's own time. */
  expiration: string
  global: boolean
  inventory: string | null
  intervals: string
}

const dayMs = 86_400_000

function formOf(message: WrittenNotification | null): Form {
  if (!message) {
    const expiration = localTime(Date.now() + dayMs)
    return { body: '', expiration, global: true, inventory: null, intervals: '24, 2' }
  }
  const { body, expiration, global, inventory, intervals } = message
  return {
    body,
    expiration: localTime(Date.parse(expiration)),
    global,
    inventory,
    intervals: intervals.join(', '),
  }
}

/** The request to core; an unreadable time is left out, so that its field is named as missing. */
function requestOf({ expiration, intervals, ...form }: Form): object {
  const ms = Date.parse(expiration)
  const hours = intervals.split(/[\s,;]+/).filter((part) => part !== '')
  return {
    ...form,
    intervals: hours.map(Number),
    ...(!Number.isNaN(ms) && { expiration: new Date(ms).toISOString() }),
  }
}

/** The faults of single hours belong to the one field that holds them all. */
const fieldOf = (field: string): string => field.replace(/^intervals\..*/, 'intervals')

export function MessageDialog({ message, ...ends }: MessageDialogProps) {
  const { t } = useTranslation('systemMessages')
  const record = useRecordForm({
    start: () => formOf(message),
    schema: NewNotification,
    requestOf,
    fieldOf,
    title: t('incomplete'),
    save: (request) => saveMessage(message?.id ?? null, request),
  })
  const { values: form, set, faults } = record
  const inventories = useValue(inventoryChoices)

  return (
    <RecordDialog
      title={t(message ? 'editTitle' : 'addTitle')}
      size={560}
      record={record}
      done={() => ({ title: t('saved'), text: '' })}
      {...ends}
    >
      <div className="form-fields">
        <Textarea
          label={t('column.body')}
          value={form.body}
          error={faults.body}
          required
          rows={4}
          data-autofocus
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <TextField
          record={record}
          name="expiration"
          type="datetime-local"
          label={t('column.expiration')}
          required
        />
        <TextField
          record={record}
          name="intervals"
          label={t('column.intervals')}
          description={t('intervalsHint')}
        />
        <Switch
          label={t('everyone')}
          description={t('everyoneHint')}
          checked={form.global}
          onChange={(event) => set({ global: event.currentTarget.checked })}
        />
        {form.global ? null : (
          <Select
            label={t('inventory')}
            data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.inventory}
            error={faults.inventory}
            required
            searchable
            onChange={(inventory) => set({ inventory })}
          />
        )}
      </div>
    </RecordDialog>
  )
}
