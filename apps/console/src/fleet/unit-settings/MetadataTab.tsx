import { useTranslation } from 'react-i18next'
import { MetadataFields } from './MetadataFields.tsx'
import type { SettingForm } from './setting-fields.tsx'

const lists = ['metadata', 'defaultMetadata'] as const

export function MetadataTab({ form }: { form: SettingForm }) {
  const { t } = useTranslation('unitSettings')
  return lists.map((list) => (
    <MetadataFields
      key={list}
      legend={t(`setting.${list}`)}
      start={form.settings[list] ?? {}}
      closed={form.whyClosed(list)}
      fault={(name) => form.fault(name === undefined ? list : `${list}.${name}`)}
      onChange={(metadata) => form.set({ [list]: metadata })}
    />
  ))
}
