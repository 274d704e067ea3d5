import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { RecordForm, type RecordFormProps } from './RecordForm.tsx'
import { RecordFrame } from './RecordFrame.tsx'

interface RecordTab {
  id: string
  label: string
  /** Number of items in the part. */
  count?: number
  /** Why it cannot be opened. */
  closed?: string | undefined
  /** Fields of the record: OK saves those of all parts. */
  fields?: ReactNode
  /** In place of fields, what is saved by itself. */
  own?: ReactNode
}

interface TabbedRecordProps<T> extends Omit<RecordFormProps<T>, 'children' | 'inParts'> {
  title: string
  size?: number | undefined
  /** Name of the tabs for screen readers. */
  label: string
  /** Undefined for a part that the record does not have. */
  tabs: readonly (RecordTab | undefined)[]
  firstTab?: string | undefined
  /** The height of every part. */
  height: number
}

/** The dialog of a record in parts, the first of them open by default. */
export function TabbedRecord<T>(props: TabbedRecordProps<T>) {
  const { title, size, label, tabs, firstTab, height, ...form } = props
  const { mayWrite = true, record, onClose } = form
  const shown = tabs.filter((tab) => tab !== undefined)
  return (
    <RecordFrame title={title} size={size} isChanged={mayWrite && record.isChanged} onClose={onClose}>
      <Tabs defaultValue={firstTab ?? shown[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label={label}>
          {shown.map(({ id, label: name, count, closed }) => (
            <Tabs.Tab key={id} value={id} disabled={closed !== undefined} data-tip={closed}>
              {name} {count === undefined ? null : <b>{count}</b>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ id, fields, own }) => (
          <Tabs.Panel key={id} value={id}>
            {own ?? (
              <RecordForm {...form} inParts>
                <div className="dialog-part" style={{ height }}>
                  {fields}
                </div>
              </RecordForm>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </RecordFrame>
  )
}
