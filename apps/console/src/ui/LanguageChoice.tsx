import type { Language } from '@backhaul/contract/nouns/preferences'
import { NativeSelect } from '@mantine/core'
import { languages } from './language.ts'

/** The languages by their own names. */
export function LanguageChoice({
  label,
  value,
  onChange,
}: {
  label: string
  value: Language
  onChange: (language: Language) => void
}) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={languages}
      onChange={(event) => {
        const chosen = languages.find((language) => language.value === event.currentTarget.value)
        if (chosen) onChange(chosen.value)
      }}
    />
  )
}
