// /psg/system_settings: one screen for each child, all made from the table of children.
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, dateAndTime } from '../../ui/locale.ts'
import { SettingDialog } from './SettingDialog.tsx'
import { SettingPages } from './SettingPages.tsx'
import type { SettingChildName } from './setting-paths.ts'
import {
  type Choices,
  type Setting,
  type SettingField,
  settingChildren,
  useChoices,
  type Value,
} from './system-settings.ts'

export function SettingsPage({ child: name }: { child: SettingChildName }) {
  const { t } = useTranslation('systemSettings')
  const child = settingChildren[name]
  const choices = useChoices(child.path, child.fields)
  const wordOf = useMemo(() => wordsBy(choices, t), [choices, t])
  const columns = useMemo(
    () =>
      child.fields.map((field): GridColumn<Setting> => {
        const label = t(`field.${field.calledAs ?? field.name}` as 'field.name')
        if (field.kind === 'number')
          return figureColumn(field.name, label, field.width, (item) => Number(item[field.name] ?? 0))
        if (field.kind === 'time')
          return timeColumn(field.name, label, field.width, (item) => textOf(item[field.name]), {
            render: (item) => wordOf(field, item) || '—',
          })
        const required = field.name === child.nameField
        return textColumn(field.name, label, field.width, (item) => wordOf(field, item), { required })
      }),
    [child, t, wordOf],
  )
  const called = (item: Setting) => child.fields.map((field) => wordOf(field, item))
  const nameOf = (item: Setting) => {
    const field = child.fields.find((one) => one.name === child.nameField)
    return field ? wordOf(field, item) : ''
  }
  const words = t(`children.${name}`, { returnObjects: true })
  return (
    <SettingPages shown={name}>
      <EditedListScreen<Setting>
        list={child.list}
        gridId={`settings.${name}`}
        exportName={name}
        words={{
          title: words.title,
          search: t('search'),
          add: words.new,
          edit: t('edit'),
          delete: t('delete'),
          empty: { title: words.empty, text: words.text },
          noMatch: t('noMatch', { returnObjects: true }),
        }}
        columns={columns}
        defaultCompare={(a, b) => compareTexts(nameOf(a), nameOf(b))}
        searched={called}
        idOf={({ id }) => id}
        form={(item, more) => (
          <SettingDialog
            key={item?.id}
            child={child}
            title={item ? `${words.title}: ${nameOf(item)}` : words.new}
            item={item}
            choices={choices}
            {...more}
          />
        )}
        question={(item) => ({
          title: t('deleteTitle'),
          text: nameOf(item),
          run: () => child.remove(item.id),
          done: { title: t('deleted'), text: nameOf(item) },
        })}
      />
    </SettingPages>
  )
}

const textOf = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null)

const wordsBy =
  (choices: Choices, t: TFunction<'systemSettings'>) =>
  ({ name, kind }: SettingField, item: Setting): string => {
    const value = item[name] ?? ''
    if (kind === 'switch') return value ? t('yes') : t('no')
    if (kind === 'time' && value !== '') {
      const at = new Date(String(value))
      return at.getTime() > Date.now() ? dateAndTime(at) : t('expired', { at: dateAndTime(at) })
    }
    const labelOf = (one: string) => choices[name]?.find((choice) => choice.value === one)?.label ?? one
    if (Array.isArray(value)) return value.map(String).map(labelOf).join(', ')
    return kind === 'choice' ? labelOf(String(value)) : String(value)
  }
